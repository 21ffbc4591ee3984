import { readdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openLogFile } from '../../../src/host/log-file.ts'
import { contract } from '../../../src/shared/contract.ts'
import { startPlatform } from '../../support/platform.ts'
import { openTestMachine } from './support/test-host.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

it('the log and diagnostics contain no data from a session with marked fields', async () => {
  const platform = await startPlatform('empty')
  onTestFinished(() => platform.stop())
  const machine = openTestMachine()
  const { dataDirectory } = machine
  const { host, asking } = machine.start({
    environmentAccount: { baseUrl: platform.baseUrl, apiKey: platform.apiKey },
    launchPlatform: () => {
      throw new Error('marked: no demo here')
    },
    saveFile: (file) => Promise.reject(new Error(`marked: ${file.filename}`)),
    logFile: openLogFile({ dataDirectory, givenLevel: 'debug', echo: () => undefined }),
  })
  const ask = async (name: string, input: unknown = {}): Promise<unknown> => {
    const result = await host.call(name, input, await asking())
    return result.ok ? result.data : result.error
  }
  await platform.deliver({
    from: '"Marked Name" <marked-sender@secret.example>',
    cc: 'marked-cc@secret.example',
    subject: 'Marked subject',
    text: 'Marked text',
    html: '<p>Marked html</p>',
    attachments: [{ filename: 'marked.txt', content: 'marked attachment' }],
  })
  await expect
    .poll(() => ask('thread.list', { query: createFolderQuery(platform.inboxId, 'inbox'), offset: 0, limit: 20 }), {
      timeout: 30_000,
    })
    .toMatchObject({ items: [{ subject: 'Marked subject' }] })

  // Calls every command with valid input, invalid input, and input that ends up in error messages.
  for (const name of [...Object.keys(contract), 'marked.command']) {
    for (const id of [platform.inboxId, 'marked-id', 'marked/../id?q=marked']) {
      const from = await asking()
      await host.call(name, {}, from)
      await host.call(
        name,
        { id, accountId: id, inboxId: id, threadId: id, emailId: id, contactId: id, topicId: id },
        from,
      )
      await host.call(name, { inboxId: id, query: 'from:marked@secret.example "marked', offset: 0, limit: 20 }, from)
      await host.call(name, { inboxId: id, threadIds: [id], change: { read: true } }, from)
      await host.call(name, { baseUrl: `${platform.baseUrl}/marked`, apiKey: 're_marked_key' }, from)
    }
  }
  await platform.pause()
  await ask('sync.now')
  await platform.resume()

  const { text } = (await ask('app.diagnostics', { browser: 'Browser 1.0' })) as { text: string }
  expect(text).toMatch(/^Linnet \d+\.\d+\.\d+, browser host\n/)
  expect(text).toMatch(/\n {2}cache\.sqlite: \d+\.\d MB\n/)
  expect(text).toMatch(/\n {2}threads: [1-9]/)
  expect(text).toMatch(/\nSync: (?:online|offline)\n/)
  expect(text).toContain('\nRoute: direct, the server is on this computer\n')
  expect(text).toMatch(/\nCertificates: \d{2,} built in, \d+ from the system, \d+ from NODE_EXTRA_CA_CERTS\n/)
  expect(text).toContain('\nBrowser: Browser 1.0\n')

  const folder = join(dataDirectory, 'logs')
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(written.join('')).toMatch(/ error host: Error at log\.test\.ts/)
  for (const kept of [...written, text]) {
    const found = ['marked', 'secret', platform.apiKey, platform.inboxId, dataDirectory, homedir(), tmpdir()].filter(
      (secret) => secret.length > 1 && kept.toLowerCase().includes(secret.toLowerCase()),
    )
    expect(found).toEqual([])
  }
})
