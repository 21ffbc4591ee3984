import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../src/engine/timing/clock.ts'

export interface SteppedClock extends Clock {
  /**
   * Advances from one due timer to the next, firing each at its own time; callbacks may set more. Network responses
   * still take real time: code that waits for one continues after this call.
   */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Jumps ahead, as after the computer slept: timers due by then fire late. */
  readonly skip: (milliseconds: number) => Promise<void>
}

interface Timer {
  readonly due: number
  readonly callback: () => void
}

/** Number of turns within which follow-ups without network access happen at the timer's own time. */
const TURNS = 3
const LONGEST_DELAY_MS = 2 ** 31 - 1

/** @param startsAt wall time, epoch milliseconds @param real clock that drives it; null to stand still */
const createClock = (startsAt: number, real: (() => number) | null): SteppedClock => {
  const begun = real?.() ?? 0
  let pushed = 0
  const timers = new Set<Timer>()
  let alarm: ReturnType<typeof setTimeout> | undefined

  const elapsed = (): number => pushed + (real === null ? 0 : real() - begun)
  const next = (upTo: number): Timer | undefined => {
    // The timer set first fires first among those due at the same time.
    let first: Timer | undefined
    for (const timer of timers) if (timer.due <= upTo && timer.due < (first?.due ?? Infinity)) first = timer
    return first
  }
  const call = (timer: Timer): void => {
    timers.delete(timer)
    timer.callback()
  }
  /** With a real clock, timers fire without a step. */
  const arm = (): void => {
    clearTimeout(alarm)
    const first = real === null ? undefined : next(Number.MAX_VALUE)
    if (first === undefined) return
    alarm = setTimeout(ring, Math.min(Math.max(first.due - elapsed(), 0), LONGEST_DELAY_MS))
    alarm.unref()
  }
  const ring = (): void => {
    try {
      for (let due = next(elapsed()); due !== undefined; due = next(elapsed())) call(due)
    } finally {
      arm()
    }
  }
  const moveTo = (time: number): void => {
    pushed += Math.max(0, time - elapsed())
  }
  const giveTurns = async (): Promise<void> => {
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn()
  }

  return {
    now: () => startsAt + Math.floor(elapsed()),
    elapsed,
    after: (milliseconds, callback) => {
      const timer: Timer = { due: elapsed() + Math.max(milliseconds, 0), callback }
      timers.add(timer)
      arm()
      return () => {
        if (timers.delete(timer)) arm()
      }
    },
    advance: async (milliseconds) => {
      const end = elapsed() + milliseconds
      await giveTurns()
      for (let due = next(end); due !== undefined; due = next(end)) {
        moveTo(due.due)
        call(due)
        arm()
        await giveTurns()
      }
      moveTo(end)
      arm()
      await giveTurns()
    },
    skip: async (milliseconds) => {
      moveTo(elapsed() + milliseconds)
      ring()
      await giveTurns()
    },
  }
}

export const createSteppedClock = (startsAt = 1_000_000): SteppedClock => createClock(startsAt, null)

/** Real time that a test can push forward: network waits work as usual, and time-outs needn't be waited for. */
export const createPushedClock = (): SteppedClock => createClock(Date.now(), () => performance.now())
