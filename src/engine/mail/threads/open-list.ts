import type { Freshness, ListedThread, SearchCoverage } from '../../../shared/model.ts'
import {
  isLocalOnlyQuery,
  toCachedList,
  type CachedThreadList,
  type ThreadQuery,
} from '../../../shared/thread-query.ts'
import type { MailParts } from '../parts.ts'
import type { SearchWindow } from '../search/search-session.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import type { ListPart, ListPosition, StoredList, TimeRange } from '../../store/thread-lists.ts'

/** A thread list as of this turn of the engine's thread, latest activity first. */
export interface OpenList {
  /** Loads local rows from the top; rows loaded later come after these. @returns the number of rows, at most `rows` */
  readonly load: (rows: number) => number
  /** Like `load`, but also requests that many rows from the platform, which arrive later. */
  readonly request: (rows: number) => void
  /** Number of loaded rows with `from <= time < before`, in milliseconds since the epoch. */
  readonly countBetween: (from: number, before: number) => number
  /** Null if no rows are loaded. */
  readonly range: () => TimeRange | null
  readonly times: (place: ListPosition, limit: number) => readonly number[]
  readonly rows: (place: { readonly offset: number } | ListPosition, limit: number) => readonly ListedThread[]
  readonly total: () => number
  readonly hasMore: () => boolean
  readonly freshness: () => Freshness
  /** Null for a folder or label. */
  readonly searched: () => SearchCoverage | null
}

export type ListParts = Pick<MailParts, 'cache' | 'outbox' | 'searches' | 'threads' | 'freshness'>

export interface ListOptions {
  readonly localOnly?: boolean | undefined
  readonly held?: readonly string[] | undefined
  /** Only for an inbox folder or a label. */
  readonly part?: ListPart | undefined
}

/** @throws ProblemError `not_found` for an unknown inbox, or for several, whose lists are merged outside of accounts */
export const requireQueryInbox = ({ inboxes }: Pick<Cache, 'inboxes'>, { inboxIds }: ThreadQuery): InboxRef =>
  inboxes.require(inboxIds.length === 1 ? (inboxIds[0] ?? '') : '')

/** The cached list for a query; null for a search. Windows may still use a label's former ID. */
export const findCachedList = (
  { outbox }: Pick<MailParts, 'outbox'>,
  inbox: InboxRef,
  query: ThreadQuery,
): CachedThreadList | null => {
  const list = toCachedList(query)
  return list !== null && 'labelId' in list ? { ...list, labelId: outbox.labelIdNow(inbox.id, list.labelId) } : list
}

const openKept = ({ cache, threads, freshness }: ListParts, inbox: InboxRef, list: StoredList): OpenList => {
  const isGone = 'labelId' in list && cache.labels.byId(inbox.key).get(list.labelId) === null
  const total = isGone ? 0 : cache.threadLists.count(inbox, list)
  return {
    load: () => total,
    request: () => undefined,
    countBetween: (from, before) => (total === 0 ? 0 : cache.threadLists.countBetween(inbox, list, from, before)),
    range: () => (total === 0 ? null : cache.threadLists.range(inbox, list)),
    times: (place, limit) => (total === 0 ? [] : cache.threadLists.times(inbox, list, { ...place, limit })),
    rows: (place, limit) => {
      if (total === 0) return []
      const rows = cache.threads.list(inbox, list, { ...place, limit }).map((row) => ({ ...row, match: null }))
      // Waiting threads are sorted by their last message only.
      return list.part?.isWaiting === true ? rows.map(({ listedAt: _listedAt, ...row }) => row) : rows
    },
    total: () => total,
    hasMore: () => false,
    freshness: () => freshness(threads.polledAt(inbox), inbox.id),
    searched: () => null,
  }
}

const openSearch = (
  { cache, searches, threads, freshness }: ListParts,
  inbox: InboxRef,
  query: ThreadQuery,
  { localOnly = false, held = [] }: ListOptions,
): OpenList => {
  const read = (limit: number, isHere: boolean): SearchWindow =>
    searches.read(inbox, query, { offset: 0, limit }, isHere, held)
  let found: SearchWindow | null = null
  const known = (): SearchWindow => (found ??= read(0, true))
  const rowsAt = (place: { readonly offset: number } | ListPosition, limit: number): SearchWindow['rows'] => {
    const { rows } = known()
    const first = 'offset' in place ? place.offset : rows.filter(({ time }) => time >= place.before).length + place.skip
    return rows.slice(first, first + limit)
  }
  return {
    load: (rows) => {
      found = read(rows, true)
      return found.rows.length
    },
    request: (rows) => {
      found = read(rows, localOnly)
    },
    countBetween: (from, before) => known().rows.filter(({ time }) => time >= from && time < before).length,
    range: () => {
      const [first, last] = [known().rows[0], known().rows.at(-1)]
      return first === undefined || last === undefined ? null : { newest: first.time, oldest: last.time }
    },
    times: (place, limit) => rowsAt(place, limit).map(({ time }) => time),
    rows: (place, limit) =>
      rowsAt(place, limit).flatMap(({ id, match }) => {
        const thread = cache.threads.get(inbox, id)
        if (thread === undefined) return []
        // Searches are sorted by activity only, as on the platform.
        const { listedAt: _listedAt, ...found } = thread
        return [{ ...found, match }]
      }),
    total: () => known().total,
    hasMore: () => known().hasMore,
    freshness: () => {
      // A local result is as fresh as the local mail.
      if (isLocalOnlyQuery(query)) return freshness(threads.polledAt(inbox), inbox.id)
      const { platform } = known().searched
      return freshness(platform.state === 'not asked' ? null : platform.at, inbox.id)
    },
    searched: () => known().searched,
  }
}

/** @throws ProblemError `not_found` for an unknown inbox */
export const openList = (parts: ListParts, query: ThreadQuery, asking: ListOptions): OpenList => {
  const inbox = requireQueryInbox(parts.cache, query)
  const list = findCachedList(parts, inbox, query)
  if (list === null) return openSearch(parts, inbox, query, asking)
  return openKept(parts, inbox, asking.part === undefined ? list : { ...list, part: asking.part })
}
