import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, readFile, readdir, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { unzipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'
import { FOLDERS, type Email } from '../../../src/shared/model.ts'
import { folderQuery } from '../../../src/shared/thread-query.ts'
import type { ExportState } from '../../../src/shared/export.ts'
import { hasPython, runPython } from '../../support/python.ts'
import { readMbox, type MboxMessage } from '../../support/read-mbox.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { EVERYTHING, exportAll, startExport, untilStage } from './support/exporting.ts'
import { expectOk, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

/** `EXPORT_ENDS=200` ends it as often as was meant. */
const ENDS = Number(process.env.EXPORT_ENDS ?? 20)
/** `LINNET_TEST_LONG=1`, or `SCALE_THREADS=20000`, has the mailbox that was meant. */
const THREADS = Number(process.env.SCALE_THREADS ?? (process.env.LINNET_TEST_LONG === '1' ? 20_000 : 400))

const bare = (messageId: string | null | undefined): string => (messageId ?? '').replace(/[<>\s]/g, '')

/** The e-mails of all threads, as a person reads them. */
const allInThreads = async (engine: TestEngine, inboxId: string): Promise<readonly Email[]> => {
  const found = new Map<string, Email>()
  for (const folder of FOLDERS) {
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const page = await engine.call('thread.list', { query: folderQuery(inboxId, folder), offset, limit: 200 })
      total = page.total
      for (const { id: threadId } of page.items) {
        const { emails } = await engine.call('thread.open', { inboxId, threadId })
        for (const email of emails) found.set(email.id, email)
      }
    }
  }
  return [...found.values()]
}

const readExported = async ({ path }: Pick<ExportState, 'path'>): Promise<readonly MboxMessage[]> =>
  readMbox(await readFile(path))
const messageIds = (messages: readonly MboxMessage[]): readonly string[] =>
  messages.map(({ headers }) => bare(headers.get('message-id'))).toSorted()

/** What Python's `mailbox` reads of every message, and of every part of it. */
const READ = `import json, mailbox, sys
read = []
for m in mailbox.mbox(sys.argv[1]):
    parts = [p for p in m.walk() if not p.is_multipart()]
    size = sum(len(p.get_payload(decode=True) or b'') for p in parts)
    read.append([m['Message-ID'] or '', m['Subject'] is not None, size, m.get_flags()])
print(json.dumps(read))`

const readByPython = (path: string): readonly (readonly [string, boolean, number, string])[] =>
  // The program prints what is said here.
  runPython(READ, path) as ReturnType<typeof readByPython>

const deliverLetters = async (
  platform: TestPlatform,
  count: number,
  at = (index: number): number => Date.UTC(2026, 9, 1, 0, index),
): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await platform.deliver({
      messageId: `<letter-${index}@example.com>`,
      subject: `Letter ${index}`,
      text: `From here on it is letter ${index}.\n>From there too.\n`,
      date: new Date(at(index)),
      ...(index % 3 === 0 && {
        attachments: [{ filename: `Größe ${index}.bin`, content: Buffer.alloc(5_000, index) }],
      }),
    })
  }
}

/** As Python's `mailbox` gives its bytes, with the quoting undone and without what the mailbox put before it. */
const DIGEST = `import hashlib, json, mailbox, re, sys
found = []
box = mailbox.mbox(sys.argv[1])
for key in box.iterkeys():
    raw = box.get_bytes(key)
    raw = re.sub(rb'\\A(?:(?:Status|X-Gmail-Labels):[^\\n]*\\n(?:[ \\t][^\\n]*\\n)*)+', b'', raw)
    raw = re.sub(rb'(?m)^>(>*From )', rb'\\1', raw)
    digest = hashlib.sha256(re.sub(rb'\\n*\\Z', b'', raw) + b'\\n').hexdigest()
    found.append([box[key]['Message-ID'] or '', digest])
print(json.dumps(found))`

const digestsByPython = (path: string): readonly (readonly [string, string])[] =>
  // The program prints what is said here.
  runPython(DIGEST, path) as ReturnType<typeof digestsByPython>

describe('an export of everything', () => {
  it('has every message of the demo once: the originals to the byte, and what was sent rebuilt and marked', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    const inThreads = await allInThreads(engine, platform.inboxId)
    const state = await exportAll(engine, temporaryDirectory())
    const messages = await readExported(state)
    expect(state).toMatchObject({ stage: 'done', missing: 0, missingThreads: 0, incomplete: 0, isWhole: true })
    expect(state).toMatchObject({ done: messages.length, total: messages.length, problem: null })

    // Everything of the threads, and what is in the account's own lists alone.
    const ids = messageIds(messages)
    const threadIds = inThreads.map(({ messageId }) => bare(messageId)).filter((id) => id !== '')
    expect(threadIds.filter((id) => !ids.includes(id))).toEqual([])
    const doubles = ids.filter((id, index) => id !== '' && ids[index + 1] === id)
    const meant = threadIds.toSorted().filter((id, index, sorted) => sorted[index + 1] === id)
    expect(doubles).toEqual(meant)

    const rebuilt = messages.filter(({ headers }) => headers.has('x-linnet-rebuilt'))
    expect(rebuilt).toHaveLength(state.rebuilt)
    const outbound = new Set(
      inThreads.flatMap(({ direction, messageId }) => (direction === 'outbound' ? [bare(messageId)] : [])),
    )
    expect(rebuilt.length).toBeGreaterThan(20)
    const inbound = inThreads.filter(({ direction }) => direction === 'inbound')
    expect(inbound.filter(({ messageId }) => outbound.has(bare(messageId)))).toEqual([])

    // The bytes of an original, its ends of lines apart, whatever lies in it.
    const byId = new Map(messages.map((message) => [bare(message.headers.get('message-id')), message]))
    let compared = 0
    for (const { id, threadId, messageId } of inbound) {
      const exported = byId.get(bare(messageId))
      const of = { list: 'threads', inboxId: platform.inboxId, threadId, emailId: id } as const
      if (exported === undefined || messageId === null) continue
      const { content } = expectOk(await engine.link.original('test', of))
      const plain = (bytes: Uint8Array): string =>
        Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n').replace(/\n?$/, '\n')
      if (plain(exported.raw) !== plain(content)) throw new Error(`Not the original: ${messageId}`)
      compared += 1
    }
    expect(compared).toBeGreaterThan(200)

    const times = messages.map(({ separator }) => Date.parse(`${separator.split(' ').slice(1).join(' ')} UTC`))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    if (!hasPython) {
      console.log('No python3 on this machine: nothing was asked of its mailbox module.')
      return
    }
    const read = readByPython(state.path)
    expect(read.map(([id]) => bare(id)).toSorted()).toEqual(ids)
    expect(read.map(([, , , flags]) => flags.includes('R'))).toEqual(messages.map(({ isRead }) => isRead))
  })

  it('is an archive of .eml files, and lines of JSON with every attachment, of the same messages', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    await deliverLetters(platform, 7)
    const engine = await openTestEngine(platform)
    await engine.settled()
    const folder = temporaryDirectory()
    const [mbox, zip, jsonl] = [
      await exportAll(engine, folder),
      await exportAll(engine, folder, { format: 'zip' }),
      await exportAll(engine, folder, { format: 'jsonl' }),
    ]
    const messages = await readExported(mbox)
    const files = Object.entries(unzipSync(await readFile(zip.path)))
    expect(files.map(([name]) => name)).toContain(`${platform.inboxAddress}/inbox/000001 2026-10-01 Letter 0.eml`)
    expect(files.map(([, bytes]) => Buffer.from(bytes).toString('latin1').trimEnd())).toEqual(
      messages.map(({ raw }) => raw.toString('latin1').trimEnd()),
    )
    if (hasPython) {
      const bad = runPython(
        `import json, sys, zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).testzip()))`,
        zip.path,
      )
      expect(bad).toBeNull()
    }
    const lines = (await readFile(jsonl.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(7)
    expect(lines[3]).toMatchObject({
      version: 1,
      list: 'threads',
      inbox: { id: platform.inboxId, address: platform.inboxAddress },
      folder: 'inbox',
      read: false,
      date: '2026-10-01T00:03:00.000Z',
      from: 'ada@example.com',
      subject: 'Letter 3',
      message_id: '<letter-3@example.com>',
      incomplete: false,
      attachments: [{ filename: 'Größe 3.bin', size: 5_000, content: Buffer.alloc(5_000, 3).toString('base64') }],
    })
    expect(lines[3]?.text).toContain('From here on it is letter 3.')
  })

  it('rebuilds offline what is not here, says so in each message, and asks nothing of the platform', async () => {
    const platform = await startTestPlatform()
    await deliverLetters(platform, 4)
    const engine = await openTestEngine(platform)
    await engine.settled()
    const before = platform.requests().length
    const kept = await exportAll(engine, temporaryDirectory(), { isFetching: false })
    expect(
      platform
        .requests()
        .slice(before)
        .filter((request) => /receiving\/|attachments|download/.test(request)),
    ).toEqual([])
    const messages = await readExported(kept)
    expect(kept).toMatchObject({ done: 4, rebuilt: 4, incomplete: 2 })
    expect(messages.map(({ headers }) => headers.get('x-linnet-rebuilt'))).toEqual([
      'incomplete',
      'yes',
      'yes',
      'incomplete',
    ])
    expect(messageIds(messages)).toEqual([0, 1, 2, 3].map((index) => `letter-${index}@example.com`))
    expect(messages[1]?.raw.toString()).toContain('From here on it is letter 1.\r\n')

    await platform.stop()
    await engine.link.call('test', 'sync.now', {}, 'test')
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    expect(await exportAll(engine, temporaryDirectory())).toMatchObject({ stage: 'done', done: 4, rebuilt: 4 })
  })

  it('has mail that the platform has dropped', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    await deliverLetters(platform, 3)
    const engine = await openTestEngine(platform)
    await engine.settled()
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * 24 * 60 * 60_000 })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return (await engine.call('cache.state', {})).goneThreads
      },
      (gone) => gone === 3,
    )
    const state = await exportAll(engine, temporaryDirectory())
    expect(state).toMatchObject({ stage: 'done', done: 3, missing: 0, missingThreads: 0 })
    expect(messageIds(await readExported(state))).toEqual([0, 1, 2].map((index) => `letter-${index}@example.com`))
  })
})

describe('an export of a list', () => {
  it('has all e-mails of the threads that a folder, or a search, lists, and no others', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    for (const query of [
      folderQuery(platform.inboxId, 'archive'),
      { ...folderQuery(platform.inboxId, 'inbox'), text: [{ text: 'invoice', isPhrase: false, isExcluded: false }] },
    ]) {
      const { items } = await engine.call('thread.list', { query, offset: 0, limit: 200 })
      await eventually(
        async () =>
          (await engine.call('thread.list', { query, offset: 0, limit: 200 })).searched?.platform.state ?? 'done',
        (state) => state !== 'waiting',
      )
      const conversations = await Promise.all(
        items.map(({ id: threadId }) => engine.call('thread.open', { inboxId: platform.inboxId, threadId })),
      )
      const ids = conversations.flatMap(({ emails }) => emails.map(({ messageId }) => bare(messageId)))
      const state = await exportAll(engine, temporaryDirectory(), { mail: { kind: 'threads', query } })
      expect(state).toMatchObject({ stage: 'done', missing: 0, missingThreads: 0 })
      expect(ids.length).toBeGreaterThan(3)
      expect(messageIds(await readExported(state))).toEqual(ids.toSorted())
    }
  })
})

describe('the file of an export', () => {
  const open10 = async () => {
    const platform = await startTestPlatform()
    await deliverLetters(platform, 10)
    const engine = await openTestEngine(platform)
    await engine.settled()
    return { platform, engine, folder: temporaryDirectory() }
  }

  it('is never taken for whole before it is, and nothing is left of it when it is cancelled', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 300 })
    const { id } = await startExport(engine, folder)
    await untilStage(engine, id, 'writing')
    expect((await readdir(folder)).filter((name) => !name.endsWith('.part'))).toEqual([])
    await engine.call('export.cancel', { id })
    expect([await readdir(folder), await engine.call('export.list', {})]).toEqual([[], []])
    expect((await readdir(join(engine.directory, 'exports'))).filter((name) => name.includes(id))).toEqual([])
    expect(await engine.problemOf('export.resume', { id })).toMatchObject({ code: 'not_found' })
  })

  it('is not written over another one, unless that was agreed to', async () => {
    const { engine, folder } = await open10()
    const path = join(folder, 'mail.mbox')
    await writeFile(path, 'mine')
    const wish = { mail: EVERYTHING, format: 'mbox', isFetching: true, name: 'mail' } as const
    const refused = await engine.link.startExport('test', wish, { path, mayReplace: false })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    const nowhere = await engine.link.startExport('test', wish, {
      path: join(folder, 'no', 'mail.mbox'),
      mayReplace: false,
    })
    expect(nowhere).toMatchObject({ ok: false, error: { code: 'storage_failed' } })
    expect(await engine.call('export.list', {})).toEqual([])

    const { id } = await startExport(engine, folder, {}, true)
    expect(await untilStage(engine, id, 'done')).toMatchObject({ path, done: 10 })
    expect(await readExported({ path })).toHaveLength(10)
  })

  it('gets another name where its own was taken meanwhile', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 200 })
    const { id } = await startExport(engine, folder)
    await writeFile(join(folder, 'mail.mbox'), 'mine')
    const { path } = await untilStage(engine, id, 'done')
    expect(path).toBe(join(folder, 'mail (2).mbox'))
    expect([await readFile(join(folder, 'mail.mbox'), 'utf8'), (await readExported({ path })).length]).toEqual([
      'mine',
      10,
    ])
  })

  it('is gone on with after a pause, a full disk, and a new start, each message once', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 150 })
    const { id } = await startExport(engine, folder)
    await untilStage(engine, id, 'writing')
    await engine.call('export.pause', { id })
    expect(await untilStage(engine, id, 'paused')).toMatchObject({ problem: null })

    const handle = await open(join(folder, 'other'), 'w')
    const full = vi
      .spyOn(Object.getPrototypeOf(handle) as typeof handle, 'write')
      .mockRejectedValue(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    await engine.call('export.resume', { id })
    expect((await untilStage(engine, id, 'paused', 'done')).problem).toMatchObject({
      code: 'storage_failed',
      message: expect.stringContaining('The disk is full') as string,
    })
    full.mockRestore()
    await handle.close()

    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await again.call('export.list', {})).toMatchObject([{ id, stage: 'paused', format: 'mbox' }])
    await again.call('export.resume', { id })
    const state = await untilStage(again, id, 'done')
    expect(messageIds(await readExported(state))).toEqual(
      Array.from({ length: 10 }, (_, index) => `letter-${index}@example.com`),
    )
    expect((await readdir(folder)).toSorted()).toEqual(['mail.mbox', 'other'])
    // It is told of until it is put away, and the file stays.
    await again.call('export.cancel', { id })
    expect([await again.call('export.list', {}), (await readdir(folder)).length]).toEqual([[], 2])
  })

  it('is written anew where somebody has removed it', async () => {
    const { engine, folder } = await open10()
    const { id } = await startExport(engine, folder)
    await engine.call('export.pause', { id })
    const part = (await readdir(folder)).find((name) => name.endsWith('.part'))
    if (part !== undefined) await writeFile(join(folder, part), '')
    await engine.call('export.resume', { id })
    const state = await untilStage(engine, id, 'done')
    expect([state.done, (await readExported(state)).length]).toEqual([10, 10])
  })
})

describe('an export that is ended at any moment', () => {
  it.each(['mbox', 'zip'] as const)('goes on, and has each message once (%s)', async (format) => {
    const platform = await startTestPlatform({ trustDate: true }, { generate: { threads: 250, seed: 7 } })
    const engine = await openTestEngine(platform)
    await engine.settled()
    // What it is to be, by an engine that nobody ends.
    const whole = await exportAll(engine, temporaryDirectory(), { format })
    await engine.call('export.cancel', { id: whole.id })
    await engine.close()
    const folder = temporaryDirectory()
    const path = join(folder, `mail.${format}`)
    const script = join(import.meta.dirname, 'support', 'exporting-engine.ts')
    const args = [script, platform.baseUrl, platform.apiKey, engine.directory, path, format]

    /** @param until it has written so many e-mails, and a moment more; null for as long as it takes */
    const live = async (until: number | null): Promise<string> => {
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
      let said = ''
      for await (const line of createInterface({ input: child.stdout })) {
        said = line
        const [word, done] = line.split(' ')
        if (until !== null && word === 'at' && Number(done) >= until) {
          setTimeout(() => child.kill('SIGKILL'), Math.random() * 30)
        }
      }
      return said
    }
    const ends = Math.ceil(ENDS / 2)
    let written = 0
    let cut = 0
    for (let end = 0; end < ends; end += 1) {
      const said = await live(Math.min(written, whole.done - 1))
      if (said.startsWith('done')) break
      cut += 1
      written = Math.floor(((end + 1) * whole.done) / ends)
    }
    expect(cut).toBeGreaterThan(0)
    const last = JSON.parse((await live(null)).replace(/^\w+ /, '')) as ExportState
    expect(last).toMatchObject({ stage: 'done', path, done: whole.done, missing: 0 })
    expect(await readdir(folder)).toEqual([`mail.${format}`])
    if (format === 'zip') {
      const [files, expected] = [unzipSync(await readFile(path)), unzipSync(await readFile(whole.path))]
      expect(Object.keys(files)).toEqual(Object.keys(expected))
      expect(
        Object.values(files).every((bytes, index) =>
          Buffer.from(bytes).equals(Object.values(expected)[index] ?? new Uint8Array()),
        ),
      ).toBe(true)
    } else expect((await readFile(path)).equals(await readFile(whole.path))).toBe(true)
  })
})

/** How long the turns of the engine's thread were, milliseconds. */
type Turns = Readonly<Record<'p50' | 'p99' | 'p999' | 'max', number>>

/** What the process of an export says in its last line, with what it has measured. */
type Ended = ExportState & {
  readonly inbox: number
  readonly memory: number
  readonly waits: Turns
  readonly works: Turns
}

/** The bytes of a message, whatever ends its lines. */
const digestOf = (message: Uint8Array): string =>
  createHash('sha256')
    .update(Buffer.from(message).toString('latin1').replaceAll('\r\n', '\n').replace(/\n*$/, '\n'), 'latin1')
    .digest('hex')

/** How often at most new mail comes in, milliseconds. */
const DELIVER_EVERY_MS = 200

describe('a large mailbox', () => {
  it(
    'is exported while sync goes on, is killed half-way, and has every message once',
    { timeout: 300_000 + THREADS * 120 },
    async () => {
      const data = join(temporaryDirectory(), 'platform.sqlite')
      const platform = await startTestPlatform({ trustDate: true }, { data, generate: { threads: THREADS, seed: 3 } })
      await deliverLetters(platform, 30)
      const first = await openTestEngine(platform)
      await first.settled()
      const countInbox = async ({ call }: TestEngine): Promise<number> =>
        (await call('thread.list', { query: folderQuery(platform.inboxId, 'inbox'), offset: 0, limit: 1 })).total
      const begun = await countInbox(first)
      await first.close()

      const put = new Database(data, { readonly: true })
      const sources = put
        .prepare<[], { messageId: string; direction: string; subject: string; raw: Buffer }>(
          `SELECT message_id AS messageId, direction, subject, raw FROM emails
           JOIN email_contents ON email_seq = seq ORDER BY seq`,
        )
        .all()
      put.close()
      const expected = new Map(sources.map((source) => [bare(source.messageId), source]))
      expect(expected.size).toBe(sources.length)

      const folder = temporaryDirectory()
      const path = join(folder, 'mail.mbox')
      const script = join(import.meta.dirname, 'support', 'exporting-engine.ts')
      let arrived = 0
      let deliveredAt = 0
      /** @param until e-mails after which it is killed; null for as long as it takes */
      const live = async (file: string, until: number | null, isBusy = true): Promise<string> => {
        const args = [script, platform.baseUrl, platform.apiKey, first.directory, file, 'mbox', platform.inboxId]
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        const ended = once(child, 'close')
        let said = ''
        let delivering: Promise<void> | null = null
        for await (const line of createInterface({ input: child.stdout })) {
          said = line
          const [word, done] = line.split(' ')
          if (word !== 'at' || Number(done) === 0) continue
          // What is meant is noted down by now: all of this is new.
          if (isBusy && performance.now() - deliveredAt > DELIVER_EVERY_MS) {
            deliveredAt = performance.now()
            delivering ??= platform
              .deliver({ messageId: `<new-${arrived}@example.com>`, subject: `New ${arrived}`, text: 'New.' })
              .then(() => {
                arrived += 1
                delivering = null
              })
          }
          if (until !== null && Number(done) >= until) child.kill('SIGKILL')
        }
        await delivering
        const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
        expect(signal).toBe(until === null ? null : 'SIGKILL')
        return said
      }
      const readEnd = (said: string): Ended => {
        expect(said).toMatch(/^done /)
        return JSON.parse(said.replace(/^\w+ /, '')) as Ended
      }
      const inWords = ({ p50, p99, p999, max }: Turns): string =>
        `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, p99.9 ${p999.toFixed(1)}, longest ${max.toFixed(1)} ms`
      const describeTurns = ({ works, waits, memory }: Ended): string =>
        `turns ${inWords(works)} of work (with what the machine did else ${inWords(waits)}), ` +
        `${Math.round(memory / 1024 / 1024)} MB of memory, load ${(loadavg()[0] ?? 0).toFixed(1)}`

      const startedAt = performance.now()
      const half = Math.floor(expected.size / 2)
      const cut = await live(path, half)
      expect(Number(cut.split(' ')[1])).toBeGreaterThanOrEqual(half)
      expect(Number(cut.split(' ')[1])).toBeLessThan(expected.size)
      expect((await readdir(folder)).every((name) => name.endsWith('.part'))).toBe(true)
      const beforeEnd = arrived
      expect(beforeEnd).toBeGreaterThan(0)

      const state = readEnd(await live(path, null))
      const seconds = (performance.now() - startedAt) / 1000
      expect(state).toMatchObject({ stage: 'done', done: expected.size, missing: 0, missingThreads: 0, problem: null })
      // Sync went on meanwhile: what had come in before the end was met by the one who went on.
      expect(arrived).toBeGreaterThan(beforeEnd)
      expect(state.inbox).toBeGreaterThanOrEqual(begun + beforeEnd)
      expect(await readdir(folder)).toEqual(['mail.mbox'])

      const messages = await readExported(state)
      expect(messageIds(messages)).toEqual([...expected.keys()].toSorted())
      const originals = new Map<string, string>()
      for (const { headers, raw } of messages) {
        const id = bare(headers.get('message-id'))
        const source = expected.get(id)
        if (source?.direction === 'inbound') {
          originals.set(id, digestOf(source.raw))
          if (digestOf(raw) !== originals.get(id)) throw new Error(`Not as it was put in: ${id}`)
        } else if (headers.get('x-linnet-rebuilt') !== 'yes') throw new Error(`Not marked as rebuilt: ${id}`)
      }
      expect(originals.size).toBeGreaterThan(THREADS / 2)
      if (hasPython) {
        const read = readByPython(state.path)
        expect(read.map(([messageId]) => bare(messageId)).toSorted()).toEqual(messageIds(messages))
        expect(read.every(([, hasSubject, size]) => hasSubject && size > 0)).toBe(true)
        const differing = digestsByPython(state.path).filter(
          ([id, digest]) => originals.has(bare(id)) && originals.get(bare(id)) !== digest,
        )
        expect(differing).toEqual([])
      } else console.log('No python3 on this machine: nothing was asked of its mailbox module.')
      console.log(
        `${THREADS} threads, ${state.done} e-mails, ${Math.round(state.bytes / 1024 / 1024)} MB: ${seconds.toFixed(1)} s ` +
          `with originals that were fetched, killed half-way, ${arrived} e-mails came in meanwhile; ${describeTurns(state)}`,
      )

      const all = await openTestEngine(platform, first.directory)
      await eventually(
        async () => {
          await all.call('sync.now', {})
          return countInbox(all)
        },
        (count) => count === begun + arrived,
      )
      await all.close()
      const againAt = performance.now()
      const again = readEnd(await live(join(folder, 'again.mbox'), null, false))
      expect(again).toMatchObject({ stage: 'done', missing: 0, rebuilt: state.rebuilt })
      expect(again.done).toBe(state.done + arrived)
      console.log(
        `again from this computer: ${((performance.now() - againAt) / 1000).toFixed(1)} s; ${describeTurns(again)}`,
      )
    },
  )
})
