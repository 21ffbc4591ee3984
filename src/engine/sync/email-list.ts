import type { CallOptions, ListPage, PageOptions } from '../api/requests.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { AccountEmailStore, FetchedAccountEmail } from '../store/account-emails.ts'
import type { Cache } from '../store/cache.ts'
import { groundOf, keepGround, lookForNews, nextGround } from './known-ground.ts'
import type { WalkStep } from './thread-sync.ts'
import { walkPage, type TimedRow } from './walk-page.ts'

/** A list's newest rows, which a look for news asks for where it has met the list before. */
const NEWS_LIMIT = 25

/** One of the account's lists of e-mails: the platform's calls, the cache's store, and who is told. */
interface EmailListParts<Fetched extends FetchedAccountEmail> {
  readonly list: (options: PageOptions) => Promise<ListPage<Fetched>>
  readonly get: (id: string, options: CallOptions) => Promise<Fetched>
  readonly store: Pick<
    AccountEmailStore<Fetched, unknown, unknown>,
    'storePage' | 'storeWhole' | 'markGone' | 'idsBetween'
  >
  readonly changed: () => void
}

export interface EmailListSync {
  /** The next page. What it should have held and does not is left to `check`. */
  readonly walk: (priority: Priority) => Promise<WalkStep>
  /** Everything newer than what was seen last. @returns false where the look did not come to its end */
  readonly news: (priority: Priority) => Promise<boolean>
  /** Asks about one e-mail that the list should show and does not. @returns false where none is left */
  readonly check: (priority: Priority) => Promise<boolean>
}

/**
 * Fetches one of the account's lists of e-mails into the cache, a page at a time.
 * @param name under which the cache remembers how far the list was walked, and what of it is known
 * @param now wall time, milliseconds since the epoch
 */
export const createEmailListSync = <Fetched extends FetchedAccountEmail>(
  name: string,
  cache: Pick<Cache, 'walks' | 'facts' | 'together'>,
  signal: AbortSignal,
  { list, get, store, changed }: EmailListParts<Fetched>,
  now: () => number,
): EmailListSync => {
  /** E-mails that a page of the list should have shown. */
  const unexplained = new Set<string>()
  const rowOf = ({ id, createdAt }: Fetched): TimedRow => ({ id, time: createdAt })

  const verify = async (id: string, priority: Priority): Promise<void> => {
    try {
      store.storeWhole(await get(id, { priority, signal }))
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      store.markGone(id)
      changed()
    }
  }

  return {
    walk: async (priority) => {
      const walk = cache.walks.get(name)
      const page = await list({ priority, signal, after: walk.cursor ?? undefined })
      const rows = page.items.map(rowOf)
      const { next, covers, met } = walkPage(walk, rows, page.hasMore)
      const isChanged = cache.together(() => {
        cache.walks.set(name, next)
        // What arrives from here on is for the looks for news, whenever the first of them comes.
        if (walk.cursor === null && groundOf(cache.facts, name) === null) {
          keepGround(cache.facts, name, nextGround(null, rows, now()))
        }
        return store.storePage(page.items)
      })
      if (isChanged) changed()
      for (const id of met) unexplained.delete(id)
      if (page.isWhole) {
        for (const id of store.idsBetween(covers.after, covers.upTo)) if (!met.has(id)) unexplained.add(id)
      }
      return { rows: rows.length, isEnd: next.cursor === null }
    },
    news: async (priority) => {
      const ground = groundOf(cache.facts, name)
      const seen = await lookForNews(ground, async (after) => {
        const limit = after === undefined && ground !== null ? { limit: NEWS_LIMIT } : {}
        const page = await list({ priority, signal, after, ...limit }).catch((thrown: unknown) => {
          if (after === undefined || !lacksOperation(thrown)) throw thrown
          return null
        })
        if (page === null) return null
        if (store.storePage(page.items)) changed()
        return { rows: page.items.map(rowOf), hasMore: page.hasMore }
      })
      if (seen === null) return false
      keepGround(cache.facts, name, nextGround(ground, seen, now()))
      return true
    },
    check: async (priority) => {
      const [id] = unexplained
      if (id === undefined) return false
      unexplained.delete(id)
      try {
        await verify(id, priority)
      } catch (thrown) {
        unexplained.add(id)
        throw thrown
      }
      return true
    },
  }
}
