import type { CallOptions, PageOptions } from '../api/mail-platform.ts'
import { toTime } from '../api/model-from-wire.ts'
import type { Priority } from '../api/request-budget.ts'
import type { WirePage } from '../api/wire.ts'
import type { AccountEmailStore } from '../store/account-emails.ts'
import type { Cache } from '../store/cache.ts'
import type { WalkStep } from './thread-sync.ts'
import { walkPage } from './walk-page.ts'

/** A list's newest rows, which a look for news asks for. */
const NEWS_LIMIT = 25

/** One of the account's lists of e-mails: the platform's calls, the cache's store, and who is told. */
interface EmailListParts<Wire> {
  readonly list: (options: PageOptions) => Promise<WirePage<Wire>>
  readonly get: (id: string, options: CallOptions) => Promise<Wire>
  readonly store: Pick<
    AccountEmailStore<Wire, unknown, unknown>,
    'storePage' | 'storeWhole' | 'markGone' | 'idsBetween'
  >
  readonly changed: () => void
}

export interface EmailListSync {
  /** The next page, and what it should have held and does not is asked about by itself. */
  readonly walk: (priority: Priority) => Promise<WalkStep>
  /** The newest e-mails. */
  readonly news: (priority: Priority) => Promise<void>
}

/**
 * Fetches one of the account's lists of e-mails into the cache, a page at a time.
 * @param name under which the cache remembers how far the list was walked
 * @param isMissing whether an error says that the platform does not have what was asked for
 */
export const createEmailListSync = <
  Wire extends { readonly id: string; readonly created_at?: string | null | undefined },
>(
  name: string,
  cache: Pick<Cache, 'walks' | 'together'>,
  signal: AbortSignal,
  isMissing: (thrown: unknown) => boolean,
  { list, get, store, changed }: EmailListParts<Wire>,
): EmailListSync => {
  const verify = async (id: string, priority: Priority): Promise<void> => {
    try {
      store.storeWhole(await get(id, { priority, signal }))
    } catch (thrown) {
      if (!isMissing(thrown)) throw thrown
      store.markGone(id)
      changed()
    }
  }

  return {
    walk: async (priority) => {
      const walk = cache.walks.get(name)
      const page = await list({ priority, signal, after: walk.cursor ?? undefined })
      const rows = page.items.map(({ id, created_at: time }) => ({ id, time: toTime(time) }))
      const { next, covers, met } = walkPage(walk, rows, page.hasMore)
      const isChanged = cache.together(() => {
        cache.walks.set(name, next)
        return store.storePage(page.items)
      })
      if (isChanged) changed()
      const missing = store.idsBetween(covers.after, covers.upTo).filter((id) => !met.has(id))
      for (const id of missing) await verify(id, priority)
      return { rows: rows.length, isEnd: next.cursor === null }
    },
    news: async (priority) => {
      const { items } = await list({ priority, signal, limit: NEWS_LIMIT })
      if (store.storePage(items)) changed()
    },
  }
}
