import type { LocalExtent } from '../../shared/model.ts'
import { ProblemError, type Problem } from '../../shared/result.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import type { FoundThread, ThreadSearch } from '../search-index/search-threads.ts'
import { CURSOR_GONE } from './search-problem.ts'

/** A thread of the cache, as far as a search needs to know it. */
export interface ThreadState {
  readonly receivedAt: number
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly hasOutbound: boolean
  readonly onServer: boolean
}

/** Threads by their IDs, whatever else is known of each. */
export interface ThreadIds {
  readonly keys: () => Iterable<string>
}

/** How a session reaches the platform and the cache. */
export interface SearchPorts {
  /** As the cache has it, pending changes included. */
  readonly threadState: (threadId: string) => ThreadState | undefined
  readonly subjectOf: (threadId: string) => string | null
  readonly threadSearch: Pick<ThreadSearch, 'page' | 'matching' | 'spellings'>
  /** What of the inbox can be searched here now. */
  readonly extent: () => LocalExtent
  /**
   * Asks the platform for a page, by its own IDs of the e-mails that matched, and keeps its threads in the cache.
   * @throws `CursorGone` where `after` is not among the results any more
   */
  readonly fetchPage: (
    clock: Clock,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly found: readonly FoundThread[]; readonly isEnd: boolean; readonly isWhole: boolean }>
  /** Whether the platform's search may not know of a change of the thread that it has confirmed. */
  readonly isJustChanged: (threadId: string) => boolean
  /** Asks about threads that the platform finds and that do not match by the cache. */
  readonly question: (threadIds: readonly string[]) => void
  readonly problemOf: (thrown: unknown) => Promise<Problem>
  /** What the platform would refuse the search for, as far as that is known without asking; null where nothing is. */
  readonly knownFault: (clock: Clock) => Problem | null
  readonly changed: () => void
  /** Where and when dates are meant. */
  readonly clock: () => Clock
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Calls once after a time in milliseconds; returns what cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

/** The thread to go on after has left the results. */
export class CursorGone extends ProblemError {
  constructor() {
    super(CURSOR_GONE)
  }
}
