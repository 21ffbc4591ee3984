import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { expectOk, openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERYTHING = { days: null, bytes: null } as const

const keptAll = (engine: TestEngine) =>
  eventually(
    () => engine.call('keeping.state', {}),
    ({ left, kept }) => left === 0 && kept > 0,
  )

const openKept = async (subjects: readonly string[]) => {
  const platform = await startTestPlatform({ retentionDays: 30 })
  for (const subject of subjects) {
    await platform.deliver({
      subject,
      text: `About ${subject}.`,
      attachments: [{ filename: `${subject}.bin`, content: Buffer.from(`${subject} in a file`.repeat(40)) }],
    })
  }
  const engine = await openSettledEngine(platform, undefined, EVERYTHING)
  await keptAll(engine)
  return { platform, engine, inboxId: platform.inboxId }
}

const dropAll = async (platform: TestPlatform, engine: TestEngine): Promise<void> => {
  await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
  await eventually(
    async () => {
      await engine.call('sync.now', {})
      return engine.call('thread.list', { query: createFolderQuery(platform.inboxId, 'inbox'), offset: 0, limit: 100 })
    },
    ({ items }) => items.length > 0 && items.every(({ onServer }) => !onServer),
  )
}

const readAll = async (engine: TestEngine, inboxId: string) => {
  const whole = []
  for (const folder of ['inbox', 'archive', 'trash'] as const) {
    const { items } = await engine.call('thread.list', {
      query: createFolderQuery(inboxId, folder),
      offset: 0,
      limit: 100,
    })
    for (const { id: threadId, subject, read, labels, onServer } of items) {
      const { emails } = await engine.call('thread.open', { inboxId, threadId })
      for (const email of emails) {
        const of: BodyOwner = { list: 'threads', inboxId, threadId, emailId: email.id }
        const file = expectOk(await engine.link.attachment('test', of, email.attachments[0]?.id ?? ''))
        const original = expectOk(await engine.link.original('test', of))
        whole.push({
          ...{ folder, subject, read, onServer, labels: labels.map(({ name }) => name), text: email.text },
          file: Buffer.from(file.content).toString().slice(0, 20),
          original: original.content.byteLength,
        })
      }
    }
  }
  return whole
}

const onePage = 4096

describe('kept mail in a damaged cache', () => {
  it.each([
    ['its first page is noise', (bytes: Buffer) => bytes.fill(0x5a, 0, onePage)],
    ['its header is overwritten', (bytes: Buffer) => bytes.fill(0x5a, 0, 60)],
  ])('is fully recovered with its files and folders: %s', async (_what, damage) => {
    const { platform, engine, inboxId } = await openKept(['Tide', 'Fog', 'Rope'])
    const label = await platform.ask<{ id: string }>('POST', `/inboxes/${inboxId}/labels`, { name: 'Harbour' })
    await engine.call('sync.now', {})
    await eventually(
      () => engine.call('label.list', { inboxId }),
      (labels) => labels.length === 1,
    )
    await dropAll(platform, engine)
    const { items } = await engine.call('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: 9,
    })
    const [first, second] = items.map(({ id }) => id)
    const change = (threadId: string | undefined, wanted: Record<string, unknown>) =>
      engine.call('thread.change', { inboxId, threadIds: [threadId ?? ''], change: wanted })
    await change(first, { folder: 'archive', read: true, addLabels: [label.id] })
    await change(second, { folder: 'trash' })
    await engine.settled()
    const before = await readAll(engine, inboxId)
    const sum = await engine.call('keeping.state', {})
    expect(before).toHaveLength(3)
    await engine.close()

    const file = join(engine.directory, 'cache.sqlite')
    const bytes = readFileSync(file)
    damage(bytes)
    writeFileSync(file, bytes)
    // Mail that is only stored locally is recovered without requests to the platform.
    const again = await openTestEngine(platform, engine.directory, EVERYTHING)
    const after = await eventually(
      () => readAll(again, inboxId).catch(() => []),
      (all) => all.length === 3,
    )
    await again.settled()
    await keptAll(again)
    expect(await readAll(again, inboxId)).toEqual(before)
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toEqual(['cache-damaged'])
    expect(await again.call('keeping.state', {})).toMatchObject({
      localOnly: sum.localOnly,
      kept: sum.kept,
      lost: 0,
      fileBytes: sum.fileBytes,
    })
  })

  it('stays deleted if it was, although the old cache is read again', async () => {
    const { platform, engine, inboxId } = await openKept(['Tide', 'Fog'])
    await dropAll(platform, engine)
    await engine.close()
    const file = join(engine.directory, 'cache.sqlite')
    const bytes = readFileSync(file)
    bytes.fill(0x5a, 0, onePage)
    writeFileSync(file, bytes)
    const again = await openTestEngine(platform, engine.directory, EVERYTHING)
    const listed = () =>
      again
        .call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 9 })
        .catch(() => ({ items: [] }))
    const { items } = await eventually(listed, (page) => page.items.length === 2)
    const { id: deleted } = items[0] ?? { id: '' }
    await again.settled()
    await again.call('thread.deleteKept', { inboxId, threadIds: [deleted] })
    await again.close()
    // Leave the files as a crash while moving mail would.
    const { openCache } = await import('../../../src/engine/store/cache.ts')
    const aside = readdirSync(engine.directory).find(
      (name) => /^cache\..*set-aside/.test(name) && name.endsWith('sqlite'),
    )
    const { cache } = openCache(file, {
      threads: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
      topics: () => new Map(),
    })
    expect(aside).toBeDefined()
    cache.accountMeta.set('salvage', aside ?? '')
    cache.close()
    const third = await openTestEngine(platform, engine.directory, EVERYTHING)
    const reader = new Database(file, { readonly: true })
    onTestFinished(() => void reader.close())
    const isMoved = reader.prepare<[], string>("SELECT value FROM account_meta WHERE name = 'salvage'").pluck()
    await eventually(
      () => Promise.resolve(isMoved.get()),
      (name) => name === '',
    )
    await third.settled()
    const left = await third.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 9 })
    expect(left.items.map(({ id }) => id)).toEqual(items.slice(1).map(({ id }) => id))
  })
})

describe('a damaged file of kept mail', () => {
  it('is fetched again automatically if the platform has its e-mail', async () => {
    const { platform, engine, inboxId } = await openKept(['Tide'])
    const { items } = await engine.call('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: 1,
    })
    const threadId = items[0]?.id ?? ''
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    const of: BodyOwner = { list: 'threads', inboxId, threadId, emailId: emails[0]?.id ?? '' }
    const sum = await engine.call('keeping.state', {})
    const files = readdirSync(join(engine.directory, 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) rmSync(file)
    expect((await engine.call('attachment.list', { of })).problem).toBe(null)
    await engine.call('sync.now', {})
    await eventually(
      () => engine.call('keeping.state', {}),
      ({ left, kept, fileBytes }) => left === 0 && kept === sum.kept && fileBytes === sum.fileBytes,
    )
    await platform.stop()
    expect(expectOk(await engine.link.original('test', of)).content.byteLength).toBeGreaterThan(100)
    expect(await engine.call('problem.list', {})).toEqual([])
  })
})
