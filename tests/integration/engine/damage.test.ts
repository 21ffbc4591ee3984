import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Thread } from '../../../src/shared/model.ts'
import { expectCacheEqualsPlatform, listInCache } from './support/compare-with-platform.ts'
import { CERTAIN_HARM, damage } from './support/damage.ts'
import { eventually } from './support/eventually.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { folderQuery } from '../../../src/shared/thread-query.ts'

/** Damages of each file; 100 are meant, and asked for by `DAMAGES=100`. */
const COUNT = Number(process.env.DAMAGES ?? 15)
/** Another start gives other damages: `DAMAGE_SEED=7`. */
const SEED = Number(process.env.DAMAGE_SEED ?? 1) * 1100

/** A file that is set aside is read for what can be kept of it before anything is fetched, which a busy machine takes long for. */
const PATIENCE_MS = 300_000

const fetched = (engine: TestEngine) =>
  eventually(
    engine.status,
    ({ progress, lastSyncAt, connection }) => progress === null && lastSyncAt !== null && connection === 'online',
    PATIENCE_MS,
  )

/** The files of an account as they lie on the disk: closed well, or as a sudden end leaves them. */
const filesOf = async (engine: TestEngine, isEndedSuddenly: boolean): Promise<string> => {
  const kept = temporaryDirectory()
  if (!isEndedSuddenly) await engine.close()
  cpSync(engine.directory, kept, { recursive: true })
  if (isEndedSuddenly) await engine.close()
  return kept
}

/** The subjects and texts of every e-mail in the cache. */
const conversations = async (engine: TestEngine, inboxId: string) => {
  const threads: Thread[] = []
  for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
    threads.push(...(await listInCache(engine, inboxId, folder)))
  }
  const opened = []
  for (const { id } of threads.sort((a, b) => (a.id < b.id ? -1 : 1))) {
    // A thread whose only e-mail was hit, and which the platform has no more, has nothing to show.
    const { emails } = await engine.call('thread.open', { inboxId, threadId: id }).catch((thrown: unknown) => {
      if (!String(thrown).includes('Linnet has no copy')) throw thrown
      return { emails: [] }
    })
    opened.push({ id, emails: emails.map(({ subject, text, html, from }) => ({ subject, text, html, from })) })
  }
  return opened
}

/** Nothing yet, where a cache that was made anew waits for its inbox. */
const untilTheInboxIsHere = (thrown: unknown): null => {
  if (!String(thrown).includes('There is no such inbox')) throw thrown
  return null
}

describe('a cache that is damaged at random', () => {
  const open = async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 60, seed: 5 } })
    const engine = await openTestEngine(platform)
    await engine.settled()
    return { platform, engine, expected: await conversations(engine, platform.inboxId) }
  }

  it.each([false, true])(
    'opens every time, says what happened, and equals the platform again (ended suddenly: %s)',
    async (isEndedSuddenly) => {
      const { platform, engine, expected } = await open()
      const files = await filesOf(engine, isEndedSuddenly)
      for (let seed = SEED; seed < SEED + COUNT; seed += 1) {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, 'cache.sqlite'), seed)
        const context = `seed ${seed}: ${what}`
        try {
          const again = await openTestEngine(platform, directory)
          for (const folder of ['inbox', 'archive', 'sent', 'spam', 'trash'] as const) {
            await again
              .call('thread.list', { query: folderQuery(platform.inboxId, folder), offset: 0, limit: 200 })
              .catch(() => null)
          }
          await fetched(again)
          await again.call('sync.now', {})
          await fetched(again)
          // To read all of it may be what meets the damage: the cache is made anew then, and its inbox has to come again.
          await eventually(
            async () => {
              const found = await conversations(again, platform.inboxId).catch(untilTheInboxIsHere)
              return JSON.stringify(found) === JSON.stringify(expected)
            },
            (isSame) => isSame,
          )
          await fetched(again)
          await expectCacheEqualsPlatform(again, platform)
          const problems = await again.call('problem.list', {})
          if (CERTAIN_HARM.includes(what)) expect(problems).not.toEqual([])
          const isSetAside = readdirSync(directory).some((name) => name.includes('set-aside'))
          if (isSetAside) expect(problems.map(({ id }) => id)).toContain('cache-damaged')
          await again.close()
        } catch (thrown) {
          throw new Error(`${context}: ${String(thrown)}`, { cause: thrown })
        }
      }
    },
    PATIENCE_MS + COUNT * 20_000,
  )
})

describe('a cache that turns out to be damaged while it is in use', () => {
  const FOLDERS = ['inbox', 'archive', 'sent', 'spam', 'trash'] as const

  it('is set aside and made anew without a restart, and the question that met the damage is answered', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 300, seed: 5 } })
    const { inboxId } = platform
    const engine = await openTestEngine(platform)
    await engine.settled()
    await engine.close()
    const file = join(engine.directory, 'cache.sqlite')
    const again = await openTestEngine(platform, engine.directory)
    // What another connection writes has the engine's forget the pages that it holds in memory.
    const other = new Database(file)
    other.exec("INSERT INTO facts (name, value) VALUES ('another', 'program')")
    other.pragma('wal_checkpoint(TRUNCATE)')
    other.close()
    const bytes = readFileSync(file)
    for (let page = 1; page < bytes.length / 4096; page += 1) bytes.fill(0xff, page * 4096, page * 4096 + 4096)
    writeFileSync(file, bytes)
    for (const folder of FOLDERS) {
      const { total } = await again
        .call('thread.list', { query: folderQuery(inboxId, folder), offset: 0, limit: 50 })
        .catch((thrown: unknown) => {
          // The inbox itself may have to be fetched first.
          if (!String(thrown).includes('There is no such inbox')) throw thrown
          return { total: 0 }
        })
      expect(total).toBeGreaterThanOrEqual(0)
    }
    expect(await again.call('problem.list', {})).toMatchObject([{ id: 'cache-damaged' }])
    await fetched(again)
    await eventually(
      () => again.call('inbox.list', {}),
      ({ inboxes }) => inboxes.length === 1,
    )
    await again.settled()
    await expectCacheEqualsPlatform(again, platform)
  })

  it('mends a row whose words are broken: it is readable at once, and whole when the platform was asked', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 5 } })
    const { inboxId } = platform
    const engine = await openTestEngine(platform)
    await engine.settled()
    const expected = await conversations(engine, inboxId)
    await engine.close()
    const database = new Database(join(engine.directory, 'cache.sqlite'))
    database.exec(`
      UPDATE threads SET wire = '{"id":7,' || substr(wire, 9) WHERE key % 3 = 0;
      UPDATE threads SET wire = '[]', label_ids = 'no list' WHERE key % 3 = 1;
      UPDATE emails SET wire = substr(wire, 1, 40) WHERE key % 2 = 0;
      UPDATE inboxes SET wire = 'null';
      UPDATE contacts SET wire = '{}';
      UPDATE received_emails SET wire = 'x';
      UPDATE walks SET cursor_ties = '{';
      UPDATE facts SET value = 'never' WHERE name LIKE 'looked%';
    `)
    database.close()
    const again = await openTestEngine(platform, engine.directory)
    const { items } = await again.call('thread.list', { query: folderQuery(inboxId, 'inbox'), offset: 0, limit: 200 })
    expect(items.length).toBeGreaterThan(0)
    await again.settled()
    await eventually(
      async () => JSON.stringify(await conversations(again, inboxId)) === JSON.stringify(expected),
      (isSame) => isSame,
    )
    await again.call('sync.now', {})
    await expectCacheEqualsPlatform(again, platform)
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toEqual(['rows-damaged'])
    const { items: received } = await again.call('receivedEmail.list', { offset: 0, limit: 200 })
    for (const { id } of received) await again.call('receivedEmail.get', { id })
  })

  it.each([
    [
      'a page and the header',
      (bytes: Buffer) => {
        const middle = Math.floor(bytes.length / 4096 / 2) * 4096
        bytes.fill(0, middle, middle + 4096)
        bytes.writeUInt32BE(0xdead_beef, 24)
        bytes.writeUInt8(9, 18)
      },
    ],
    ['the whole first page', (bytes: Buffer) => bytes.fill(0, 0, 4096)],
    ['the schema', (bytes: Buffer) => bytes.fill(0xff, 100, 4096)],
  ])('keeps mail that the platform has dropped, as far as it can be read: without %s', async (_what, spoil) => {
    const platform = await startTestPlatform({}, { generate: { threads: 200, seed: 5 } })
    const { inboxId } = platform
    const engine = await openTestEngine(platform)
    await engine.settled()
    const expected = await conversations(engine, inboxId)
    await engine.close()
    // The same platform without its mail: nothing of it can be fetched again.
    const { port } = new URL(platform.baseUrl)
    await platform.stop()
    const empty = await startTestPlatform({}, { port: Number(port), apiKey: platform.apiKey })
    const file = join(engine.directory, 'cache.sqlite')
    const bytes = readFileSync(file)
    spoil(bytes)
    writeFileSync(file, bytes)
    const again = await openTestEngine(empty, engine.directory)
    await fetched(again)
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toContain('cache-damaged')
    const kept = await conversations(again, inboxId)
    const wholeBefore = new Map(expected.map(({ id, emails }) => [id, JSON.stringify(emails)]))
    const whole = kept.filter(({ id, emails }) => wholeBefore.get(id) === JSON.stringify(emails))
    expect(whole.length).toBeGreaterThan(expected.length * 0.8)
  })
})

describe('an outbox that is damaged at random', () => {
  const PENDING = 6

  const openWithChanges = async (): Promise<{ platform: TestPlatform; engine: TestEngine }> => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 5 } })
    const engine = await openTestEngine(platform)
    await engine.settled()
    const { inboxId } = platform
    await platform.fault({ kind: 'error_500', method: 'PATCH' })
    const { items } = await engine.call('thread.list', {
      query: folderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: PENDING,
    })
    expect(items).toHaveLength(PENDING)
    for (const { id, read } of items) {
      await engine.call('thread.change', { inboxId, threadIds: [id], change: { read: !read } })
    }
    return { platform, engine }
  }

  it.each([
    ['outbox.sqlite', false],
    ['outbox.sqlite', true],
    ['outbox-second.sqlite', false],
    ['outbox-second.sqlite', true],
  ])(
    'loses no change, whatever happens to one of its files (%s, ended suddenly: %s)',
    async (name, isEndedSuddenly) => {
      const { platform, engine } = await openWithChanges()
      const files = await filesOf(engine, isEndedSuddenly)
      for (let seed = SEED; seed < SEED + COUNT; seed += 1) {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, name), seed)
        try {
          const again = await openTestEngine(platform, directory)
          expect(await again.status()).toMatchObject({ pendingChanges: PENDING })
          const problems = await again.call('problem.list', {})
          if (CERTAIN_HARM.includes(what)) {
            expect(problems).toMatchObject([{ message: expect.stringContaining('nothing is lost') as string }])
          }
          await again.close()
        } catch (thrown) {
          throw new Error(`seed ${seed}: ${what}: ${String(thrown)}`, { cause: thrown })
        }
      }
    },
    PATIENCE_MS + COUNT * 20_000,
  )

  it(
    'keeps or tells of every change where both files are damaged at once',
    async () => {
      const { platform, engine } = await openWithChanges()
      const files = await filesOf(engine, true)
      for (let seed = SEED; seed < SEED + COUNT; seed += 1) {
        const directory = temporaryDirectory()
        cpSync(files, directory, { recursive: true })
        const what = damage(join(directory, 'outbox.sqlite'), seed)
        damage(join(directory, 'outbox-second.sqlite'), seed)
        try {
          const again = await openTestEngine(platform, directory)
          const { pendingChanges } = await again.status()
          const told = (await again.call('problem.list', {})).map(({ message }) => message)
          if (pendingChanges !== PENDING) expect(told).toEqual([expect.stringContaining('may be missing')])
          await again.close()
        } catch (thrown) {
          throw new Error(`seed ${seed}: ${what}: ${String(thrown)}`, { cause: thrown })
        }
      }
    },
    PATIENCE_MS + COUNT * 20_000,
  )
})
