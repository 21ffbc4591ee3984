import { ASSIGNED_QUERIES, isAssigneeLabel, type AssignedQuery } from '../../shared/assignees.ts'
import type { LinnetEvent, UnreadAssigned } from '../../shared/contract.ts'
import { KIND_TABS, type InboxTab } from '../../shared/inbox-tabs.ts'
import type { Label } from '../../shared/model.ts'
import { parseSearch, type SearchContext } from '../../shared/search/parse-search.ts'
import { withOpenWord, type ThreadFilter } from '../../shared/thread-query.ts'
import type { EventHub } from '../event-hub.ts'
import { clockHere } from '../search/clock-here.ts'
import { resolveQuery } from '../search-index/search-query.ts'
import type { Cache } from '../store/cache.ts'
import type { OwnLists } from '../store/own-list.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { KeptSearches } from './kept-searches.ts'
import { MeantLabels } from '../search/meant-labels.ts'
import { UnreadCounts, type CountedSearch } from './unread-counts.ts'
import type { Service } from '../service.ts'
import type { Clock } from '../timing/clock.ts'

/** The unread threads that a text asks for; null where it has a fault, or asks for read ones. */
export const unreadFilter = (text: string, context: SearchContext): ThreadFilter | null => {
  const { filter, faults } = parseSearch(text, context)
  return faults.length > 0 || filter.read === true ? null : { ...filter, read: false }
}

/** The unread threads of the inbox that a tab's text asks for; as `unreadFilter`. */
const unreadInInbox = (text: string, context: SearchContext): ThreadFilter | null => {
  const filter = unreadFilter(text, context)
  return filter && { ...filter, folders: ['inbox'] }
}

/** What a tab is counted by: apart from the saved search that it is made of, which looks elsewhere. */
const countOf = (inboxId: string, { id }: Pick<InboxTab, 'id'>): string => `tab ${id} of ${inboxId}`
const ASSIGNED = Object.keys(ASSIGNED_QUERIES) as readonly AssignedQuery[]
const assignedId = (inboxId: string, query: AssignedQuery): string => `${query} ${inboxId}`

interface AccountSearchesParts {
  readonly own: OwnLists
  readonly cache: Pick<Cache, 'inboxes' | 'labels' | 'threadSearch'>
  readonly hub: Pick<EventHub, 'recentSearches' | 'savedSearches'>
  /** Who `assigned:me` is. */
  readonly me: () => readonly string[]
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** A person's own searches of an account, and how many unread threads the saved ones find. */
export class AccountSearches implements Service {
  readonly searches: KeptSearches
  readonly #parts: AccountSearchesParts
  readonly #counts: UnreadCounts
  readonly #today: ReturnType<typeof clockHere>
  readonly #meant: MeantLabels
  /** Counted as if they were saved: who has what is in the inboxes in which anybody has anything. */
  #assigned: readonly CountedSearch[] = []

  /** Inboxes whose tabs a window has asked for. */
  readonly #split = new Set<string>()

  constructor(parts: AccountSearchesParts) {
    const { own, cache, hub, me, report, clock, signal } = parts
    this.#parts = parts
    this.#today = clockHere(clock.now)
    this.searches = new KeptSearches(own, (list) => this.#listChanged(list))
    this.#meant = new MeantLabels({
      labelsOf: (inboxId) => this.#labelsOf(inboxId),
      inboxIds: () => this.searches.saved().map(({ inboxId }) => inboxId),
      rewrite: (inboxId, rename) =>
        this.searches.rewrite((search) => (search.inboxId === inboxId ? rename(search.text) : search.text)),
      ...{ report, signal },
    })
    this.#counts = new UnreadCounts({
      counted: () => [
        ...this.searches.saved(),
        ...this.#assigned,
        ...[...this.#split].flatMap((inboxId) => this.#countedTabs(inboxId)),
      ],
      filterOf: ({ inboxId, text, isOfTab }) => {
        const context = { ...this.#today(), labels: this.#labelsOf(inboxId), me: me() }
        return isOfTab === true ? unreadInInbox(text, context) : unreadFilter(text, context)
      },
      countSome: (inboxId, filter, from, threads) =>
        cache.threadSearch.count(
          resolveQuery({ ...withOpenWord(filter), inboxIds: [inboxId] }, this.#today()),
          from,
          threads,
        ),
      changed: hub.savedSearches,
      // They are counted again once the account is opened anew.
      failed: (thrown) => this.#reportUnlessCorrupt(thrown),
      clock,
      signal,
    })
  }

  /** Call when the cache has everything that waits: from then on saved searches follow labels that are renamed. */
  start(): void {
    this.#meant.note()
    this.#noteAssigned()
  }

  /** Count again, a while later, what an event concerns. */
  onEvent(event: LinnetEvent): void {
    const { name, payload } = event
    this.#meant.onEvent(event)
    if (name === 'labels.changed' || name === 'inboxes.changed') this.#noteAssigned()
    if (name === 'threads.changed' || name === 'emails.changed' || name === 'labels.changed') {
      this.#counts.touch(payload.inboxId)
    }
  }

  ended(): Promise<void> {
    return this.#counts.ended()
  }

  /** How many a saved search finds; null for what is not known. From the first call on they are counted. */
  unreadOf(searchId: string): number | null {
    return this.#counts.of(searchId)
  }

  /** The tabs over an inbox, in their order. From the first call on their unread threads are counted. */
  tabs(inboxId: string): readonly InboxTab[] {
    if (!this.#split.has(inboxId)) {
      this.#split.add(inboxId)
      this.#counts.follow()
    }
    return this.#tabsOf(inboxId).map((tab) => ({ ...tab, unread: this.#counts.of(countOf(inboxId, tab)) }))
  }

  /** How many unread threads in an inbox are the person's, and nobody's. From the first call on they are counted. */
  unreadAssigned(inboxId: string): UnreadAssigned {
    const unread = (query: AssignedQuery): number | null => this.#counts.of(assignedId(inboxId, query))
    return { mine: unread('mine'), nobodys: unread('nobodys') }
  }

  /** More of the mail on this computer can be searched than before. */
  countAgain(): void {
    this.#counts.touch(null)
  }

  #listChanged(list: 'saved' | 'recent'): void {
    const { hub } = this.#parts
    if (list === 'recent') return hub.recentSearches()
    hub.savedSearches()
    this.#meant.note()
    this.#counts.follow()
  }

  #tabsOf(inboxId: string): readonly InboxTab[] {
    const searches = this.searches.tabsOf(inboxId).map(({ id, name, text }) => ({ id, name, text, unread: null }))
    return [...KIND_TABS, ...searches]
  }

  #countedTabs(inboxId: string): readonly CountedSearch[] {
    return this.#tabsOf(inboxId).map((tab) => ({ id: countOf(inboxId, tab), inboxId, text: tab.text, isOfTab: true }))
  }

  #labelsOf(inboxId: string): readonly Label[] {
    const { inboxes, labels } = this.#parts.cache
    const inbox = inboxes.get(inboxId)
    return inbox === undefined ? [] : labels.all(inbox.key)
  }

  #noteAssigned(): void {
    try {
      const { inboxes, labels } = this.#parts.cache
      this.#assigned = inboxes
        .all()
        .filter(({ key }) => labels.all(key).some(isAssigneeLabel))
        .flatMap(({ inbox: { id: inboxId } }) =>
          ASSIGNED.map((query) => ({
            ...{ id: assignedId(inboxId, query), inboxId, name: query, text: ASSIGNED_QUERIES[query] },
          })),
        )
      this.#counts.follow()
    } catch (thrown) {
      this.#reportUnlessCorrupt(thrown)
    }
  }

  /** An account whose cache is damaged is about to be opened anew. */
  #reportUnlessCorrupt(thrown: unknown): void {
    if (!isCorrupt(thrown)) this.#parts.report(thrown)
  }
}
