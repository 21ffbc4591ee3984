import { ProblemError, toProblem, type Problem } from '../shared/result.ts'
import type { OpenAccount } from './account.ts'
import { inStorageWords } from './store/storage-problem.ts'
import { systemClock } from './timing/clock.ts'

/** Files that are damaged again and again lie on a disk that Linnet cannot mend. */
const MOST_IN_A_WHILE = 3
const A_WHILE_MS = 10 * 60_000
/** An account whose files cannot be opened is tried again when someone asks, but not more often than this. */
const PAUSE_MS = 2_000

/**
 * What is known of the cache's file before it is opened: nothing, that it is to be set aside without a look, or that a
 * person had it removed.
 */
export type CacheFileState = 'kept' | 'condemned' | 'cleared'

export type OpenFiles = (onCorrupt: () => void, cacheFile: CacheFileState) => OpenAccount

/** An account that is closed and opened anew by itself where its files turn out to be damaged. */
export interface ReopeningAccount {
  /** @throws ProblemError where its files cannot be opened again */
  readonly current: () => OpenAccount
  /** Resolves when the account is not being opened anew; at once where it is not. */
  readonly settled: () => Promise<void>
  /** Whether it is being opened anew just now. */
  readonly isReopening: () => boolean
  /** Closes the account, has something done to its files, and opens it anew. @throws what `work` throws */
  readonly renew: (work: () => void) => Promise<void>
  readonly close: () => Promise<void>
}

/** @throws what `open` throws the first time */
export const openReopeningAccount = (
  open: OpenFiles,
  report: (thrown: unknown) => void,
  now: () => number = systemClock.now,
): ReopeningAccount => {
  let account: OpenAccount | null = null
  let failure: { readonly problem: Problem; readonly at: number } | null = null
  let reopening: Promise<void> | null = null
  let reopened: readonly number[] = []
  let isClosed = false

  const openAgain = (cacheFile: CacheFileState): void => {
    try {
      account = open(() => reopen(), cacheFile)
      failure = null
      account.tellEverything()
    } catch (thrown) {
      report(thrown)
      account = null
      failure = { problem: toProblem(inStorageWords(thrown)), at: now() }
    }
  }

  const start = (work: () => Promise<void>): void => {
    reopening = work()
      .catch(report)
      .finally(() => {
        reopening = null
      })
  }

  /** Called from the midst of what met the damage: that ends first. */
  const reopen = (): void => {
    if (reopening !== null || isClosed) return
    const at = now()
    reopened = reopened.filter((each) => each > at - A_WHILE_MS)
    if (reopened.length >= MOST_IN_A_WHILE) return
    // Damage that a check has not found is damage all the same.
    const isCondemned = reopened.length > 0
    reopened = [...reopened, at]
    start(async () => {
      await Promise.resolve()
      // A damaged file may not let itself be closed in order: it is opened anew all the same.
      await account?.close(true).catch(report)
      account = null
      if (!isClosed) openAgain(isCondemned ? 'condemned' : 'kept')
    })
  }

  account = open(() => reopen(), 'kept')

  return {
    current: () => {
      if (account !== null) return account
      throw new ProblemError(
        failure?.problem ?? { code: 'cancelled', message: 'This account was closed. Open it again.' },
      )
    },
    settled: async () => {
      if (reopening === null && failure !== null && !isClosed && now() - failure.at > PAUSE_MS) {
        start(() => {
          openAgain('kept')
          return Promise.resolve()
        })
      }
      await reopening
    },
    isReopening: () => reopening !== null,
    renew: async (work) => {
      await reopening
      const failed: unknown[] = []
      start(async () => {
        await account?.close().catch(report)
        account = null
        if (isClosed) return
        try {
          work()
        } catch (thrown) {
          failed.push(thrown)
        }
        openAgain('cleared')
      })
      await reopening
      if (failed.length > 0) throw failed[0]
    },
    close: async () => {
      isClosed = true
      await reopening
      const closing = account
      account = null
      await closing?.close()
    },
  }
}
