import type { EngineService, EventListeners } from '../../timing/loop.ts'
import { ASSIGNED_QUERIES, isAssigneeLabel, type AssignedQuery } from '../../../shared/assignees.ts'
import type { AssignedUnreadCounts } from '../../../shared/contract.ts'
import { KIND_TABS, type InboxTab } from '../../../shared/inbox-tabs.ts'
import { parseSearch, type SearchContext } from '../../../shared/search/parse-search.ts'
import { withPrefixTerm, type ThreadFilter } from '../../../shared/thread-query.ts'
import type { EventHub } from '../event-hub.ts'
import { createLocalClock } from '../../timing/clock.ts'
import { resolveQuery } from '../../store/search-index/search-query.ts'
import { searchLabelsIn } from '../inbox-lookups.ts'
import type { Cache } from '../../store/cache.ts'
import type { LocalLists } from '../local-list.ts'
import { attempt } from '../../store/storage-problem.ts'
import { SearchStore } from './search-store.ts'
import { SavedSearchLabels } from './saved-search-labels.ts'
import { UnreadCounts, type CountedSearch } from './unread-counts.ts'
import type { Clock } from '../../timing/clock.ts'

/** Filter for the unread threads that a search finds; null if the search is invalid or asks for read threads. */
export const toUnreadFilter = (text: string, context: SearchContext): ThreadFilter | null => {
  const { filter, faults } = parseSearch(text, context)
  return faults.length > 0 || filter.read === true ? null : { ...filter, read: false }
}

const unreadInInbox = (text: string, context: SearchContext): ThreadFilter | null => {
  const filter = toUnreadFilter(text, context)
  return filter && { ...filter, folders: ['inbox'] }
}

/** Count ID of a tab; not its saved search's ID, since a tab and its saved search cover different folders. */
const countIdOf = (inboxId: string, { id }: Pick<InboxTab, 'id'>): string => `tab ${id} of ${inboxId}`
const ASSIGNED = Object.keys(ASSIGNED_QUERIES) as readonly AssignedQuery[]
const assignedId = (inboxId: string, query: AssignedQuery): string => `${query} ${inboxId}`

interface AccountSearchesParts {
  readonly own: LocalLists
  readonly cache: Pick<Cache, 'inboxes' | 'labels' | 'threadLists' | 'threadSearch'>
  readonly hub: Pick<EventHub, 'recentSearches' | 'savedSearches'>
  readonly me: () => readonly string[]
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

export class AccountSearches implements EngineService {
  readonly listeners: EventListeners = {
    'labels.changed': (payload) => {
      this.#searchLabels.labelsChanged(payload)
      this.#updateAssigned()
      this.#counts.mailChanged(payload.inboxId)
    },
    'inboxes.changed': () => this.#updateAssigned(),
    'assignees.changed': () => {
      this.#updateAssigned()
      this.recount()
    },
    'threads.changed': ({ inboxId }) => this.#counts.mailChanged(inboxId),
    'emails.changed': ({ inboxId }) => this.#counts.mailChanged(inboxId),
  }
  readonly searches: SearchStore
  readonly #parts: AccountSearchesParts
  readonly #counts: UnreadCounts
  readonly #today: ReturnType<typeof createLocalClock>
  readonly #searchLabels: SavedSearchLabels
  /** Searches for mail assigned to the user or to nobody, in inboxes with assigned threads. */
  #assigned: readonly CountedSearch[] = []

  /** IDs of inboxes whose tabs a window has requested. */
  readonly #tabbedInboxIds = new Set<string>()

  constructor(parts: AccountSearchesParts) {
    const { own, cache, hub, me, report, clock, signal } = parts
    this.#parts = parts
    this.#today = createLocalClock(clock.now)
    this.searches = new SearchStore(own, (list) => this.#listChanged(list))
    this.#searchLabels = new SavedSearchLabels({
      inboxIds: () => this.searches.entries.map(({ inboxId }) => inboxId),
      rewrite: (inboxId, rename) =>
        this.searches.rewriteTexts((search) => (search.inboxId === inboxId ? rename(search.text) : search.text)),
      ...{ cache, report, signal },
    })
    this.#counts = new UnreadCounts({
      counted: () => [
        ...this.searches.entries,
        ...this.#assigned,
        ...[...this.#tabbedInboxIds].flatMap((inboxId) => this.#countedTabs(inboxId)),
      ],
      filterOf: ({ inboxId, text, isOfTab }) => {
        const context = { ...this.#today(), labels: searchLabelsIn(cache, inboxId), me: me() }
        return isOfTab === true ? unreadInInbox(text, context) : toUnreadFilter(text, context)
      },
      countSome: (inboxId, filter, from, threads) =>
        cache.threadSearch.count(
          resolveQuery({ ...withPrefixTerm(filter), inboxIds: [inboxId] }, this.#today()),
          from,
          threads,
        ),
      changed: hub.savedSearches,
      ...{ failed: report, clock, signal },
    })
  }

  /** Call once the cache includes all pending changes. From then on, saved searches follow label renames. */
  start(): void {
    this.#searchLabels.note()
    this.#updateAssigned()
  }

  ended(): Promise<void> {
    return this.#counts.ended()
  }

  /** Number of unread threads that a saved search finds, or null if unknown. The first call starts counting. */
  unreadOf(searchId: string): number | null {
    return this.#counts.of(searchId)
  }

  /** Tabs of an inbox, in order. The first call starts counting their unread threads. */
  tabs(inboxId: string): readonly InboxTab[] {
    if (!this.#tabbedInboxIds.has(inboxId)) {
      this.#tabbedInboxIds.add(inboxId)
      this.#counts.searchesChanged()
    }
    return this.#tabsOf(inboxId).map((tab) => ({ ...tab, unread: this.#counts.of(countIdOf(inboxId, tab)) }))
  }

  /** Number of unread threads assigned to the user and to nobody. The first call starts counting. */
  unreadAssigned(inboxId: string): AssignedUnreadCounts {
    const unread = (query: AssignedQuery): number | null => this.#counts.of(assignedId(inboxId, query))
    return { mine: unread('mine'), nobodys: unread('nobodys') }
  }

  /** Call when more local mail has become searchable. */
  recount(): void {
    this.#counts.mailChanged(null)
  }

  #listChanged(list: 'saved' | 'recent'): void {
    const { hub } = this.#parts
    if (list === 'recent') return hub.recentSearches()
    hub.savedSearches()
    this.#searchLabels.note()
    this.#counts.searchesChanged()
  }

  #tabsOf(inboxId: string): readonly InboxTab[] {
    const searches = this.searches.tabsOf(inboxId).map(({ id, name, text }) => ({ id, name, text, unread: null }))
    return [...KIND_TABS, ...searches]
  }

  #countedTabs(inboxId: string): readonly CountedSearch[] {
    return this.#tabsOf(inboxId).map((tab) => ({ id: countIdOf(inboxId, tab), inboxId, text: tab.text, isOfTab: true }))
  }

  #updateAssigned(): void {
    attempt(() => {
      const { cache } = this.#parts
      this.#assigned = cache.inboxes
        .all()
        .filter(({ inbox }) => searchLabelsIn(cache, inbox.id).some(isAssigneeLabel))
        .flatMap(({ inbox: { id: inboxId } }) =>
          ASSIGNED.map((query) => ({
            ...{ id: assignedId(inboxId, query), inboxId, name: query, text: ASSIGNED_QUERIES[query] },
          })),
        )
      this.#counts.searchesChanged()
    }, this.#parts.report)
  }
}
