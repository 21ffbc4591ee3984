import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../src/engine/timing/clock.ts'

/** A clock that a test moves. */
export interface SteppedClock extends Clock {
  /**
   * Moves it forward, from one timer that is due to the next: each is called at its own time, and what it sets off may set
   * others. An answer over the network takes as long as it takes: what waits for one goes on after this.
   */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Moves it forward at once, as when the computer has slept for so long: what is due by then is called late. */
  readonly skip: (milliseconds: number) => Promise<void>
}

interface Timer {
  readonly due: number
  readonly callback: () => void
}

/** What follows on a timer within a few turns, without the network, happens at the timer's time. */
const TURNS = 3
/** The longest delay that `setTimeout` takes. */
const LONGEST_DELAY_MS = 2 ** 31 - 1

/**
 * @param startsAt wall time, milliseconds since the epoch
 * @param real the clock that it goes on with by itself; it stands still without one
 */
const createClock = (startsAt: number, real: (() => number) | null): SteppedClock => {
  const begun = real?.() ?? 0
  let pushed = 0
  const timers = new Set<Timer>()
  let alarm: ReturnType<typeof setTimeout> | undefined

  const elapsed = (): number => pushed + (real === null ? 0 : real() - begun)
  const next = (upTo: number): Timer | undefined => {
    // The one that was set first goes first among those of one time.
    let first: Timer | undefined
    for (const timer of timers) if (timer.due <= upTo && timer.due < (first?.due ?? Infinity)) first = timer
    return first
  }
  const call = (timer: Timer): void => {
    timers.delete(timer)
    timer.callback()
  }
  /** Timers become due by themselves where the clock goes on by itself. */
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

/** A clock that stands still between two steps. */
export const createSteppedClock = (startsAt = 1_000_000): SteppedClock => createClock(startsAt, null)

/** The real time, which a test can push forward: what waits for the network goes on as ever, and nobody waits for a constant. */
export const createPushedClock = (): SteppedClock => createClock(Date.now(), () => performance.now())
