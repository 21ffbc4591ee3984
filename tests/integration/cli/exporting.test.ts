import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readMbox } from '../../support/read-mbox.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { eventually } from '../engine/support/eventually.ts'
import { connect, openDataFolder, type DataFolder } from './support/data-folder.ts'
import { jsonLines, LINNET, runInShell, runLinnet, type Ended } from './support/run-linnet.ts'

let folder: DataFolder
let files: string
beforeEach(() => {
  folder = openDataFolder()
  files = temporaryDirectory()
})

const linnet = (...args: readonly string[]) => runLinnet([...args, '--data', folder.directory])
const file = (name: string): string => join(files, name)
const idsIn = (path: string): readonly string[] =>
  readMbox(readFileSync(path)).map(({ headers }) => headers.get('message-id') ?? '')
const keyOf = ({ baseUrl, apiKey }: TestPlatform) => ({ LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey })

const large = mkdtempSync(join(tmpdir(), 'linnet-large-'))
afterAll(() => rmSync(large, { recursive: true, force: true }))
/**
 * Fills the data folder with enough mail to interrupt an export: fetched once and copied for each test.
 * @returns a complete export of it
 */
const fillWithMuch = async (): Promise<Buffer> => {
  const whole = join(large, 'whole.mbox')
  const data = join(large, 'data')
  if (existsSync(whole)) cpSync(data, folder.directory, { recursive: true })
  else {
    const platform = await startTestPlatform({}, { generate: { threads: 300, seed: 5 } })
    await (await connect(folder, platform)).close()
    await platform.stop()
    cpSync(folder.directory, data, { recursive: true })
    const ended = await linnet('export', '--everything', '--to', whole)
    expect(ended.code, ended.err).toBe(0)
  }
  return readFileSync(whole)
}

/** Runs an export and kills it once it has started to write. */
const interrupt = (args: readonly string[], signal: NodeJS.Signals): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LINNET, 'export', ...args, '--data', folder.directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (!said.err.includes('Wrote') && text.includes('Wrote')) child.kill(signal)
      said.err += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })

describe('linnet export', () => {
  it('exports everything, a folder or a search in each format, with or without a window', async () => {
    const platform = await startTestPlatform()
    for (const subject of ['Invoice one', 'Invoice two', 'Fog', 'Tide']) await platform.deliver({ subject })
    const { inboxId, inboxAddress: from } = platform
    // Sent mail has no raw source.
    await platform.ask('POST', '/emails', { from, to: 'bo@example.com', subject: 'Sent', text: 'Sent.' })
    const { data } = await platform.ask<{ data: readonly { id: string; subject: string }[] }>(
      'GET',
      `/inboxes/${inboxId}/threads`,
    )
    const archived = data.filter(({ subject }) => ['Invoice two', 'Fog'].includes(subject))
    for (const { id } of archived) {
      await platform.ask('PATCH', `/inboxes/${inboxId}/threads/${id}`, { folder: 'archive' })
    }
    const host = await connect(folder, platform)
    // The four originals.
    await eventually(
      () => host.ask('keeping.state', {}),
      ({ left }) => left === 0,
    )

    const everything = await linnet('export', '--everything', '--to', file('all.mbox'), '--json')
    expect(everything.code, everything.err).toBe(0)
    const [told] = jsonLines(everything)
    const all = idsIn(file('all.mbox'))
    expect(all).toHaveLength(5)
    expect(told).toMatchObject({ type: 'export', path: file('all.mbox'), format: 'mbox', emails: all.length })
    expect(everything.err).toMatch(/Wrote \d+ of \d+ messages/)
    expect(everything.err).toContain('1 message was rebuilt: no original on this computer')
    await host.close()
    await platform.stop()

    const again = await linnet('export', '--everything', '--to', file('again.mbox'))
    expect([again.code, again.out]).toEqual([0, `${file('again.mbox')}\n`])
    expect(idsIn(file('again.mbox'))).toEqual(all)

    const archive = await linnet('export', '--folder', 'archive', '--to', file('archive.zip'), '--json')
    expect(archive.code, archive.err).toBe(0)
    const names = Object.keys(unzipSync(readFileSync(file('archive.zip'))))
    expect(names).toHaveLength(archived.length)
    expect(names.every((name) => name.startsWith(`${platform.inboxAddress}/archive/`))).toBe(true)
    expect(jsonLines(archive)).toMatchObject([{ emails: names.length }])

    const found = await linnet('search', 'invoice in:anywhere', '--json', '--limit', '1000')
    const search = await linnet('export', 'invoice in:anywhere', '--to', file('invoices.jsonl'))
    expect(search.code, search.err).toBe(0)
    const lines = readFileSync(file('invoices.jsonl'), 'utf8').trimEnd().split('\n')
    const threads = new Set(lines.map((line) => (JSON.parse(line) as { thread_id: string }).thread_id))
    expect(threads.size).toBe(2)
    expect([...threads].toSorted()).toEqual(
      jsonLines(found)
        .map(({ id }) => String(id))
        .toSorted(),
    )
    expect(readdirSync(files).toSorted()).toEqual(['again.mbox', 'all.mbox', 'archive.zip', 'invoices.jsonl'])
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'leaves no complete-looking file when stopped by %s, and can run again',
    async (signal) => {
      const whole = await fillWithMuch()
      const path = file('mail.mbox')
      const ended = await interrupt(['--everything', '--to', path], signal)
      const left = readdirSync(files)
      if (signal === 'SIGKILL') {
        expect(left).toHaveLength(1)
        expect(left[0]).toMatch(/^mail\.mbox\.\d+-[\da-f]{8}\.part$/)
      } else {
        expect([ended.code, left], ended.err).toEqual([130, []])
        expect(ended.err).toContain('Interrupted. No file was written. Run the command again to start over.')
      }

      const again = await linnet('export', '--everything', '--to', path)
      expect(again.code, again.err).toBe(0)
      expect(readFileSync(path).equals(whole)).toBe(true)
      expect(readdirSync(files)).toEqual(['mail.mbox'])
    },
  )

  it('writes complete separate files from two concurrent processes', async () => {
    const whole = await fillWithMuch()
    const path = file('mail.mbox')
    const both = await Promise.all([
      linnet('export', '--everything', '--to', path),
      linnet('export', '--everything', '--to', path),
    ])
    const written = both.flatMap(({ code, out }) => (code === 0 ? [out.trimEnd()] : []))
    expect(written.length, both.map(({ err }) => err).join('\n')).toBeGreaterThan(0)
    expect(readdirSync(files).map(file).toSorted()).toEqual(written.toSorted())
    for (const each of written) expect(readFileSync(each).equals(whole)).toBe(true)
  })

  it('fetches missing mail with a key, except while a window is open', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    for (let index = 0; index < 6; index += 1) {
      await platform.deliver({
        ...{ messageId: `<letter-${index}@example.com>`, subject: `Letter ${index}`, text: `Number ${index}.` },
        date: new Date(Date.UTC(2026, 9, 1, 0, index)),
      })
    }
    const host = await connect(folder, platform)
    const args = ['export', '--everything', '--to', file('mail.mbox'), '--fetch', '--data', folder.directory]
    const beside = await runLinnet(args, keyOf(platform))
    expect(beside.code, beside.err).toBe(4)
    expect(beside.err).toContain('Do this in its window')
    await host.close()
    expect((await runLinnet(args)).code).toBe(2)

    const fetched = await runLinnet([...args, '--json'], keyOf(platform))
    expect(fetched.code, fetched.err).toBe(0)
    expect(jsonLines(fetched)).toMatchObject([{ emails: 6, rebuilt: 0, incomplete: 0, missing: 0, isWhole: true }])
    expect(idsIn(file('mail.mbox'))).toEqual([0, 1, 2, 3, 4, 5].map((index) => `<letter-${index}@example.com>`))
    expect(fetched.out + fetched.err).not.toContain(platform.apiKey)
    // The window isn't notified, as there is nothing left to dismiss.
    const window = folder.start()
    expect(await window.ask('export.list', {})).toEqual([])
    await window.close()
  })

  it('writes contacts as a table to a file or another program', async () => {
    const platform = await startTestPlatform()
    await platform.ask('POST', '/contact-properties', { key: 'berth', type: 'string' })
    for (const name of ['ada', 'bo', 'cleo']) {
      await platform.ask('POST', '/contacts', { email: `${name}@example.com`, properties: { berth: name } })
    }
    await (await connect(folder, platform)).close()
    const written = await linnet('export', '--contacts', '--to', file('contacts.csv'))
    expect([written.code, written.out]).toEqual([0, `${file('contacts.csv')}\n`])
    const table = readFileSync(file('contacts.csv'), 'utf8')
    expect(table).toMatch(/^\ufeffemail,first_name,last_name,unsubscribed,created_at,/)
    expect(table.trimEnd().split('\r\n')).toHaveLength(4)
    const piped = await runInShell(`linnet export --contacts --data '${folder.directory}' | cat`)
    expect(piped.out).toBe(table)
    const taken = await linnet('export', '--contacts', '--to', file('contacts.csv'))
    expect(taken.code).toBe(1)
    expect(taken.err).toContain('nothing was replaced')
    expect((await linnet('export', '--contacts', '--to', file('contacts.csv'), '--replace')).code).toBe(0)
  })

  it('explains invalid input, unwritable files and missing mail, and changes nothing', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'One' })
    await (await connect(folder, platform)).close()
    writeFileSync(file('mine.mbox'), 'mine')
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['--everything', '--to', file('mine.mbox')], 1, 'nothing was replaced'],
      [['--everything', '--to', file('no/mail.mbox')], 1, 'could not be created'],
      [['--everything', '--to', file('mail.txt')], 2, 'Choose the format'],
      [['--everything', '--to', file('mail.mbox'), '--format', 'pst'], 2, '--format takes mbox, zip or jsonl'],
      [['--everything', 'one', '--to', file('mail.mbox')], 2, 'Choose what to export'],
      [['--to', file('mail.mbox')], 2, 'Choose what to export'],
      [['--everything'], 2, 'with --to FILE'],
      [['--folder', 'attic', '--to', file('mail.mbox')], 2, '--folder takes inbox, archive'],
      [['frm:ann', '--to', file('mail.mbox')], 2, 'Did you mean from:?'],
      [['one', '--inbox', 'nobody@example.com', '--to', file('mail.mbox')], 3, 'There is no inbox'],
      [['nothinglikethis', '--to', file('mail.mbox')], 3, 'No file was written'],
    ]
    for (const [args, code, words] of cases) {
      const ended = await linnet('export', ...args)
      expect([ended.code, ended.out], args.join(' ')).toEqual([code, ''])
      expect(ended.err, args.join(' ')).toContain(words)
    }
    expect([readdirSync(files), readFileSync(file('mine.mbox'), 'utf8')]).toEqual([['mine.mbox'], 'mine'])
    const replaced = await linnet('export', '--everything', '--to', file('mine.mbox'), '--replace')
    expect(replaced.code, replaced.err).toBe(0)
    expect(idsIn(file('mine.mbox'))).toHaveLength(1)
  })
})
