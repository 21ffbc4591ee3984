import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prefetchStartTime, planPrefetch, getUrgentTimeRange } from '../../../../src/engine/sync/plan-prefetch.ts'
import { StorageBudget } from '../../../../src/engine/sync/storage-budget.ts'
import { PREFETCHED_LISTS, type EmailToPrefetch } from '../../../../src/engine/store/prefetch-queue.ts'

const NOW = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000

const emails = fc.array(
  fc.record({
    list: fc.constantFrom(...PREFETCHED_LISTS),
    key: fc.integer({ min: 1, max: 30 }),
    id: fc.uuid(),
    // Whole days, so that many times are equal, on both sides of the two limits of urgency.
    at: fc.integer({ min: -2, max: 60 }).map((days) => NOW - days * DAY_MS),
    onServer: fc.boolean(),
    failures: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 60 },
)
const nameOf = ({ list, key }: EmailToPrefetch): string => `${list} ${key}`
const isUrgent = ({ at }: EmailToPrefetch): boolean => {
  const { from, upTo } = getUrgentTimeRange(NOW)
  return at >= from && at < upTo
}

describe('the plan of e-mails to store', () => {
  it('has each e-mail within the depth once: soon-dropped ones first, then the newest', () => {
    fc.assert(
      fc.property(emails, fc.option(fc.integer({ min: 1, max: 60 })), (given, days) => {
        const planned = planPrefetch(given, { now: NOW, days })
        const wanted = given.filter(({ at }) => days === null || at >= NOW - days * DAY_MS)
        const names = planned.map(nameOf)
        expect(new Set(names).size).toBe(names.length)
        // The last of duplicate rows wins, even if its time lies beyond the depth.
        const last = new Map(given.map((email) => [nameOf(email), email]))
        expect(new Set(names)).toEqual(
          new Set([...last].flatMap(([name, email]) => (wanted.includes(email) ? [name] : []))),
        )
        const urgent = planned.filter(isUrgent)
        const others = planned.filter((email) => !isUrgent(email))
        expect(planned).toEqual([...urgent, ...others])
        expect(urgent.map(({ at }) => at)).toEqual(urgent.map(({ at }) => at).toSorted((a, b) => a - b))
        expect(others.map(({ at }) => at)).toEqual(others.map(({ at }) => at).toSorted((a, b) => b - a))
        for (const [index, email] of planned.entries()) {
          const next = planned[index + 1]
          if (next?.at !== email.at) continue
          expect(PREFETCHED_LISTS.indexOf(email.list)).toBeLessThanOrEqual(PREFETCHED_LISTS.indexOf(next.list))
        }
      }),
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
