import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prefetchStartTime, planPrefetch, getUrgentTimeRange } from '../../../../src/engine/sync/plan-prefetch.ts'
import { StorageBudget } from '../../../../src/engine/sync/storage-budget.ts'
import {
  PREFETCHED_LISTS,
  PrefetchQueueStore,
  type EmailToPrefetch,
} from '../../../../src/engine/store/prefetch-queue.ts'
import { cacheSchema } from '../../../../src/engine/store/schema.ts'

const NOW = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000

const emails = fc.uniqueArray(
  fc.record({
    list: fc.constantFrom(...PREFETCHED_LISTS),
    key: fc.integer({ min: 1, max: 30 }),
    // Whole days, so that many times are equal, on both sides of the two limits of urgency.
    at: fc.integer({ min: -2, max: 60 }).map((days) => NOW - days * DAY_MS),
  }),
  { maxLength: 60, selector: ({ list, key }) => `${list} ${key}` },
)
type Email = Pick<EmailToPrefetch, 'list' | 'key' | 'at'>

const nameOf = ({ list, key }: Email): string => `${list} ${key}`
const isUrgent = ({ at }: Email): boolean => {
  const { from, upTo } = getUrgentTimeRange(NOW)
  return at >= from && at < upTo
}

describe('the plan of e-mails to store', () => {
  const database = new Database(':memory:')
  database.exec(cacheSchema.sql)
  const rows = new PrefetchQueueStore(database)
  const insert = database.prepare('INSERT INTO prefetch_queue (list, row_key, id, at) VALUES (?, ?, ?, ?)')

  it('has each e-mail within the depth once: soon-dropped ones first, then the newest', () => {
    fc.assert(
      fc.property(
        emails,
        fc.option(fc.integer({ min: 1, max: 60 })),
        fc.integer({ min: 1, max: 60 }),
        (given, days, limit) => {
          database.exec('DELETE FROM prefetch_queue')
          for (const { list, key, at } of given) insert.run(PREFETCHED_LISTS.indexOf(list), key, `${list} ${key}`, at)
          const whole = planPrefetch(rows, { now: NOW, days }, 60)
          const wanted = given.filter(({ at }) => days === null || at >= NOW - days * DAY_MS)
          expect(whole.map(nameOf).toSorted()).toEqual(wanted.map(nameOf).toSorted())
          const urgent = whole.filter(isUrgent)
          const others = whole.filter((email) => !isUrgent(email))
          expect(whole).toEqual([...urgent, ...others])
          expect(urgent.map(({ at }) => at)).toEqual(urgent.map(({ at }) => at).toSorted((a, b) => a - b))
          expect(others.map(({ at }) => at)).toEqual(others.map(({ at }) => at).toSorted((a, b) => b - a))
          for (const [index, email] of whole.entries()) {
            const next = whole[index + 1]
            if (next?.at !== email.at) continue
            expect(PREFETCHED_LISTS.indexOf(email.list)).toBeLessThanOrEqual(PREFETCHED_LISTS.indexOf(next.list))
          }
          // A shorter plan may leave out others, but never begins with a different e-mail.
          const planned = planPrefetch(rows, { now: NOW, days }, limit)
          expect(planned).toEqual(whole.slice(0, planned.length))
          if (whole.length > 0) expect(planned.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('has no limit when everything is to be stored', () => {
    expect(prefetchStartTime(30, NOW)).toBe(NOW - 30 * DAY_MS)
    expect(prefetchStartTime(null, NOW)).toBeLessThan(0)
  })
})

describe('the disk space for files', () => {
  it('is never overcommitted, whatever is written concurrently', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.array(fc.record({ bytes: fc.nat(400), isWritten: fc.boolean(), isLater: fc.boolean() })),
        (bound, files) => {
          let used = 0
          const budget = new StorageBudget(
            () => bound,
            () => used,
          )
          const later: (() => void)[] = []
          for (const { bytes, isWritten, isLater } of files) {
            const release = budget.take(bytes)
            if (release === null) continue
            const end = (): void => {
              if (isWritten) used += bytes
              release(isWritten)
            }
            if (isLater) later.push(end)
            else end()
            expect(used).toBeLessThanOrEqual(bound)
          }
          for (const end of later) end()
          expect(used).toBeLessThanOrEqual(bound)
          expect(budget.left()).toBe(bound - used)
        },
      ),
    )
  })

  it('is unlimited without a bound', () => {
    const budget = new StorageBudget(
      () => null,
      () => 10,
    )
    expect([budget.left(), budget.take(1e12) === null]).toEqual([Number.POSITIVE_INFINITY, false])
  })
})
