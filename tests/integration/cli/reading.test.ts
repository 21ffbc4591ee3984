import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import type { TestHost } from '../host/support/test-host.ts'
import { connect, openDataFolder, type DataFolder } from './support/data-folder.ts'
import { jsonLines, runInShell, runLinnet } from './support/run-linnet.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})

const linnet = (...args: readonly string[]) => runLinnet([...args, '--data', folder.directory])

const idsOfEngine = async (host: TestHost, inboxId: string, text: string): Promise<readonly string[]> => {
  const labels = await host.ask('label.list', { inboxId })
  const { filter } = parseSearch(text, { labels, now: Date.now(), timeZone: 'UTC' })
  const query = { ...filter, inboxIds: [inboxId] }
  const { items } = await host.ask('thread.list', { query, offset: 0, limit: 200, localOnly: true })
  return items.map(({ id }) => id)
}

const accountFolder = (): string => {
  const [name = ''] = readdirSync(join(folder.directory, 'accounts'))
  return join(folder.directory, 'accounts', name)
}

const deliver = async (platform: TestPlatform, host: TestHost, ...subjects: readonly string[]): Promise<void> => {
  for (const subject of subjects) await platform.deliver({ subject, text: `The text of ${subject}.` })
  await host.ask('sync.now', {})
  await eventually(
    () => idsOfEngine(host, platform.inboxId, 'in:inbox'),
    (ids) => ids.length >= subjects.length,
  )
}

describe('linnet search', () => {
  it('finds the same as a window’s engine, with or without one running', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const host = await connect(folder, platform)
    const searches = ['has:attachment', 'from:a is:unread', 'invoice', 'in:anywhere newer_than:10y', 'in:archive']
    const expected = new Map<string, readonly string[]>()
    for (const text of searches) expected.set(text, await idsOfEngine(host, platform.inboxId, text))
    expect(Math.max(...[...expected.values()].map((ids) => ids.length))).toBeGreaterThan(20)

    const compare = async () => {
      for (const [text, ids] of expected) {
        const ended = await linnet('search', text, '--limit', '200', '--json')
        expect(ended.code, text + ended.err).toBe(ids.length === 0 ? 3 : 0)
        expect(
          jsonLines(ended).map(({ id }) => id),
          text,
        ).toEqual(ids)
      }
    }
    await compare()
    await host.close()
    await platform.stop()
    await compare()
    // A reader leaves no files that suggest a crash.
    expect(readdirSync(accountFolder()).filter((name) => /-wal$|-shm$|-suspect$/.test(name))).toEqual([])
  })

  it('prints one line per result, newest first, up to the limit, and notes more', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    await deliver(platform, host, 'one', 'two', 'three')
    const { code, out, err } = await linnet('search', 'text', '--limit', '2')
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\* ada@example\.com +three +\S+$/)
    expect(lines[1]).toContain('two')
    expect(err).toContain('Showing the newest 2.')
  })

  it('also searches the account’s received and sent mail', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    await deliver(platform, host, 'alpha', 'beta')
    await eventually(
      () => host.ask('receivedEmail.list', { offset: 0, limit: 10 }),
      ({ total }) => total === 2,
    )
    const ended = await linnet('search', 'beta', '--list', 'received', '--json')
    expect(jsonLines(ended)).toMatchObject([{ type: 'received', subject: 'beta', from: 'ada@example.com' }])
    expect((await linnet('search', 'beta', '--list', 'sent')).code).toBe(3)
  })

  it('marks words that it doesn’t understand, and finds nothing with them', async () => {
    const platform = await startTestPlatform()
    await connect(folder, platform)
    const { code, out, err } = await linnet('search', 'hello frm:ann')
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('  hello frm:ann\n        ^^^\n')
    expect(err).toContain('Did you mean from:?')
    expect((await linnet('search', 'two', 'words')).err).toContain('Put quotes around the search query')
    expect((await linnet('search', 'x', '--limit', 'many')).code).toBe(2)
    expect((await linnet('search', 'x', '--inbox', 'nobody@example.com')).code).toBe(3)
  })

  it('never prints terminal control sequences', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    const hostile = 'red \u001b[31m\u001b]0;title\u0007 \u009b2J \u202egpj.exe\u2066 end'
    await platform.deliver({
      from: { name: 'Eve \u001b[2J\u202e', address: 'eve@example.com' },
      subject: hostile,
      text: `line\r\n${hostile}\u0000\u0008`,
    })
    await deliver(platform, host, 'plain')
    const [found] = jsonLines(await linnet('search', 'red', '--json'))
    const subject = String(found?.subject)
    // The platform keeps at least some of these characters; otherwise the test would prove nothing.
    expect(subject).toMatch(/[\p{Cc}\u202e]/u)
    for (const args of [
      ['search', 'red'],
      ['search', 'red', '--json'],
      ['show', String(found?.id)],
      ['show', String(found?.id), '--json'],
    ]) {
      const { code, out } = await linnet(...args)
      expect(code, args.join(' ')).toBe(0)
      expect(out, args.join(' ')).toContain('gpj.exe')
      expect(out, args.join(' ')).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u)
    }
    const asked = await linnet('search', 'x:\u001b[31m')
    expect(asked.err).not.toContain('\u001b')
  })

  it('exits silently when its output pipe closes', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    await connect(folder, platform)
    const { code, out, err } = await runInShell(
      `set -o pipefail; linnet search in:anywhere --limit 5000 --data '${folder.directory}' | head -1`,
    )
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(err).not.toMatch(/EPIPE|Error/)
    expect(code).toBe(0)
  })
})

describe('linnet show', () => {
  it('prints a thread or e-mail as text, JSON or the exact original', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    await platform.deliver({
      subject: 'With a file',
      html: '<p>Formatted <b>alone</b></p><script>never()</script>',
      text: undefined,
      attachments: [{ filename: 'notes.txt', content: 'some notes' }],
    })
    await deliver(platform, host, 'other')
    const [thread] = jsonLines(await linnet('search', 'subject', '--json')).concat(
      jsonLines(await linnet('search', 'formatted', '--json')),
    )
    const threadId = String(thread?.id)
    await host.ask('thread.open', { inboxId: platform.inboxId, threadId })
    const shown = await linnet('show', threadId)
    expect(shown.code, shown.err).toBe(0)
    expect(shown.out).toContain('From: ada@example.com\n')
    expect(shown.out).toContain('Subject: With a file\n')
    expect(shown.out).toContain('Attachment: notes.txt (10 bytes)\n')
    expect(shown.out).toContain('Formatted alone')
    expect(shown.out).not.toContain('never')

    const [json] = jsonLines(await linnet('show', threadId, '--json'))
    expect(json).toMatchObject({ type: 'thread', id: threadId, emails: [{ subject: 'With a file' }] })
    const emails = json?.emails as readonly { readonly id: string }[] | undefined
    const emailId = emails?.[0]?.id ?? ''
    expect(jsonLines(await linnet('show', emailId, '--json'))).toMatchObject([{ type: 'email', id: emailId, threadId }])

    const { inboxId } = platform
    await host.ask('original.save', { of: { list: 'threads', inboxId, threadId, emailId } })
    await host.close()
    const raw = await linnet('show', emailId, '--raw')
    expect(raw.code, raw.err).toBe(0)
    expect(raw.out).toContain('Subject: With a file\r\n')
    expect((await linnet('show', threadId, '--raw')).code).toBe(2)
    rmSync(join(accountFolder(), 'blobs'), { recursive: true })
    const missing = await linnet('show', emailId, '--raw')
    expect([missing.code, missing.out]).toEqual([3, ''])
    expect(missing.err).toContain('is not on this computer')
  })

  it('reports an unknown e-mail', async () => {
    const platform = await startTestPlatform()
    await connect(folder, platform)
    const { code, out, err } = await linnet('show', 'no-such-thing')
    expect([code, out]).toEqual([3, ''])
    expect(err).toBe('linnet: No thread or message “no-such-thing” on this computer.\n')
  })
})

describe('linnet accounts', () => {
  it('lists the accounts of the data folder with their unsent changes', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    await deliver(platform, host, 'one')
    const [threadId = ''] = await idsOfEngine(host, platform.inboxId, '')
    await platform.stop()
    await host.ask('thread.change', { inboxId: platform.inboxId, threadIds: [threadId], change: { folder: 'archive' } })
    const [account] = jsonLines(await linnet('accounts', '--json'))
    expect(account).toMatchObject({
      type: 'account',
      kind: 'platform',
      baseUrl: platform.baseUrl,
      isConnected: true,
      inboxes: [{ address: platform.inboxAddress, unread: 0 }],
      unsent: 1,
      problem: null,
    })
    expect(jsonLines(await linnet('search', 'in:archive', '--json')).map(({ id }) => id)).toEqual([threadId])
    const named = await linnet('accounts', '--account', platform.inboxAddress.toUpperCase())
    expect(named.out).toContain('1 unsent')
    const unknown = await linnet('search', 'x', '--account', 'nobody')
    expect(unknown.code).toBe(3)
    expect(unknown.err).toContain('There is no account “nobody” here.')
    expect(unknown.err).toContain(platform.inboxAddress)
    expect(JSON.stringify(account)).not.toContain(platform.apiKey)
  })
})

describe('an invalid data folder', () => {
  it('is reported and left unchanged', async () => {
    const platform = await startTestPlatform()
    const host = await connect(folder, platform)
    await host.close()
    const cache = join(accountFolder(), 'cache.sqlite')
    const sound = readFileSync(cache)

    const newer = new Database(cache)
    newer.pragma('user_version = 999')
    newer.exec('DELETE FROM version_stamp; INSERT INTO version_stamp (version) VALUES (999)')
    newer.close()
    const fromNewer = await linnet('search', 'x')
    expect(fromNewer.code).toBe(1)
    expect(fromNewer.err).toContain('newer version of Linnet')

    writeFileSync(cache, sound)
    const older = new Database(cache)
    older.exec('DELETE FROM search_state')
    older.close()
    const unfinished = await linnet('search', 'x')
    expect(unfinished.code).toBe(1)
    expect(unfinished.err).toContain('Open the account in Linnet once')

    const broken = Buffer.from(sound)
    broken.fill(0xee, 0, 4096)
    writeFileSync(cache, broken)
    const damaged = await linnet('search', 'x')
    expect(damaged.code).toBe(1)
    expect(damaged.err).toContain('nothing was changed')
    expect(readFileSync(cache).equals(broken)).toBe(true)

    writeFileSync(join(folder.directory, 'linnet.json'), '{ not settings')
    const unset = await linnet('accounts')
    expect(unset.code).toBe(1)
    expect(unset.err).toContain('settings')
    expect(existsSync(join(folder.directory, 'linnet.json'))).toBe(true)
  })

  it('isn’t created if missing', async () => {
    const directory = temporaryDirectory()
    expect((await runLinnet(['accounts', '--data', join(directory, 'no-such')])).code).toBe(1)
    expect((await runLinnet(['accounts', '--data', directory])).code).toBe(3)
    expect(readdirSync(directory)).toEqual([])
    const home = { HOME: directory, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }
    expect((await runLinnet(['accounts'], home)).code).toBe(3)
  })
})

describe('invalid arguments', () => {
  it('are answered with the correct usage', async () => {
    for (const args of [[], ['fetch'], ['search'], ['search', 'x', '--no-such'], ['show', 'x', '--json', '--raw']]) {
      const { code, out, err } = await runLinnet(args)
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('usage: linnet')
    }
    expect(await runLinnet(['--help'])).toMatchObject({ code: 0, err: '' })
    for (const name of ['--version', 'version'])
      expect(await runLinnet([name])).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^linnet \d+\.\d+\.\d+\n$/) as string,
      })
  })
})
