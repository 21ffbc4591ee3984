import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_LIST_PROGRESS } from '../../../../src/engine/store/list-progress.ts'
import { toCrawledPage, type TimedRow } from '../../../../src/engine/sync/crawl-page.ts'

/** Crawls a platform list page by page. @returns cached rows missing from it */
const missingFrom = (listed: readonly TimedRow[], cached: readonly TimedRow[], pageSize: number): readonly string[] => {
  const missing: string[] = []
  let crawl = NO_LIST_PROGRESS
  for (let start = 0; crawl.rounds === 0; start += pageSize) {
    const { next, covers, met } = toCrawledPage(
      crawl,
      listed.slice(start, start + pageSize),
      start + pageSize < listed.length,
    )
    for (const { id, time } of cached) {
      if (time > covers.after && time <= covers.upTo && !met.has(id)) missing.push(id)
    }
    crawl = next
  }
  return missing
}

describe('crawling a list', () => {
  it('finds exactly what left the list in one walk, even with equal times', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ time: fc.integer({ min: 1, max: 12 }), gone: fc.boolean() }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 7 }),
        (rows, pageSize) => {
          const cached = rows
            .map(({ time, gone }, index) => ({ id: String(index), time, gone }))
            .sort((a, b) => b.time - a.time)
          const listed = cached.filter(({ gone }) => !gone)
          const expected = cached.filter(({ gone }) => gone).map(({ id }) => id)
          expect([...missingFrom(listed, cached, pageSize)].sort()).toEqual(expected.sort())
        },
      ),
    )
  })

  it('remembers its position, and how often it reached the end', () => {
    const rows = [
      { id: 'a', time: 3 },
      { id: 'b', time: 2 },
    ]
    const { next } = toCrawledPage(NO_LIST_PROGRESS, rows, true)
    expect(next).toEqual({ cursor: 'b', cursorTime: 2, cursorTies: ['b'], rounds: 0 })
    expect(toCrawledPage(next, [{ id: 'c', time: 2 }], true).next.cursorTies).toEqual(['b', 'c'])
    expect(toCrawledPage(next, [], false).next).toEqual({ cursor: null, cursorTime: null, cursorTies: [], rounds: 1 })
  })
})
