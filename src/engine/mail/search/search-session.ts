import type { LocalSearchCoverage, SearchCoverage } from '../../../shared/model.ts'
import { matchesSubjectTerms } from '../../../shared/search/highlight-terms.ts'
import { isInScope, isLocalOnlyQuery, type ThreadQuery } from '../../../shared/thread-query.ts'
import { resolveQuery, type ResolvedThreadQuery } from '../../store/search-index/search-query.ts'
import type { FoundThread } from '../../store/search-index/search-threads.ts'
import type { CurrentThreadState } from '../../store/threads.ts'
import { hasSubjectTerm, PlatformSearch, SEARCH_LAG_MS, type SearchPorts } from './platform-search.ts'
import { ResultList, type ResultRow } from './result-list.ts'

/** If more threads than this have changed, a new local search is cheaper than checking each. */
const MAX_TOUCHED = 500
const MIN_PAGE_SIZE = 20

export interface SearchWindow {
  readonly rows: readonly ResultRow[]
  readonly total: number
  readonly hasMore: boolean
  readonly searched: SearchCoverage
}

export class SearchSession {
  readonly #query: ThreadQuery
  readonly #ports: SearchPorts
  readonly list = new ResultList()
  readonly platform: PlatformSearch
  /** Last thread found by the local search; null at the top. */
  #local: { readonly last: FoundThread | null; readonly isEnd: boolean } = { last: null, isEnd: false }
  readonly #touched = new Set<string>()
  #areAllTouched = false
  #heldIds: ReadonlySet<string> = new Set()
  /** True if the list has changed since the last `threads.changed` event. */
  #hasUnreportedChange = false
  /** Local coverage as of the last event. */
  #reportedCoverage: LocalSearchCoverage | null = null

  constructor(query: ThreadQuery, ports: SearchPorts) {
    this.#query = query
    this.#ports = {
      ...ports,
      changed: () => {
        this.#hasUnreportedChange = true
        ports.changed()
      },
    }
    this.platform = new PlatformSearch(query, this.#ports, this.list, (threadIds) => void this.#reevaluate(threadIds))
  }

  /**
   * Returns rows without waiting for the platform. @param held IDs of threads to keep listed if only their read state
   * excludes them
   */
  read(
    { offset, limit }: { readonly offset: number; readonly limit: number },
    localOnly: boolean,
    held: readonly string[] = [],
  ): SearchWindow {
    this.#heldIds = new Set(held)
    this.#settle()
    this.#searchLocally(offset + limit)
    if (!localOnly) this.platform.ensureLoaded(offset + limit)
    const rows = this.list.rows(this.#query.read === null ? [] : this.#heldOf(held))
    const extent = this.#ports.extent()
    this.#reportedCoverage ??= extent
    const spellings = this.#ports.threadSearch.spellings(this.#localQuery())
    return {
      rows: rows.slice(offset, offset + limit),
      total: rows.length,
      hasMore: this.platform.isMoreThere() || !this.#local.isEnd,
      searched: {
        computer: { ...extent, ...(spellings.length > 0 && { spellings }) },
        ...this.platform.searched(),
      },
    }
  }

  /** Call when cached threads have changed. @param arrived threads that are new or have new activity */
  touch(threadIds: readonly string[], arrived: { readonly keys: () => Iterable<string> }): void {
    for (const id of threadIds) this.#touched.add(id)
    this.#areAllTouched ||= this.#touched.size > MAX_TOUCHED
    const since = this.#ports.now() - 60 * SEARCH_LAG_MS
    const isNews = [...arrived.keys()].some((id) => {
      const thread = this.#ports.threadState(id)
      return thread !== undefined && thread.receivedAt > since && isInScope(this.#query, thread)
    })
    if (isNews) this.platform.noteArrival()
  }

  invalidateLocal(): void {
    this.#areAllTouched = true
    this.#ports.changed()
  }

  /** Checks changed threads. @returns true if the list or the local coverage has changed since the last call */
  takeChanged(): boolean {
    this.#settle()
    const extent = this.#ports.extent()
    const isChanged =
      this.#hasUnreportedChange ||
      extent.emails !== this.#reportedCoverage?.emails ||
      extent.of !== this.#reportedCoverage.of
    this.#hasUnreportedChange = false
    this.#reportedCoverage = extent
    return isChanged
  }

  listed(): readonly string[] {
    this.#settle()
    return this.list.rows().map(({ id }) => id)
  }

  listedByPlatform(): readonly string[] {
    return this.listed().filter((id) => !this.list.isOfComputer(id))
  }

  isWhole(): boolean {
    const { emails, of } = this.#ports.extent()
    return (isLocalOnlyQuery(this.#query) || this.platform.isWhole()) && emails >= of
  }

  /** Updates a thread's cached state in the list. @returns true if the list has changed */
  #setState(id: string, isHere: boolean): boolean {
    const thread = this.#ports.threadState(id)
    return this.list.setState(id, {
      time: thread?.receivedAt ?? 0,
      isListed: thread !== undefined && (isHere || (this.list.isOfPlatform(id) && this.#fits(id, thread))),
    })
  }

  #fits(id: string, thread: CurrentThreadState): boolean {
    return (
      isInScope(this.#query, thread) &&
      // The platform doesn't support searching for words in the subject, so check them here.
      (!hasSubjectTerm(this.#query) || matchesSubjectTerms(this.#query, this.#ports.subjectOf(id)))
    )
  }

  /** The query for the local search. Its relative dates use the same clock as the platform's search. */
  #localQuery(): ResolvedThreadQuery {
    return resolveQuery(this.#query, this.platform.clock())
  }

  /** Number of rows that aren't older than the last one found locally. */
  #countLocal(): number {
    return this.#local.last === null ? 0 : this.list.countSince(this.#local.last.time)
  }

  #searchLocally(rows: number): void {
    // Platform rows may be below the last local one; local rows that belong between them are still missing.
    while (!this.#local.isEnd && this.#countLocal() < rows) {
      const limit = Math.max(MIN_PAGE_SIZE, rows - this.#countLocal())
      const { threads, hasMore } = this.#ports.threadSearch.page(this.#localQuery(), this.#local.last, limit)
      this.list.keepComputer(threads)
      for (const { id } of threads) this.#setState(id, true)
      this.#local = { last: threads.at(-1) ?? this.#local.last, isEnd: !hasMore || threads.length === 0 }
    }
  }

  #matchLocally(ids: readonly string[]): void {
    const found = this.#ports.threadSearch.matching(this.#localQuery(), ids)
    const matches = new Map(found.map((match) => [match.id, match]))
    const { last, isEnd } = this.#local
    const isSearched = ({ time }: FoundThread): boolean => isEnd || (last !== null && time >= last.time)
    for (const id of ids) {
      const match = matches.get(id)
      if (match === undefined) this.list.dropComputer(id)
      // Rows further down are found when the user scrolls to them.
      else if (this.list.isKnown(id) || isSearched(match)) this.list.keepComputer([match])
    }
  }

  /** Re-evaluates whether threads are listed. @returns true if the list has changed */
  #reevaluate(ids: readonly string[]): boolean {
    const list = this.list
    const known = new Set(ids.filter((id) => list.isKnown(id)))
    this.#matchLocally(ids)
    const others = ids.filter(
      (id) =>
        this.#setState(id, list.isOfComputer(id)) || (known.has(id) && !list.isKnown(id)) || this.#heldIds.has(id),
    )
    return others.length > 0
  }

  #restartLocalSearch(): void {
    const rows = this.#countLocal()
    this.list.forgetComputer()
    this.#local = { last: null, isEnd: false }
    this.#reevaluate(this.list.ids())
    this.#searchLocally(rows)
  }

  #settle(): void {
    const ids = [...this.#touched]
    this.#touched.clear()
    if (this.#areAllTouched) {
      this.#areAllTouched = false
      this.#restartLocalSearch()
      this.#hasUnreportedChange = true
    } else if (ids.length > 0 && this.#reevaluate(ids)) this.#hasUnreportedChange = true
  }

  /** The given threads that are kept out of the list only by their read state. */
  #heldOf(ids: readonly string[]): readonly { readonly id: string; readonly time: number }[] {
    return ids.flatMap((id) => {
      const thread = this.#ports.threadState(id)
      return thread !== undefined && isInScope({ ...this.#query, read: null }, thread)
        ? [{ id, time: thread.receivedAt }]
        : []
    })
  }
}
