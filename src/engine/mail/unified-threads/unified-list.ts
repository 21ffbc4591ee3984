import type {
  Freshness,
  ListedThread,
  LocalSearchCoverage,
  PlatformSearchState,
  SearchCoverage,
  ThreadPage,
} from '../../../shared/model.ts'
import type { OpenList } from '../threads/open-list.ts'
import { mergeRows, splitWindow } from './merge-lists.ts'

/** An inbox's list. */
export interface PlacedList {
  readonly accountId: string
  readonly list: OpenList
}

const earliest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Combined freshness: that of the stalest list. */
const mergeFreshness = (all: readonly Freshness[]): Freshness => {
  if (all.length === 0 || all.some(({ state }) => state === 'never')) return { state: 'never', at: null }
  const state = all.every((each) => each.state === 'live') ? 'live' : 'cached'
  return { state, at: earliest(all.map(({ at }) => at)) }
}

const mergeExtents = (extents: readonly (LocalSearchCoverage | null)[]): LocalSearchCoverage | null => {
  const known = extents.filter((extent) => extent !== null)
  if (known.length === 0) return null
  const spellings = [...new Set(known.flatMap((extent) => extent.spellings ?? []))]
  const { emails, of } = known.reduce((sum, each) => ({ emails: sum.emails + each.emails, of: sum.of + each.of }))
  return { emails, of, ...(spellings.length > 0 && { spellings }) }
}

/** A waiting search may still bring rows. If no search is waiting, report a failed one, which the user can act on. */
const mergePlatforms = (answers: readonly PlatformSearchState[]): PlatformSearchState => {
  const at = earliest(answers.map((answer) => (answer.state === 'not asked' ? null : answer.at)))
  if (answers.some(({ state }) => state === 'waiting')) return { state: 'waiting', at }
  const failed = answers.find((answer) => answer.state === 'failed')
  if (failed !== undefined) return { ...failed, at }
  return at === null || answers.some(({ state }) => state === 'not asked')
    ? { state: 'not asked' }
    : { state: 'answered', at }
}

/** Combined status of several searches; null if there are none. */
const mergeSearched = (all: readonly (SearchCoverage | null)[]): SearchCoverage | null => {
  const searches = all.filter((searched) => searched !== null)
  if (searches.length === 0) return null
  return {
    computer: mergeExtents(searches.map(({ computer }) => computer)),
    platform: mergePlatforms(searches.map(({ platform }) => platform)),
    isCapped: searches.some(({ isCapped }) => isCapped),
    mayLag: searches.some(({ mayLag }) => mayLag),
  }
}

/**
 * A window of several lists as one: latest activity first; ties keep the order of the lists. Finishes in one turn, so no
 * write can interfere.
 * @param toRow gives a row the IDs under which it leaves the engine
 */
export const readUnifiedList = (
  lists: readonly PlacedList[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
  toRow: (row: ListedThread, of: PlacedList) => ListedThread,
): ThreadPage => {
  const parts = splitWindow(
    lists.map(({ list }) => list),
    { offset, limit },
  )
  // Ask for one more row than shown, as the platform may have rows that belong above it.
  lists.forEach(({ list }, at) => list.request((parts[at]?.offset ?? 0) + (parts[at]?.rows ?? 0) + 1))
  const rows = lists.map((of, at): readonly ListedThread[] => {
    const part = parts[at]
    if (part === undefined || part.rows === 0) return []
    return of.list.rows(part.place, part.rows).map((row) => toRow(row, of))
  })
  return {
    items: mergeRows(rows),
    offset,
    total: lists.reduce((sum, { list }) => sum + list.total(), 0),
    hasMore: lists.some(({ list }) => list.hasMore()),
    freshness: mergeFreshness(lists.map(({ list }) => list.freshness())),
    searched: mergeSearched(lists.map(({ list }) => list.searched())),
  }
}
