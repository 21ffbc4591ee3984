import { describe, expect, it } from 'vitest'
import { processInSlices } from '../../../../src/engine/timing/turns.ts'

const spend = (milliseconds: number): void => {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('work in many turns', () => {
  it('yields after each long step, however quick earlier ones were', async () => {
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const items = Array.from({ length: 400 }, (_, at) => at)
    const slow: { readonly count: number; readonly turn: number }[] = []
    await processInSlices(
      items,
      (some) => {
        if ((some[0] ?? 0) < 300) return
        slow.push({ count: some.length, turn: turns })
        spend(some.length)
      },
      new AbortController().signal,
    )
    isOver = true
    expect(slow.reduce((sum, step) => sum + step.count, 0)).toBe(100)
    expect(Math.max(...slow.map((step) => step.count))).toBeLessThanOrEqual(10)
    // No two of these steps share a turn.
    expect(new Set(slow.map(({ turn }) => turn)).size).toBe(slow.length)
  })
})
