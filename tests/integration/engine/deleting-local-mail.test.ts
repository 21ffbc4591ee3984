import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createFolderQuery, createLocalOnlyQuery } from '../../../src/shared/thread-query.ts'
import { drawPng } from '../../support/drawn-pictures.ts'
import { readThreadCounts } from '../../support/thread-counts.ts'
import { eventually } from './support/eventually.ts'
import { idsOf, searchFor, word } from './support/searches.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const EVERYTHING = { days: null, bytes: null } as const

const deliver = (platform: TestPlatform, subject: string): Promise<void> =>
  platform.deliver({
    subject,
    text: `The ${subject.toLowerCase()} is by the lantern.`,
    attachments: [{ filename: `${subject}.bin`, content: Buffer.from(`${subject} in a file`.repeat(50)) }],
  })

const keptAll = (engine: TestEngine) =>
  eventually(
    () => engine.call('keeping.state', {}),
    ({ left, kept }) => left === 0 && kept > 0,
  )

const openDropped = async (subjects: readonly string[]) => {
  const platform = await startTestPlatform({ retentionDays: 30 })
  const { inboxId } = platform
  for (const subject of subjects) await deliver(platform, subject)
  const engine = await openSettledEngine(platform, undefined, EVERYTHING)
  await keptAll(engine)
  await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
  const received = () => engine.call('receivedEmail.list', { offset: 0, limit: 100 })
  const threads = await eventually(
    async () => {
      await engine.call('sync.now', {})
      return (await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 100 }))
        .items
    },
    (items) => items.length === subjects.length && items.every(({ onServer }) => !onServer),
  )
  const idOf = (subject: string): string => threads.find((thread) => thread.subject === subject)?.id ?? ''
  return { platform, engine, inboxId, idOf, received, threadIds: threads.map(({ id }) => id) }
}

const filesIn = (directory: string): readonly string[] =>
  readdirSync(join(directory, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

/** Row counts of the tables with stored mail. Also expects correct counts of threads. */
const rowsIn = (directory: string): Readonly<Record<string, number>> => {
  const { stored, counted } = readThreadCounts(join(directory, 'cache.sqlite'))
  expect(stored).toEqual(counted)
  const database = new Database(join(directory, 'cache.sqlite'), { readonly: true })
  try {
    const tables = ['threads', 'emails', 'received_emails', 'sent_emails', 'prefetch_queue', 'blobs', 'thread_labels']
    const index = ['search_documents', 'search_threads', 'search_labels']
    return Object.fromEntries(
      [...tables, ...index].map((table) => [
        table,
        database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0,
      ]),
    )
  } finally {
    database.close()
  }
}

describe('mail stored only locally', () => {
  it('is deleted with its texts, index entries and files, and nothing else', async () => {
    const { platform, engine, inboxId, idOf, received } = await openDropped(['Tide', 'Fog', 'Rope'])
    const label = await engine.call('label.create', { inboxId, name: 'Harbour', color: '#E93D82' })
    const both = [idOf('Tide'), idOf('Fog')]
    await engine.call('thread.change', { inboxId, threadIds: both, change: { addLabels: [label.labelId] } })
    await engine.settled()
    const before = filesIn(engine.directory).length
    expect(before).toBeGreaterThanOrEqual(3)

    const chosen = { inboxId, threadIds: both }
    expect(await engine.call('thread.countKept', chosen)).toEqual({ threads: 2, emails: 2, others: 0 })
    expect(await engine.call('thread.deleteKept', chosen)).toEqual({ threads: 2, emails: 2, others: 0 })

    const listed = async (who: TestEngine) => [
      (await who.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 10 })).items.map(
        ({ subject }) => subject,
      ),
      (await who.call('thread.list', { query: createLocalOnlyQuery(inboxId), offset: 0, limit: 10 })).total,
      await idsOf(who, searchFor(inboxId, { text: [word('lantern')], dropped: true })),
    ]
    expect(await listed(engine)).toEqual([['Rope'], 1, [idOf('Rope')]])
    expect((await received()).items.map(({ subject }) => subject)).toEqual(['Rope'])
    expect(await engine.call('keeping.state', {})).toMatchObject({ kept: 1, localOnly: 1, left: 0 })
    const [inbox] = (await engine.call('inbox.list', {})).inboxes
    expect(inbox).toMatchObject({ localOnly: 1, unread: 1 })
    expect(filesIn(engine.directory)).toHaveLength(before / 3)
    expect((await engine.problemOf('thread.open', { inboxId, threadId: idOf('Tide') })).code).toBe('not_found')
    expect(await engine.call('problem.list', {})).toEqual([])

    await engine.call('sync.now', {})
    await engine.close()
    expect(rowsIn(engine.directory)).toEqual({
      ...{ threads: 1, emails: 1, received_emails: 1, sent_emails: 0, prefetch_queue: 2, blobs: 1, thread_labels: 0 },
      ...{ search_documents: 2, search_threads: 2, search_labels: 0 },
    })
    // Deleted text must not remain in the file.
    expect(readFileSync(join(engine.directory, 'cache.sqlite')).includes('The tide is by the lantern')).toBe(false)
    expect(readFileSync(join(engine.directory, 'cache.sqlite')).includes('The rope is by the lantern')).toBe(true)
    const again = await openSettledEngine(platform, engine.directory)
    await again.call('sync.now', {})
    expect(await listed(again)).toEqual([['Rope'], 1, [idOf('Rope')]])
    expect(await again.call('problem.list', {})).toEqual([])
    const { emails } = await again.call('thread.open', { inboxId, threadId: idOf('Rope') })
    const of = { list: 'threads', inboxId, threadId: idOf('Rope'), emailId: emails[0]?.id ?? '' } as const
    const attachmentId = emails[0]?.attachments[0]?.id ?? ''
    expect((await again.link.attachment('test', of, attachmentId)).ok).toBe(true)
  })

  it('is deleted with the files that only its thread uses', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    const { inboxId } = platform
    await platform.deliver({
      subject: 'Chart',
      html: '<p>See <img src="cid:chart@pier.example"></p>',
      attachments: [{ filename: 'chart.png', cid: 'chart@pier.example', content: drawPng(20, 10) }],
    })
    const engine = await openSettledEngine(platform, undefined, EVERYTHING)
    await keptAll(engine)
    const query = createFolderQuery(inboxId, 'inbox')
    const listed = () => engine.call('thread.list', { query, offset: 0, limit: 1 })
    const threadId = (await listed()).items[0]?.id ?? ''
    const { emails } = await engine.call('thread.open', { inboxId, threadId })
    const of = { list: 'threads', inboxId, threadId, emailId: emails[0]?.id ?? '' } as const
    await engine.call('picture.read', { of, url: 'cid:chart@pier.example', isRetry: false })
    // A picture extracted from the raw source has its own key.
    const database = new Database(join(engine.directory, 'cache.sqlite'))
    database
      .prepare(
        `INSERT INTO blobs SELECT 'carried ' || json_array('threads', ?, 'other@pier.example'), digest, bytes, content_type,
         share, fetched_at, used_at FROM blobs LIMIT 1`,
      )
      .run(of.emailId)
    database.close()
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return listed()
      },
      ({ items }) => items[0]?.onServer === false,
    )
    expect(filesIn(engine.directory).length).toBeGreaterThan(0)
    await engine.call('thread.deleteKept', { inboxId, threadIds: [threadId] })
    expect(filesIn(engine.directory)).toEqual([])
    await engine.close()
    expect(rowsIn(engine.directory).blobs).toBe(0)
  })

  it('is deleted by list, sparing mail that the platform has', async () => {
    const { platform, engine, inboxId, idOf } = await openDropped(['Tide', 'Fog'])
    await platform.deliver({ subject: 'New' })
    await engine.call('sync.now', {})
    await engine.settled()
    const inbox = createFolderQuery(inboxId, 'inbox')
    const matching = { query: inbox, upTo: Date.now() + 100 * DAY_MS, except: [idOf('Fog')] }
    expect(await engine.call('thread.countKept', { inboxId, matching })).toEqual({ threads: 1, emails: 1, others: 1 })
    expect(await engine.call('thread.deleteKept', { inboxId, matching })).toEqual({ threads: 1, emails: 1, others: 1 })
    const { items } = await engine.call('thread.list', { query: inbox, offset: 0, limit: 10 })
    expect(items.map(({ subject }) => subject)).toEqual(['New', 'Fog'])
  })

  it('is deleted with its queued changes, offline too', async () => {
    const { platform, engine, inboxId, idOf } = await openDropped(['Tide', 'Fog'])
    const threadIds = [idOf('Tide')]
    const { changeId } = await engine.call('thread.change', { inboxId, threadIds, change: { folder: 'archive' } })
    await platform.stop()
    await engine.call('thread.change', { inboxId, threadIds, change: { read: true } })
    await engine.call('thread.deleteKept', { inboxId, threadIds })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await engine.call('change.undo', { changeId })).toEqual({ undone: false })
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    await eventually(again.status, ({ pendingChanges }) => pendingChanges === 0)
    expect(await again.rollbackNotices()).toEqual([])
    expect((await again.problemOf('thread.open', { inboxId, threadId: threadIds[0] ?? '' })).code).not.toBe('internal')
  })

  it('is deleted from the account’s lists alone, or with its thread', async () => {
    const { engine, platform, inboxId, idOf, received } = await openDropped(['Tide'])
    const [tide] = (await received()).items
    expect((await engine.problemOf('receivedEmail.deleteKept', { id: tide?.id ?? '' })).message).toContain(
      'Delete the thread',
    )
    await platform.deliver({ subject: 'New' })
    await engine.call('sync.now', {})
    await engine.settled()
    const fresh = await eventually(received, ({ items }) => items.length === 2)
    const there = fresh.items.find(({ onServer }) => onServer)?.id ?? ''
    expect((await engine.problemOf('receivedEmail.deleteKept', { id: there })).code).toBe('refused')
    await engine.call('thread.deleteKept', { inboxId, threadIds: [idOf('Tide')] })
    expect((await received()).items.map(({ id }) => id)).toEqual([there])
  })

  it('can be viewed and deleted even without its text', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    const engine = await openTestEngine(platform)
    const { id } = await platform.ask<{ id: string }>('POST', '/emails', {
      from: 'Reports <reports@linnet.example>',
      to: 'ada@example.com',
      subject: 'By the way',
      text: 'Sent automatically.',
    })
    await engine.call('sync.now', {})
    const sent = () => engine.call('sentEmail.list', { offset: 0, limit: 10 })
    await eventually(sent, ({ items }) => items.some((each) => each.id === id))
    expect((await engine.problemOf('sentEmail.deleteKept', { id })).code).toBe('refused')
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
    await eventually(
      () => platform.ask<{ data: readonly unknown[] }>('GET', '/emails?limit=1'),
      ({ data }) => data.length === 0,
    )
    const left = await engine.call('sentEmail.get', { id })
    expect(left).toMatchObject({ isTextLost: true, subject: 'By the way', text: null, html: null, onServer: false })
    await platform.stop()
    expect(await engine.call('sentEmail.get', { id })).toEqual(left)
    await engine.call('sentEmail.deleteKept', { id })
    expect((await sent()).items.map((each) => each.id)).not.toContain(id)
    expect((await engine.problemOf('sentEmail.get', { id })).code).toBe('unreachable')
  })
})
