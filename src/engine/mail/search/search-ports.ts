import type { LocalSearchCoverage } from '../../../shared/model.ts'
import { ProblemError, type Problem } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/search/date-bounds.ts'
import type { FoundThread, ThreadSearch } from '../../store/search-index/search-threads.ts'
import { CURSOR_EXPIRED } from './search-problem.ts'

export interface CachedThreadState {
  readonly receivedAt: number
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly hasOutbound: boolean
  readonly onServer: boolean
}

export interface ThreadIds {
  readonly keys: () => Iterable<string>
}

export interface SearchPorts {
  /** Cached state, including pending changes. */
  readonly threadState: (threadId: string) => CachedThreadState | undefined
  readonly subjectOf: (threadId: string) => string | null
  readonly threadSearch: Pick<ThreadSearch, 'page' | 'matching' | 'spellings'>
  readonly extent: () => LocalSearchCoverage
  /** Requests a page and caches it. E-mail IDs in the result are the platform's. @throws `CursorExpiredError` */
  readonly fetchPage: (
    clock: Clock,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly found: readonly FoundThread[]; readonly isEnd: boolean; readonly isWhole: boolean }>
  /** True if the platform's index may not include a confirmed change of this thread yet. */
  readonly isJustChanged: (threadId: string) => boolean
  /** Checks platform results that don't match according to the cache. */
  readonly question: (threadIds: readonly string[]) => void
  readonly problemOf: (thrown: unknown) => Promise<Problem>
  readonly predictRejection: (clock: Clock) => Problem | null
  readonly changed: () => void
  readonly clock: () => Clock
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Calls back once after a delay, in milliseconds. Returns a function to cancel it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

export class CursorExpiredError extends ProblemError {
  constructor() {
    super(CURSOR_EXPIRED)
  }
}
