import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { advanceProgress, type ProgressCounts } from '../../../../src/engine/sync/progress.ts'

describe('progress', () => {
  it('never falls back in number or share, and ends when all is done', () => {
    const step = fc.record({ fetched: fc.nat(100), ahead: fc.nat(5000) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 50 }), (steps) => {
        let done = 0
        let shown: ProgressCounts | null = null
        for (const { fetched, ahead } of [...steps, { fetched: 1, ahead: 0 }]) {
          done += fetched
          const next = advanceProgress(shown, done, ahead)
          if (shown !== null) {
            expect(next.done).toBeGreaterThanOrEqual(shown.done)
            expect(next.done * shown.total).toBeGreaterThanOrEqual(shown.done * next.total - shown.total)
          }
          expect(next.done).toBeLessThanOrEqual(next.total)
          shown = next
        }
        expect(shown?.done).toBe(shown?.total)
      }),
    )
  })

  it('starts with the share already done', () => expect(advanceProgress(null, 0, 700)).toEqual({ done: 0, total: 700 }))
})
