import { describe, expect, it } from 'vitest'
import { Restarts } from '../../../src/host/restarts.ts'

/** @returns what is decided after lives of so many seconds, one after the other, each begun when the pause was over */
const decide = (...lives: readonly number[]): readonly (number | null)[] => {
  let now = 0
  const restarts = new Restarts(() => now)
  return lives.map((seconds) => {
    restarts.started()
    now += seconds * 1_000
    const pause = restarts.ended()
    now += pause ?? 0
    return pause
  })
}

describe('what ended without being asked to', () => {
  it('is there again at once after a long life, however often in an hour', () => {
    expect(decide(...Array.from({ length: 100 }, () => 36))).toEqual(Array.from({ length: 100 }, () => 0))
  })

  it('is there again later and later after short ones, and is left alone after five', () => {
    expect(decide(1, 1, 1, 1, 1, 1)).toEqual([0, 250, 500, 1_000, null, null])
  })

  it('begins to be counted anew after a long life', () => {
    expect(decide(1, 1, 1, 1, 5, 1, 1, 1, 1, 1)).toEqual([0, 250, 500, 1_000, 0, 0, 250, 500, 1_000, null])
  })

  it('is left alone where it is started more than sixty times in ten minutes', () => {
    const decided = decide(...Array.from({ length: 61 }, () => 6))
    expect(decided.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 0))
    expect(decided[60]).toBeNull()
  })

  it('is started again where a person wants it', () => {
    const restarts = new Restarts(() => 0)
    for (let count = 0; count < 5; count += 1) restarts.ended()
    expect(restarts.ended()).toBeNull()
    restarts.forgive()
    expect(restarts.ended()).toBe(0)
  })
})
