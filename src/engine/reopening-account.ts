import { ProblemError, toProblem, type Problem } from '../shared/result.ts'
import type { OpenAccount } from './account.ts'
import type { CacheFileState } from './own/open-account-files.ts'
import { toStorageError } from './store/storage-problem.ts'
import { systemClock } from './timing/clock.ts'

/** Maximum reopenings per `REOPENING_WINDOW_MS`. If files keep getting damaged, the disk is at fault and Linnet can't fix it. */
const MAX_REOPENINGS = 3
const REOPENING_WINDOW_MS = 10 * 60_000
/** Minimum pause between attempts to open an account after a failure. Requests trigger the attempts. */
const PAUSE_MS = 2_000

export type OpenFiles = (onCorrupt: () => void, cacheFile: CacheFileState) => OpenAccount

/** Closes and reopens an account when its files turn out to be damaged. */
export class ReopeningAccount {
  readonly #open: OpenFiles
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number
  #account: OpenAccount | null
  #failure: { readonly problem: Problem; readonly at: number } | null = null
  #reopening: Promise<void> | null = null
  #reopenedAt: readonly number[] = []
  #isClosed = false

  /** @throws the errors of `open` */
  constructor(open: OpenFiles, report: (thrown: unknown) => void, now: () => number = systemClock.now) {
    this.#open = open
    this.#report = report
    this.#now = now
    this.#account = open(() => this.#onCorrupt(), 'kept')
  }

  /** @throws ProblemError if the account's files couldn't be reopened */
  current(): OpenAccount {
    if (this.#account !== null) return this.#account
    const closed: Problem = { code: 'cancelled', message: 'This account was closed. Open it again.' }
    throw new ProblemError(this.#failure?.problem ?? closed)
  }

  /** Resolves once no reopening is in progress. After a failure, tries again. */
  async whenReady(): Promise<void> {
    const failure = this.#reopening === null && !this.#isClosed ? this.#failure : null
    if (failure !== null && this.#now() - failure.at > PAUSE_MS) {
      this.#start(() => {
        this.#openAgain('kept')
        return Promise.resolve()
      })
    }
    await this.#reopening
  }

  isReopening(): boolean {
    return this.#reopening !== null
  }

  /** Closes the account, runs `work` on its files and reopens it. @throws the errors of `work` */
  async resetFiles(work: () => void): Promise<void> {
    await this.#reopening
    const failed: unknown[] = []
    this.#start(async () => {
      await this.#closeFiles()
      if (this.#isClosed) return
      try {
        work()
      } catch (thrown) {
        failed.push(thrown)
      }
      this.#openAgain('cleared')
    })
    await this.#reopening
    if (failed.length > 0) throw failed[0]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#reopening
    const closing = this.#account
    this.#account = null
    await closing?.close()
  }

  /** Called during the operation that found the damage, which must finish before the account closes. */
  #onCorrupt(): void {
    if (this.#reopening !== null || this.#isClosed) return
    const at = this.#now()
    const recent = this.#reopenedAt.filter((each) => each > at - REOPENING_WINDOW_MS)
    this.#reopenedAt = recent
    if (recent.length >= MAX_REOPENINGS) return
    this.#reopenedAt = [...recent, at]
    this.#start(async () => {
      await Promise.resolve()
      await this.#closeFiles(true)
      // After repeated damage, don't trust the file even if the check finds nothing.
      if (!this.#isClosed) this.#openAgain(recent.length > 0 ? 'untrusted' : 'kept')
    })
  }

  #start(work: () => Promise<void>): void {
    this.#reopening = work()
      .catch(this.#report)
      .finally(() => {
        this.#reopening = null
      })
  }

  /** Closing a damaged file may fail; reopen anyway. */
  async #closeFiles(isDamaged?: boolean): Promise<void> {
    await this.#account?.close(isDamaged).catch(this.#report)
    this.#account = null
  }

  #openAgain(cacheFile: CacheFileState): void {
    try {
      this.#account = this.#open(() => this.#onCorrupt(), cacheFile)
      this.#failure = null
      this.#account.notifyAllChanged()
    } catch (thrown) {
      this.#report(thrown)
      this.#account = null
      this.#failure = { problem: toProblem(toStorageError(thrown)), at: this.#now() }
    }
  }
}
