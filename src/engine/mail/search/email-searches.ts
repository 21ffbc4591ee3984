/** Searches account-wide lists. Only the local index can search these. Results are kept until the list changes. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EmailQuery } from '../../../shared/email-query.ts'
import type { WithExcerpt } from '../../../shared/model.ts'
import type { Clock } from '../../../shared/search/date-bounds.ts'
import { toWordTerms } from '../../../shared/search/highlight-terms.ts'
import { resolveDates } from '../../store/search-index/search-query.ts'
import type { AccountEmailStore } from '../../store/account-emails.ts'
import { createRecentMap } from '../../timing/recent-map.ts'
import { createYielder } from '../../timing/turns.ts'
import { findExcerpt } from './excerpt.ts'

/** Longest time to block the engine's thread, in milliseconds. */
const TURN_MS = 8
/** Maximum cached searches: enough for a few windows and for the prefixes typed so far. */
const MAX_CACHED = 8

interface CachedSearch {
  /** Version of the list when the first row was found. */
  version: number
  rowKeys: number[]
  /** Row to continue after; null at the top. */
  next: number | null
  isEnd: boolean
  /** Serialises the reads of one search. */
  reading: Promise<unknown>
}

const NOT_BEGUN = { version: -1, next: null, isEnd: false, reading: Promise.resolve() }

type SearchedStore<Listed> = Pick<AccountEmailStore<never, Listed, unknown>, 'search' | 'searchVersion' | 'found'>

interface FoundEmails<Listed> {
  readonly items: readonly WithExcerpt<Listed>[]
  /** Rows found so far. */
  readonly total: number
  readonly hasMore: boolean
}

export class EmailSearches<Listed> {
  readonly #store: SearchedStore<Listed>
  readonly #clock: () => Clock
  readonly #signal: AbortSignal
  readonly #searches = createRecentMap<CachedSearch>(MAX_CACHED)

  /** @param signal stops a running search, which throws the signal's reason */
  constructor(store: SearchedStore<Listed>, clock: () => Clock, signal: AbortSignal) {
    this.#store = store
    this.#clock = clock
    this.#signal = signal
  }

  /** Returns a window of the results, newest first. Works in short turns of the engine's thread. */
  read(
    query: EmailQuery,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<FoundEmails<Listed>> {
    const key = JSON.stringify(query)
    const found = this.#searches.put(key, this.#searches.get(key) ?? { ...NOT_BEGUN, rowKeys: [] })
    const reading = found.reading.then(async () => {
      // One extra row shows whether there are more.
      await this.#extend(found, query, offset + limit + 1)
      const { rowKeys, isEnd } = found
      const items = await this.#readRows(rowKeys.slice(offset, offset + limit), query)
      return { items, total: isEnd ? rowKeys.length : rowKeys.length - 1, hasMore: !isEnd }
    })
    found.reading = reading.catch(() => undefined)
    return reading
  }

  #restart(found: CachedSearch): void {
    found.version = this.#store.searchVersion()
    found.rowKeys = []
    found.next = null
    found.isEnd = false
  }

  async #extend(found: CachedSearch, query: EmailQuery, wanted: number): Promise<void> {
    // Relative dates shift over time, so finished results with dates are searched again.
    const hasDates = query.since !== null || query.until !== null
    if (found.version !== this.#store.searchVersion() || (hasDates && found.isEnd)) this.#restart(found)
    const asked = resolveDates(query, this.#clock())
    while (!found.isEnd && found.rowKeys.length < wanted) {
      const limit = wanted - found.rowKeys.length
      const step = this.#store.search(asked, found.next, { limit, milliseconds: TURN_MS })
      if (step === null) {
        this.#restart(found)
        continue
      }
      found.rowKeys.push(...step.rowKeys)
      found.next = step.next
      found.isEnd = step.next === null
      if (found.isEnd || found.rowKeys.length >= wanted) return
      await nextTurn()
      this.#signal.throwIfAborted()
    }
  }

  async #readRows(rowKeys: readonly number[], query: EmailQuery): Promise<readonly WithExcerpt<Listed>[]> {
    const terms = toWordTerms(query).filter(({ isExcluded }) => !isExcluded)
    const items: WithExcerpt<Listed>[] = []
    const yieldTurn = createYielder()
    for (const rowKey of rowKeys) {
      const email = this.#store.found(rowKey)
      if (email === undefined) continue
      items.push({ ...email.listed, excerpt: terms.length === 0 ? null : findExcerpt(email.searchable, terms) })
      await yieldTurn()
      this.#signal.throwIfAborted()
    }
    return items
  }
}
