import Database from 'better-sqlite3'
import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CACHE_FILE_KIND, type Cache } from '../../../../src/engine/store/cache.ts'
import { createBacklog } from '../../../../src/engine/store/backlog.ts'
import { openDatabase } from '../../../../src/engine/store/open-database.ts'
import type { InboxRef } from '../../../../src/engine/store/inboxes.ts'
import { ThreadLists } from '../../../../src/engine/store/thread-lists.ts'
import { FOLDERS } from '../../../../src/shared/model.ts'
import { receivedEmailOf, sentEmailOf, type Words } from '../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'
import { readThreadCounts } from '../../../support/thread-counts.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const now = { askedAt: 0, inSent: false }
const minute = (number: number): string => new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString()
const labelled = (ids: readonly string[]) => ({ labels: ids.map((id) => ({ id })) })

const look = <Value>(file: string, work: (database: Database.Database) => Value): Value => {
  const database = new Database(file, { readonly: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}
/** IDs of a complete list in order, from the rows alone. */
const wholeOf = (file: string, sql: string): readonly string[] =>
  look(file, (database) => database.prepare<[], string>(sql).pluck().all())

/** Threads with the same time keep the platform's order, which the search index stores. */
const IN_ORDER = `ORDER BY threads.received_at DESC,
  coalesce((SELECT place FROM search_threads WHERE thread_key = threads.key), 0), threads.key`
const LISTS = [
  ...FOLDERS.map((folder) => ({
    list: { folder },
    sql: `SELECT id FROM threads WHERE ${folder === 'sent' ? 'in_sent = 1' : `folder = '${folder}'`}
          ${IN_ORDER}`,
  })),
  ...['l1', 'l2'].map((labelId) => ({
    list: { labelId },
    sql: `SELECT id FROM thread_labels JOIN threads ON key = thread_key WHERE label_id = '${labelId}'
          ${IN_ORDER}`,
  })),
]
const UNREAD = "SELECT id FROM threads WHERE read = 0 AND folder = 'inbox'"

const expectTrue = (cache: Cache, inbox: InboxRef, file: string, offsets: readonly number[]): void => {
  const { stored, counted } = readThreadCounts(file)
  expect(stored).toEqual(counted)
  for (const { list, sql } of LISTS) {
    const whole = wholeOf(file, sql)
    expect(cache.threadLists.count(inbox, list)).toBe(whole.length)
    for (const offset of [...offsets, whole.length - 1, whole.length]) {
      const from = Math.max(0, offset)
      const ids = cache.threads.list(inbox, list, { offset: from, limit: 20 }).map(({ id }) => id)
      expect(ids).toEqual(whole.slice(from, from + 20))
    }
  }
  expect(cache.threadLists.countUnread(inbox)).toBe(wholeOf(file, UNREAD).length)
}

const thread = fc.record({
  id: fc.nat(4_000),
  minute: fc.oneof(fc.nat(9_000), fc.nat(3)),
  folder: fc.constantFrom(...FOLDERS),
  read: fc.boolean(),
  labels: fc.subarray(['l1', 'l2']),
})
const page = fc.record({
  threads: fc.array(thread, { minLength: 1, maxLength: 40 }),
  inSent: fc.boolean(),
  /** Outcome of the write: committed, rolled back with its transaction, or failed halfway with the error swallowed. */
  end: fc.constantFrom('kept', 'kept', 'kept', 'taken back', 'failed unseen'),
})
type Page = typeof page extends fc.Arbitrary<infer Of> ? Of : never

const listedOn = ({ threads }: Page) =>
  threads.map(({ id, minute: at, folder, read, labels }) =>
    listedThread(`t${id}`, at, { folder, read, ...labelled(labels) }),
  )

const fill = (cache: Cache, inbox: InboxRef): void => {
  for (const [at, folder] of ['inbox', 'archive', 'trash'].entries()) {
    const rows = Array.from({ length: 1_700 }, (_, row) =>
      listedThread(`t${row * 3 + at}`, row * 5, {
        folder,
        read: row % 3 === 0,
        ...labelled(row % 2 === 0 ? ['l1'] : []),
      }),
    )
    cache.threads.storePage(inbox, rows, { askedAt: 0, inSent: at === 1 })
  }
}

describe('lists and their counts', () => {
  it('match the rows and every window after any writes, committed or rolled back', () => {
    fc.assert(
      fc.property(
        fc.array(page, { maxLength: 6 }),
        fc.array(fc.nat(2_000), { minLength: 3, maxLength: 6 }),
        (pages, offsets) => {
          const { cache, inbox, file } = openTestCache()
          fill(cache, inbox)
          for (const next of pages) {
            const store = () => cache.threads.storePage(inbox, listedOn(next), { askedAt: 0, inSent: next.inSent })
            if (next.end === 'kept') store()
            if (next.end === 'taken back') {
              const write = () =>
                cache.inTransaction(() => {
                  store()
                  throw new Error('The disk is full.')
                })
              expect(write).toThrow('The disk is full.')
            }
            if (next.end === 'failed unseen') {
              const broken = [
                ...listedOn(next),
                { ...listedThread('odd', 1), folder: 7 as unknown as string, id: null as unknown as string },
              ]
              cache.inTransaction(() => {
                expect(() => cache.threads.storePage(inbox, broken, now)).toThrow()
              })
            }
          }
          expectTrue(cache, inbox, file, offsets)
          cache.close()
          const again = openTestCache(file)
          expectTrue(again.cache, again.inbox, file, offsets)
        },
      ),
      { numRuns: process.env.LINNET_TEST_LONG === '1' ? 200 : 12 },
    )
  })

  it('match the account’s lists of e-mails', () => {
    const step = fc.record({
      kind: fc.constantFrom('listed', 'whole', 'taken back'),
      ids: fc.uniqueArray(fc.nat(1_200), { minLength: 1, maxLength: 20 }),
      at: fc.nat(300),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { cache, file } = openTestCache()
        const words = (id: number, at: number): Words => ({ id: `e${id}`, created_at: minute(at) })
        const first = Array.from({ length: 1_100 }, (_, id) => words(id, id % 500))
        const store = (all: readonly Words[]): void => {
          cache.receivedEmails.storePage(all.map(receivedEmailOf))
          cache.sentEmails.storePage(all.map(sentEmailOf))
        }
        store(first)
        for (const { kind, ids, at } of steps) {
          const all = ids.map((id) => words(id, at))
          if (kind === 'listed') store(all)
          if (kind === 'whole') for (const each of all) cache.receivedEmails.storeWhole(receivedEmailOf(each))
          if (kind !== 'taken back') continue
          const write = () =>
            cache.inTransaction(() => {
              store(all)
              throw new Error('The disk is full.')
            })
          expect(write).toThrow('The disk is full.')
        }
        const lists = [
          [cache.receivedEmails, 'received_emails'],
          [cache.sentEmails, 'sent_emails'],
        ] as const
        for (const [list, table] of lists) {
          const whole = wholeOf(file, `SELECT id FROM ${table} ORDER BY created_at DESC, key DESC`)
          expect(list.count()).toBe(whole.length)
          for (const offset of [0, 511, 512, 777, whole.length].filter((from) => from <= whole.length)) {
            expect(list.list({ offset, limit: 9 }).map(({ id }) => id)).toEqual(whole.slice(offset, offset + 9))
          }
        }
      }),
      { numRuns: 12 },
    )
  })

  it('stay right while thousands of threads get and lose the same time', () => {
    const { cache, inbox, file } = openTestCache()
    const many = Array.from({ length: 3_000 }, (_, row) => `t${row}`)
    const store = (at: (row: number) => number): void => {
      for (let from = 0; from < many.length; from += 100) {
        const rows = many.slice(from, from + 100).map((id, row) => listedThread(id, at(from + row)))
        cache.threads.storePage(inbox, rows, now)
      }
    }
    store(() => 5)
    expectTrue(cache, inbox, file, [0, 600, 2_500])
    store((row) => row)
    expectTrue(cache, inbox, file, [0, 600, 2_500])
  })

  it('are rebuilt if they don’t match the rows', () => {
    const file = join(temporaryDirectory(), 'cache.sqlite')
    const written = openDatabase(file, CACHE_FILE_KIND)
    written.database.exec(`
      INSERT INTO inboxes (key, id, position, on_server, wire) VALUES (1, 'inbox-1', 0, 1, '{"id":"inbox-1"}');
      WITH RECURSIVE n (row) AS (SELECT 0 UNION ALL SELECT row + 1 FROM n WHERE row < 2999)
      INSERT INTO threads
        (inbox_key, id, received_at, listed_at, folder, read, label_ids, has_outbound, in_sent, on_server, wire)
      SELECT 1, 't' || row, row / 2, row / 2, iif(row % 3, 'inbox', 'archive'), row % 2, '["l1"]', row % 5 = 0, row % 5 = 0, 1,
        '{"id":"t' || row || '"}' FROM n;
    `)
    written.close()

    const first = openTestCache(file)
    expectTrue(first.cache, first.inbox, file, [0, 511, 700, 1_500])
    expect(first.cache.backlog.count(first.inbox.key, 0)).toBe(3_000)
    expect(first.cache.backlog.count(first.inbox.key, 1_001)).toBe(998)
    first.cache.close()

    for (const damage of ['UPDATE thread_counts SET threads = threads + 7', 'DELETE FROM thread_counts']) {
      const other = new Database(file)
      other.exec(damage)
      other.close()
      const { stored, counted } = readThreadCounts(file)
      expect(stored).not.toEqual(counted)
      const again = openTestCache(file)
      expectTrue(again.cache, again.inbox, file, [0, 511, 700, 1_500])
      again.cache.close()
    }
  })

  it('read only indexes to count, to skip rows and to find times', () => {
    const { database, close } = openDatabase(join(temporaryDirectory(), 'cache.sqlite'), CACHE_FILE_KIND)
    onTestFinished(() => close())
    const prepared: string[] = []
    const prepare = database.prepare.bind(database)
    Object.assign(database, {
      prepare: (sql: string) => {
        prepared.push(sql)
        return prepare(sql)
      },
    })
    const lists = new ThreadLists(database)
    const backlog = createBacklog(database)
    expect(lists.countUnread({ key: 1, id: 'inbox-1' })).toBe(0)
    expect(backlog.count(1, 0)).toBe(0)
    const counting = prepared.filter((sql) => /count\(\*\)|sum\(threads\)|^SELECT listed_at/.test(sql))
    // Seven lists with four statements each, two unread counts, and two counts of the backlog.
    expect(counting).toHaveLength(32)
    for (const sql of counting) {
      const plan = database
        .prepare<object[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, '1')}`)
        .all()
        .map(({ detail }) => detail)
      expect(plan.filter((step) => !/^SEARCH .*(?:COVERING INDEX|PRIMARY KEY)/.test(step))).toEqual([])
    }
  })
})
