import type { LocalExtent, Searched, ThreadMatch } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'
import { hasSubjectWords } from '../../shared/search/mark-words.ts'
import { isInScope, isOfThisComputer, type ThreadQuery } from '../../shared/thread-query.ts'
import { resolveQuery, type ResolvedThreadQuery } from '../search-index/search-query.ts'
import type { FoundThread } from '../search-index/search-threads.ts'
import { hasSubjectOf, PlatformSearch, SEARCH_LAG_MS } from './platform-search.ts'
import { ResultList, type ResultRow } from './result-list.ts'
import type { SearchPorts, ThreadIds, ThreadState } from './search-ports.ts'

/** Threads that change at once, above which finding anew what this computer has costs less than looking at each. */
const MANY = 500
/** Rows that this computer is asked for at once, at least. */
const LEAST_PAGE = 20

export interface SearchWindow {
  readonly rows: readonly ResultRow[]
  readonly total: number
  readonly hasMore: boolean
  readonly searched: Searched
}

/** One search that windows show: what is known of it, and what is still being asked. */
export class SearchSession {
  readonly #query: ThreadQuery
  readonly #ports: SearchPorts
  readonly #hasSubject: boolean
  readonly #list = new ResultList()
  readonly #platform: PlatformSearch
  /** The last row that this computer was asked for; null at the top. */
  #here: { readonly last: FoundThread | null; readonly isEnd: boolean } = { last: null, isEnd: false }
  readonly #touched = new Set<string>()
  #isTouchedAll = false
  #heldIds: ReadonlySet<string> = new Set()
  /** Changed since the last `threads.changed`; not announced yet. */
  #isUntold = false
  /** How much was searched here, as windows last heard. */
  #told: LocalExtent | null = null

  constructor(query: ThreadQuery, ports: SearchPorts) {
    this.#query = query
    this.#ports = ports
    this.#hasSubject = hasSubjectOf(query)
    this.#platform = new PlatformSearch(query, ports, this.#list, (threadIds) => void this.#look(threadIds))
  }

  /**
   * A window of the list, answered at once.
   * @param onlyHere the platform is not asked
   * @param held threads that stay where only their being read or unread keeps them out of the list
   */
  read(
    { offset, limit }: { readonly offset: number; readonly limit: number },
    onlyHere: boolean,
    held: readonly string[] = [],
  ): SearchWindow {
    this.#heldIds = new Set(held)
    this.#settle()
    this.#searchHere(offset + limit)
    if (!onlyHere) this.#platform.want(offset + limit)
    const rows = this.#list.rows(this.#query.read === null ? [] : this.#heldOf(held))
    const extent = this.#ports.extent()
    this.#told ??= extent
    return {
      rows: rows.slice(offset, offset + limit),
      total: rows.length,
      hasMore: this.#platform.isMoreThere() || !this.#here.isEnd,
      searched: {
        computer: { ...extent, ...this.#spelled() },
        ...this.#platform.searched(),
      },
    }
  }

  /** The platform is asked again when the list is next read. What it found stays until then. */
  askAgain(): void {
    this.#platform.askAgain()
  }

  /** Threads of the cache have changed; `arrived` are those of them that are new or have new activity. */
  touch(threadIds: readonly string[], arrived: ThreadIds): void {
    for (const id of threadIds) this.#touched.add(id)
    this.#isTouchedAll ||= this.#touched.size > MANY
    const since = this.#ports.now() - 60 * SEARCH_LAG_MS
    const isNews = [...arrived.keys()].some((id) => {
      const thread = this.#ports.threadState(id)
      return thread !== undefined && thread.receivedAt > since && isInScope(this.#query, thread)
    })
    if (isNews) this.#platform.noteArrival()
  }

  searchHereAgain(): void {
    this.#isTouchedAll = true
    this.#ports.changed()
  }

  /**
   * Looks at what was touched. @returns whether the list, or how much was searched here, has changed since this was last
   * asked, whoever has read it since
   */
  takeChanged(): boolean {
    this.#settle()
    const extent = this.#ports.extent()
    const isChanged = this.#isUntold || extent.emails !== this.#told?.emails || extent.of !== this.#told.of
    this.#isUntold = false
    this.#told = extent
    return isChanged
  }

  failure(): Problem | null {
    return this.#platform.failure()
  }

  listed(): readonly string[] {
    this.#settle()
    return this.#list.rows().map(({ id }) => id)
  }

  listedByPlatform(): readonly string[] {
    return this.listed().filter((id) => !this.#list.isOfComputer(id))
  }

  isWhole(): boolean {
    const { emails, of } = this.#ports.extent()
    return (isOfThisComputer(this.#query) || this.#platform.isWhole()) && emails >= of
  }

  matchOf(threadId: string): ThreadMatch | null {
    return this.#list.matchOf(threadId)
  }

  isAsked(): boolean {
    return this.#platform.isAsked()
  }

  close(): void {
    this.#platform.close()
  }

  /** Keeps how the cache has a thread. @returns whether the list has changed */
  #stand(id: string, isHere: boolean): boolean {
    const thread = this.#ports.threadState(id)
    return this.#list.stand(id, {
      time: thread?.receivedAt ?? 0,
      isListed: thread !== undefined && (isHere || (this.#list.isOfPlatform(id) && this.#fits(id, thread))),
    })
  }

  /** Whether a thread of the platform's answer is what was asked for, by what the cache has of it. */
  #fits(id: string, thread: ThreadState): boolean {
    return (
      isInScope(this.#query, thread) &&
      // The platform cannot be asked for words of the subject.
      (!this.#hasSubject || hasSubjectWords(this.#query, this.#ports.subjectOf(id)))
    )
  }

  /** What this computer is asked: dates mean the same as on the platform's side. */
  #asked(): ResolvedThreadQuery {
    return resolveQuery(this.#query, this.#platform.clock())
  }

  #spelled(): Pick<LocalExtent, 'spellings'> {
    const spellings = this.#ports.threadSearch.spellings(this.#asked())
    return spellings.length === 0 ? {} : { spellings }
  }

  #isBelowHere({ time }: FoundThread): boolean {
    return !this.#here.isEnd && (this.#here.last === null || time < this.#here.last.time)
  }

  /** Rows down to the last one that this computer was asked for. */
  #countHere(): number {
    return this.#here.last === null ? 0 : this.#list.countSince(this.#here.last.time)
  }

  #searchHere(rows: number): void {
    // Rows of the platform may lie below what this computer was asked for: what is missing comes between them.
    while (!this.#here.isEnd && this.#countHere() < rows) {
      const limit = Math.max(LEAST_PAGE, rows - this.#countHere())
      const { threads, hasMore } = this.#ports.threadSearch.page(this.#asked(), this.#here.last, limit)
      this.#list.keepComputer(threads)
      for (const { id } of threads) this.#stand(id, true)
      this.#here = { last: threads.at(-1) ?? this.#here.last, isEnd: !hasMore || threads.length === 0 }
    }
  }

  #askHere(ids: readonly string[]): void {
    const found = this.#ports.threadSearch.matching(this.#asked(), ids)
    const matches = new Map(found.map((match) => [match.id, match]))
    for (const id of ids) {
      const match = matches.get(id)
      if (match === undefined) this.#list.dropComputer(id)
      // What lies below the rows that this computer was asked for is found when they are scrolled to.
      else if (this.#list.isKnown(id) || !this.#isBelowHere(match)) this.#list.keepComputer([match])
    }
  }

  /** Looks at threads anew. @returns whether the list has changed */
  #look(ids: readonly string[]): boolean {
    const list = this.#list
    const known = new Set(ids.filter((id) => list.isKnown(id)))
    this.#askHere(ids)
    const others = ids.filter(
      (id) => this.#stand(id, list.isOfComputer(id)) || (known.has(id) && !list.isKnown(id)) || this.#heldIds.has(id),
    )
    return others.length > 0
  }

  /** Has this computer find anew what it had found, as far down as before. */
  #lookHereAgain(): void {
    const rows = this.#countHere()
    this.#list.forgetComputer()
    this.#here = { last: null, isEnd: false }
    this.#look(this.#list.ids())
    this.#searchHere(rows)
  }

  #settle(): void {
    const ids = [...this.#touched]
    this.#touched.clear()
    if (this.#isTouchedAll) {
      this.#isTouchedAll = false
      this.#lookHereAgain()
      this.#isUntold = true
    } else if (ids.length > 0 && this.#look(ids)) this.#isUntold = true
  }

  /** Those of some threads that would be listed if nobody had read them since, or marked them as unread. */
  #heldOf(ids: readonly string[]): readonly { readonly id: string; readonly time: number }[] {
    return ids.flatMap((id) => {
      const thread = this.#ports.threadState(id)
      return thread !== undefined && isInScope({ ...this.#query, read: null }, thread)
        ? [{ id, time: thread.receivedAt }]
        : []
    })
  }
}
