import { describe, expect, it } from 'vitest'
import { RestartPolicy } from '../../../src/host/restart-policy.ts'

/** @returns the restart decisions after consecutive runs of these lengths in seconds, each started after the pause */
const decide = (...lives: readonly number[]): readonly (number | null)[] => {
  let now = 0
  const restarts = new RestartPolicy(() => now)
  return lives.map((seconds) => {
    restarts.started()
    now += seconds * 1_000
    const pause = restarts.recordCrash()
    now += pause ?? 0
    return pause
  })
}

describe('a process that ended unexpectedly', () => {
  it('restarts at once after a long life, however often in an hour', () => {
    expect(decide(...Array.from({ length: 100 }, () => 36))).toEqual(Array.from({ length: 100 }, () => 0))
  })

  it('restarts more and more slowly after short lives, and stops after five', () => {
    expect(decide(1, 1, 1, 1, 1, 1)).toEqual([0, 250, 500, 1_000, null, null])
  })

  it('is counted afresh after a long life', () => {
    expect(decide(1, 1, 1, 1, 5, 1, 1, 1, 1, 1)).toEqual([0, 250, 500, 1_000, 0, 0, 250, 500, 1_000, null])
  })

  it('stops after more than sixty starts in ten minutes', () => {
    const decided = decide(...Array.from({ length: 61 }, () => 6))
    expect(decided.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 0))
    expect(decided[60]).toBeNull()
  })

  it('restarts on request', () => {
    const restarts = new RestartPolicy(() => 0)
    for (let count = 0; count < 5; count += 1) restarts.recordCrash()
    expect(restarts.recordCrash()).toBeNull()
    restarts.forgive()
    expect(restarts.recordCrash()).toBe(0)
  })
})
