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

/** Without zod, which would delay the window longer than its file. */
const isKept = (value: unknown): value is Kept => {
  if (typeof value !== 'object' || value === null) return false
  const { failed, isRunning } = value as Partial<Record<keyof Kept, unknown>>
  const isCount = typeof failed === 'number' && Number.isInteger(failed) && failed >= 0 && failed <= MOST_FAILED
  return isCount && typeof isRunning === 'boolean'
}
const NONE: Kept = { failed: 0, isRunning: false }

const read = (file: string): Kept => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isKept(kept) ? kept : NONE
  } catch {
    // None, or one that a sudden end has cut off: what it would have said is not worth a question.
    return NONE
  }
}

/** Notes that a start begins, and what becomes of it. A disk that takes no note is gone without. */
export class StartWatch {
  readonly #dataDirectory: string
  readonly #file: string
  readonly #failedBefore: number
  #failed: number
  #isFailed = false
  /** True if so many starts failed that the next probably will. */
  readonly hasFailed: boolean
  /** True if the last run was killed or crashed. */
  readonly wasCutOff: boolean

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory
    this.#file = join(dataDirectory, 'start.json')
    const { failed, isRunning } = read(this.#file)
    this.#failedBefore = failed
    this.#failed = failed + 1
    this.hasFailed = failed >= FAILED_STARTS
    this.wasCutOff = isRunning
    this.#keep(true)
  }

  /** This start has come to something. */
  succeed(): void {
    if (this.#isFailed) return
    this.#failed = 0
    this.#keep(true)
  }

  /** It has not, though Linnet itself may live on: its window or its engine keeps ending. */
  fail(): void {
    if (this.#isFailed) return
    this.#isFailed = true
    this.#failed = Math.max(this.#failed, this.#failedBefore + 1)
    this.#keep(true)
  }

  close(): void {
    // A closed window had come up, unless it was closed for its crashes.
    if (!this.#isFailed) this.#failed = 0
    this.#keep(false)
  }

  #keep(isRunning: boolean): void {
    try {
      if (this.#failed === 0 && !isRunning) rmSync(this.#file, { force: true })
      else {
        mkdirSync(this.#dataDirectory, { recursive: true, mode: 0o700 })
        writeFileSync(this.#file, JSON.stringify({ failed: this.#failed, isRunning } satisfies Kept), { mode: 0o600 })
      }
    } catch {
      // A full disk says so elsewhere.
    }
  }
}
