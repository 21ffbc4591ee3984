/** Hears of starts that came to nothing, by a file in the data folder: what ends a program cannot be noted by it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Starts in a row that failed, after which a person is asked how to start. */
const FAILED_STARTS = 2

/** More in a row than anybody has: what a file says beyond that is damage. */
const MOST_FAILED = 1_000

interface Kept {
  /** Starts in a row that failed, this one included for as long as nothing else is known of it. */
  readonly failed: number
  readonly isRunning: boolean
}

/** By hand: it is read before the window is there, and zod would take longer than the window's file. */
const isKept = (value: unknown): value is Kept => {
  if (typeof value !== 'object' || value === null) return false
  const { failed, isRunning } = value as Partial<Record<keyof Kept, unknown>>
  const isCount = typeof failed === 'number' && Number.isInteger(failed) && failed >= 0 && failed <= MOST_FAILED
  return isCount && typeof isRunning === 'boolean'
}
const NONE: Kept = { failed: 0, isRunning: false }

export interface StartWatch {
  /** Whether so many starts before this one failed that another one like them will, too. */
  readonly hasFailed: boolean
  /** Whether Linnet ended the last time without closing: killed, by the system or by a crash. */
  readonly wasCutOff: boolean
  /** This start has come to something. */
  readonly succeed: () => void
  /** It has not, though Linnet itself may live on: its window or its engine keeps ending. */
  readonly fail: () => void
  /** Linnet is closed in order. */
  readonly close: () => void
}

const read = (file: string): Kept => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isKept(kept) ? kept : NONE
  } catch {
    // None, or one that a sudden end has cut off: what it would have said is not worth a question.
    return NONE
  }
}

/** Notes that a start begins. A disk that takes no note is gone without. */
export const watchStart = (dataDirectory: string): StartWatch => {
  const file = join(dataDirectory, 'start.json')
  const before = read(file)
  let failed = before.failed + 1
  const keep = (isRunning: boolean): void => {
    try {
      if (failed === 0 && !isRunning) rmSync(file, { force: true })
      else {
        mkdirSync(dataDirectory, { recursive: true, mode: 0o700 })
        writeFileSync(file, JSON.stringify({ failed, isRunning } satisfies Kept), { mode: 0o600 })
      }
    } catch {
      // A full disk says so elsewhere.
    }
  }
  keep(true)
  let isFailed = false
  return {
    hasFailed: before.failed >= FAILED_STARTS,
    wasCutOff: before.isRunning,
    succeed: () => {
      if (isFailed) return
      failed = 0
      keep(true)
    },
    fail: () => {
      if (isFailed) return
      isFailed = true
      failed = Math.max(failed, before.failed + 1)
      keep(true)
    },
    close: () => {
      // Whoever closes a window that came up was not kept from it; one that kept ending was closed for that.
      if (!isFailed) failed = 0
      keep(false)
    },
  }
}
