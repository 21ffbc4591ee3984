import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pollToWatermark, computeWatermark, type Watermark } from '../../../../src/engine/sync/sync-watermark.ts'
import type { TimedRow } from '../../../../src/engine/sync/crawl-page.ts'

const NOW = Date.UTC(2026, 5, 1)
const HOUR = 60 * 60_000

const listOf = (rows: readonly TimedRow[]): readonly TimedRow[] =>
  [...rows].sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))

/** Checks a list for changes, in pages of 25, then 100; counts the pages. */
const poll = async (list: readonly TimedRow[], ground: Watermark | null) => {
  let pages = 0
  const seen = await pollToWatermark(ground, (after) => {
    pages += 1
    const start = after === undefined ? 0 : list.findIndex(({ id }) => id === after) + 1
    const rows = list.slice(start, start + (after === undefined && ground !== null ? 25 : 100))
    return Promise.resolve({ rows, hasMore: start + rows.length < list.length })
  })
  return { seen: seen ?? [], pages }
}

const rows = (count: number, newest: number, name: string): readonly TimedRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, time: newest - index * 1000 }))

describe('a check for new items', () => {
  it('costs one page if nothing is new', async () => {
    const list = listOf(rows(1_000, NOW - HOUR, 'old'))
    const { seen } = await poll(list, null)
    expect((await poll(list, computeWatermark(null, seen, NOW))).pages).toBe(1)
  })

  it('finds 300 new rows below one dated years ahead', async () => {
    const old = [{ id: 'future', time: NOW + 1_000 * 24 * HOUR }, ...rows(1_000, NOW - HOUR, 'old')]
    const ground = computeWatermark(null, (await poll(listOf(old), null)).seen, NOW)
    const fresh = rows(300, NOW, 'new')
    const { seen, pages } = await poll(listOf([...old, ...fresh]), ground)
    expect(seen.filter(({ id }) => id.startsWith('new'))).toHaveLength(300)
    expect(pages).toBeLessThanOrEqual(5)
  })

  it('finds everything new, whatever is dated ahead, vanishes or moves to the top', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 0, max: 60 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 4 }),
        fc.array(fc.nat(299), { maxLength: 120 }),
        async (oldCount, futureCount, arrivals, vanished) => {
          const gone = new Set(vanished.map((index) => `old${index}`))
          let list = listOf([
            ...rows(oldCount, NOW - HOUR, 'old'),
            ...rows(futureCount, NOW + 90 * 24 * HOUR, 'future'),
          ])
          let now = NOW
          let ground = computeWatermark(null, (await poll(list, null)).seen, now)
          for (const [turn, count] of arrivals.entries()) {
            now += HOUR
            const fresh = rows(count, now, `new${turn}-`)
            list = listOf([...list.filter(({ id }) => !gone.has(id)), ...fresh])
            const { seen } = await poll(list, ground)
            const ids = new Set(seen.map(({ id }) => id))
            expect(fresh.filter(({ id }) => !ids.has(id))).toEqual([])
            ground = computeWatermark(ground, seen, now)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('ends on an endless list', async () => {
    const page = rows(25, NOW, 'same')
    let pages = 0
    await pollToWatermark({ rows: [{ id: 'never met', time: 1 }], needed: 1, lowest: 1 }, () => {
      pages += 1
      return Promise.resolve({ rows: page, hasMore: true })
    })
    expect(pages).toBeLessThanOrEqual(2)
  })

  it('keeps its watermark if a faulty response has no time', () => {
    const ground: Watermark = { rows: [{ id: 'a', time: 5 }], needed: 1, lowest: 5 }
    expect(computeWatermark(ground, [{ id: 'b', time: 0 }], NOW)).toBe(ground)
  })
})
