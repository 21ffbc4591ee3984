import type { Events } from '../../shared/contract.ts'
import type { Label } from '../../shared/model.ts'
import { parseSearch, type SearchContext } from '../../shared/search/parse-search.ts'
import { renameLabels } from '../../shared/search/rename-labels.ts'
import type { ThreadFilter } from '../../shared/thread-query.ts'
import type { EventHub } from '../event-hub.ts'
import { clockHere } from '../search/clock-here.ts'
import { resolveQuery } from '../search/search-on-computer.ts'
import type { Cache } from '../store/cache.ts'
import type { OwnLists } from '../store/own-list.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { openKeptSearches, type KeptSearches } from './kept-searches.ts'
import { createUnreadCounts } from './unread-counts.ts'
import type { Service } from '../service.ts'
import type { Clock } from '../timing/clock.ts'

/** A person's own searches of an account, and how many unread threads the saved ones find. */
export interface AccountSearches extends Required<Service> {
  readonly searches: KeptSearches
  /** Call when the cache has everything that waits: from then on saved searches follow labels that are renamed. */
  readonly start: () => void
  /** Of a saved search; null for what is not known. From the first call on they are counted. */
  readonly unreadOf: (searchId: string) => number | null
  /** Counts again, a while later, what an event concerns. */
  readonly onEvent: Required<Service>['onEvent']
  /** More of the mail on this computer can be searched than before. */
  readonly countAgain: () => void
}

/** The unread threads that a text asks for; null where it has a fault, or asks for read ones. */
export const unreadFilter = (text: string, context: SearchContext): ThreadFilter | null => {
  const { filter, faults } = parseSearch(text, context)
  return faults.length > 0 || filter.read === true ? null : { ...filter, read: false }
}

export const openAccountSearches = (parts: {
  readonly own: OwnLists
  readonly cache: Pick<Cache, 'inboxes' | 'labels' | 'search'>
  readonly hub: Pick<EventHub, 'recentSearches' | 'savedSearches'>
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}): AccountSearches => {
  const { own, cache, hub, report, clock, signal } = parts
  const today = clockHere(clock.now)
  const searches = openKeptSearches(own, (list) => {
    if (list === 'recent') return hub.recentSearches()
    hub.savedSearches()
    noteLabels()
    counts.follow()
  })

  const labelsOf = (inboxId: string): readonly Label[] => {
    const inbox = cache.inboxes.get(inboxId)
    return inbox === undefined ? [] : cache.labels.all(inbox.key)
  }
  const contextOf = (inboxId: string): SearchContext => ({ ...today(), labels: labelsOf(inboxId) })

  /** The labels of the inboxes that saved searches look in, as their texts mean them. */
  const meant = new Map<string, readonly Label[]>()
  const noteLabels = (): void => {
    try {
      for (const { inboxId } of searches.saved()) if (!meant.has(inboxId)) meant.set(inboxId, labelsOf(inboxId))
    } catch (thrown) {
      // The account is about to be opened anew, and notes them then.
      if (!isCorrupt(thrown)) report(thrown)
    }
  }
  /** A label that is renamed, here or elsewhere, or whose new name is taken back, is the same label to a saved search. */
  const followLabels = ({ inboxId, replaced }: Events['labels.changed']): void => {
    const before = meant.get(inboxId)
    if (before === undefined) return
    const idNow = (id: string): string => replaced.find(({ was }) => was === id)?.id ?? id
    try {
      const now = labelsOf(inboxId)
      searches.rewrite((search) =>
        search.inboxId === inboxId ? renameLabels(search.text, before, now, idNow) : search.text,
      )
      meant.set(inboxId, now)
    } catch (thrown) {
      // They mean what they meant before, and follow with the next change of a label.
      if (!isCorrupt(thrown)) report(thrown)
    }
  }
  const counts = createUnreadCounts({
    saved: searches.saved,
    filterOf: ({ inboxId, text }) => unreadFilter(text, contextOf(inboxId)),
    countSome: (inboxId, filter, from, threads) =>
      cache.search.countThreads(resolveQuery({ id: inboxId }, filter, today()), from, threads),
    changed: hub.savedSearches,
    failed: (thrown) => {
      // The account is about to be opened anew, and counts then.
      if (!isCorrupt(thrown)) report(thrown)
    },
    clock,
    signal,
  })

  return {
    searches,
    start: noteLabels,
    unreadOf: counts.of,
    onEvent: ({ name, payload }) => {
      // What it changes is told in a turn of its own, not amid what is being told now.
      if (name === 'labels.changed') queueMicrotask(() => !signal.aborted && followLabels(payload))
      if (name === 'threads.changed' || name === 'emails.changed' || name === 'labels.changed') {
        counts.touch(payload.inboxId)
      }
    },
    countAgain: () => counts.touch(null),
    ended: counts.ended,
  }
}
