/** What lived shorter than this was of no use to anybody. */
const SHORT_LIFE_MS = 5_000
/** Short lives in a row after which it is left alone. */
const MOST_SHORT_LIVES = 5
/** However long each lived: so many restarts within this time are no help any more. */
const MOST_RESTARTS = 60
const RESTARTS_WITHIN_MS = 600_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000

/** Decides about one part of Linnet, such as the engine, whether it is started again when it has ended, and when. */
export interface Restarts {
  /** It was started. */
  readonly started: () => void
  /** It ended unexpectedly. @returns milliseconds to wait before it is started again; null where it is to be left alone */
  readonly ended: () => number | null
  /** A person wants it: what was before does not count. */
  readonly forgive: () => void
}

/**
 * At once after a long life, later and later after short ones, and not for ever: what ends as soon as it is started would
 * otherwise keep the computer busy and tell nobody.
 */
export const createRestarts = (now: () => number = () => performance.now()): Restarts => {
  let startedAt = now()
  let shortLives = 0
  let restarts: readonly number[] = []
  return {
    started: () => {
      startedAt = now()
    },
    ended: () => {
      const at = now()
      shortLives = at - startedAt < SHORT_LIFE_MS ? shortLives + 1 : 0
      restarts = [...restarts.filter((each) => each > at - RESTARTS_WITHIN_MS), at]
      if (shortLives >= MOST_SHORT_LIVES || restarts.length > MOST_RESTARTS) return null
      return shortLives <= 1 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (shortLives - 2), LONGEST_PAUSE_MS)
    },
    forgive: () => {
      shortLives = 0
      restarts = []
    },
  }
}
