import Database from 'better-sqlite3'
import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTestCache, listedThread } from '../../support/open-test-cache.ts'
import { temporaryDirectory } from '../../../../support/temporary-directory.ts'

interface Block {
  readonly key: number
  readonly place: number
  readonly room: number
  readonly time: number
}

/** Times within a few milliseconds, some far apart, and some absurd. */
const moment = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 12 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 4_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1_700_000_000_000, 3_000_000_000_000, 6_000_000_000_000) },
)
const page = fc.array(fc.record({ thread: fc.integer({ min: 0, max: 60 }), moment }), { maxLength: 40 })
const pages = fc.array(fc.record({ page, isInOrder: fc.boolean() }), { minLength: 1, maxLength: 8 })

const START = Date.UTC(2026, 0, 1)

describe('thread positions', () => {
  it('follow their times without overlapping, however pages arrive', () => {
    fc.assert(
      fc.property(pages, (all) => {
        const file = join(temporaryDirectory(), 'cache.sqlite')
        const { cache, inbox } = openTestCache(file)
        for (const { page: rows, isInOrder } of all) {
          const listed = isInOrder ? rows.toSorted((one, other) => other.moment - one.moment) : rows
          cache.threads.storePage(
            inbox,
            listed.map(({ thread, moment: at }) =>
              listedThread(`t${thread}`, 0, { received_at: new Date(START + at).toISOString() }),
            ),
            { askedAt: 0, inSent: false },
          )
        }
        cache.close()
        const database = new Database(file, { readonly: true })
        const blocks = database
          .prepare<[], Block>('SELECT thread_key AS key, place, room, time FROM search_threads ORDER BY place')
          .all()
        const threads = database.prepare<[], number>('SELECT count(*) FROM threads').pluck().get()
        database.close()
        expect(blocks).toHaveLength(threads ?? 0)
        blocks.forEach((block, at) => {
          const next = blocks[at + 1]
          expect(block.room).toBeGreaterThan(0)
          if (next === undefined) return
          expect(block.place + block.room).toBeLessThanOrEqual(next.place)
          expect(block.time).toBeGreaterThanOrEqual(next.time)
        })
      }),
      { numRuns: 150 },
    )
  })
})
