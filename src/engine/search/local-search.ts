import type { Folder, LocalExtent } from '../../shared/model.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import type { ThreadQuery } from '../../shared/thread-query.ts'
import type { InboxRef } from '../store/inboxes.ts'

/** A thread that a search on this computer found. */
export interface LocalMatch {
  readonly threadId: string
  /** The thread's latest activity, milliseconds since the epoch. */
  readonly time: number
  /** The e-mail that matched; null where the filter has no condition on e-mails. */
  readonly emailId: string | null
}

/** Matches by their threads' IDs. */
export type Matches = ReadonlyMap<string, LocalMatch>

export interface LocalPage {
  /** Latest activity first; of those with the same time, the one stored later first (contract, Search threads, order). */
  readonly matches: readonly LocalMatch[]
  /** Whether nothing follows. */
  readonly isEnd: boolean
}

/**
 * Searches the mail of this computer by the contract's matching rules, pending changes included, and for words in their other
 * spellings as well (`search-index/spellings.ts`). Every call is answered
 * at once, from the cache and its index alone.
 */
export interface LocalSearch {
  /** What of an inbox can be searched now; null where nothing can: then the others are not called. */
  readonly extent: (inbox: InboxRef) => LocalExtent | null
  /** The matches that follow `after`; those at the top where that is null. */
  readonly page: (
    inbox: InboxRef,
    query: ThreadQuery,
    clock: Clock,
    after: LocalMatch | null,
    limit: number,
  ) => LocalPage
  /** In which other spellings than its own the words of a query are looked for here. */
  readonly spellings: (inbox: InboxRef, query: ThreadQuery, clock: Clock) => readonly string[]
  /**
   * Goes through so many threads, from a place on, and counts those that match by folder, wherever the query looks itself.
   * @returns where counting goes on; null at the end
   */
  readonly countByFolder: (
    inbox: InboxRef,
    query: ThreadQuery,
    clock: Clock,
    from: number | null,
    threads: number,
  ) => { readonly folders: Readonly<Record<Folder, number>>; readonly next: number | null }
  /** Those of some threads that match as they are now, by their IDs. */
  readonly matching: (inbox: InboxRef, query: ThreadQuery, clock: Clock, threadIds: readonly string[]) => Matches
}
