import type { MailPlatform } from '../api/mail-platform.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { FRESH_WALK, type Walk } from '../store/walks.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import type { RepeatedPages } from './repeated-pages.ts'
import type { WalkStep } from './thread-sync.ts'

/** The name under which the cache remembers how far the list was walked. */
export const CONTACTS = 'contacts'
/** The most pages that one look for news reads: what it leaves is walked when nothing else is to be done. */
const MOST_PAGES = 20
/** The fact that a look has left contacts, which outlives an end. */
const LEFT = 'contacts left'

/** There are contacts that this computer does not have: the list is walked when nothing else is to be done. */
export const leaveContacts = (cache: Pick<Cache, 'walks' | 'facts' | 'together'>): void =>
  cache.together(() => {
    // The walk that is due begins anew: the round in which some were met may be over, and the next one has to meet every
    // contact itself before it takes any for gone.
    cache.walks.set(CONTACTS, { ...FRESH_WALK, rounds: cache.walks.get(CONTACTS).rounds })
    cache.facts.set(LEFT, 1)
  })

interface ContactListParts {
  readonly platform: Pick<MailPlatform, 'listContacts'>
  readonly cache: Pick<Cache, 'walks' | 'facts' | 'contacts' | 'together'>
  readonly hub: Pick<EventHub, 'contacts'>
  readonly signal: AbortSignal
  readonly clock?: Pick<Clock, 'elapsed'>
  readonly repeatedPages: RepeatedPages
}

/** Fetches the account's list of contacts into the cache, a page at a time. */
export class ContactListSync {
  readonly #parts: ContactListParts

  constructor(parts: ContactListParts) {
    this.#parts = parts
  }

  /** Whether a look for news has left some, which are still to be walked. */
  areLeft(): boolean {
    return this.#parts.cache.facts.number(LEFT) === 1
  }

  /** The next page. */
  async walk(priority: Priority): Promise<WalkStep> {
    const { platform, cache, hub, signal, clock = systemClock, repeatedPages } = this.#parts
    const walk = cache.walks.get(CONTACTS)
    const askedAt = clock.elapsed()
    const page = await repeatedPages.fetch(CONTACTS, CONTACTS, walk.cursor ?? undefined, (after) =>
      platform.listContacts({ priority, signal, after }),
    )
    const last = page.items.at(-1)
    const comesToEnd = !page.hasMore || last === undefined
    const { isChanged, isEnd } = cache.together(() => {
      const round = cache.walks.get(CONTACTS).rounds + 1
      const stored = cache.contacts.storePage(page.items, round, askedAt)
      if (!page.isWhole) cache.contacts.spareAll(round)
      // What was not met is gone only where all before this page was met in the same round.
      if (!this.#isWalkFrom(walk)) return { isChanged: stored, isEnd: false }
      const swept = comesToEnd && cache.contacts.sweep(round)
      cache.walks.set(CONTACTS, {
        ...walk,
        cursor: comesToEnd ? null : last.id,
        rounds: comesToEnd ? round : walk.rounds,
      })
      if (comesToEnd) cache.facts.set(LEFT, 0)
      return { isChanged: stored || swept, isEnd: comesToEnd }
    })
    if (isChanged) hub.contacts()
    return { rows: page.items.length, isEnd }
  }

  /** The order of contacts is not promised (contract, 4): a look goes on while its pages bring one that is new. */
  async news(priority: Priority): Promise<void> {
    const { platform, cache, hub, signal, clock = systemClock } = this.#parts
    let after: string | undefined
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const askedAt = clock.elapsed()
      const page = await platform.listContacts({ priority, signal, after })
      const brought = page.items.some(({ id }) => !cache.contacts.has(id))
      // The round of now: one that began with the look may be over.
      const round = cache.walks.get(CONTACTS).rounds + 1
      if (cache.contacts.storePage(page.items, round, askedAt)) hub.contacts()
      after = page.items.at(-1)?.id
      if (!brought || !page.hasMore || after === undefined) return
    }
    leaveContacts(cache)
  }

  /** Whether the contacts are still to be walked from there: meanwhile a look may have had the walk begin anew. */
  #isWalkFrom({ cursor, rounds }: Walk): boolean {
    const now = this.#parts.cache.walks.get(CONTACTS)
    return now.cursor === cursor && now.rounds === rounds
  }
}
