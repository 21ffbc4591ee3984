/** Detects failed starts by a file in the data folder, because a killed process can't record its own end. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Consecutive failed starts after which the user is asked how to start. */
const FAILED_STARTS = 2

/** A higher count means the file is damaged. */
const MAX_FAILED = 1_000

interface StartRecord {
  /** Consecutive failed starts. Includes this one until it succeeds. */
  readonly failed: number
  readonly isRunning: boolean
}

/** Hand-written, because loading zod would delay the window. */
const isStartRecord = (value: unknown): value is StartRecord => {
  if (typeof value !== 'object' || value === null) return false
  const { failed, isRunning } = value as Partial<Record<keyof StartRecord, unknown>>
  const isCount = typeof failed === 'number' && Number.isInteger(failed) && failed >= 0 && failed <= MAX_FAILED
  return isCount && typeof isRunning === 'boolean'
}
const CLEAN_RECORD: StartRecord = { failed: 0, isRunning: false }

const read = (file: string): StartRecord => {
  try {
    const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isStartRecord(kept) ? kept : CLEAN_RECORD
  } catch {
    // Missing, or truncated by a crash. Either way it isn't worth asking the user.
    return CLEAN_RECORD
  }
}

/** Records each start and its outcome. Without a writable disk, it does nothing. */
export class StartupRecorder {
  readonly #dataDirectory: string
  readonly #file: string
  readonly #failedBefore: number
  #failed: number
  #isFailed = false
  /** True if the last starts failed, so the next probably will. */
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
    this.#save(true)
  }

  succeed(): void {
    if (this.#isFailed) return
    this.#failed = 0
    this.#save(true)
  }

  /** Marks the start as failed. Linnet may still be running while its window or engine keeps crashing. */
  fail(): void {
    if (this.#isFailed) return
    this.#isFailed = true
    this.#failed = Math.max(this.#failed, this.#failedBefore + 1)
    this.#save(true)
  }

  close(): void {
    // If the user could close a window, the start succeeded, unless they closed it because of crashes.
    if (!this.#isFailed) this.#failed = 0
    this.#save(false)
  }

  #save(isRunning: boolean): void {
    try {
      if (this.#failed === 0 && !isRunning) rmSync(this.#file, { force: true })
      else {
        mkdirSync(this.#dataDirectory, { recursive: true, mode: 0o700 })
        writeFileSync(this.#file, JSON.stringify({ failed: this.#failed, isRunning } satisfies StartRecord), {
          mode: 0o600,
        })
      }
    } catch {
      // A full disk is reported elsewhere.
    }
  }
}
