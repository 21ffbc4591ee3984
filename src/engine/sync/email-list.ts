import type { CallOptions, ListPage, PageOptions } from '../platform/requests.ts'
import { catchMissing } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import type { AccountEmailStore, FetchedAccountEmail } from '../store/account-emails.ts'
import type { Cache } from '../store/cache.ts'
import { pollNews, startWatermark } from './sync-watermark.ts'
import type { RepeatedPageGuard } from '../own/repeated-pages.ts'
import type { CrawlStep } from './thread-sync.ts'
import type { Clock } from '../timing/clock.ts'
import { toCrawledPage, type TimedRow } from './crawl-page.ts'

interface EmailListParts<Fetched extends FetchedAccountEmail> {
  /** Name of the list's crawl progress and sync watermark in the cache. */
  readonly name: 'received' | 'sent e-mails'
  readonly cache: Pick<Cache, 'listProgress' | 'accountMeta' | 'inTransaction'>
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'now'>
  readonly list: (options: PageOptions) => Promise<ListPage<Fetched>>
  readonly get: (id: string, options: CallOptions) => Promise<Fetched>
  readonly store: Pick<
    AccountEmailStore<Fetched, unknown, unknown>,
    'storePage' | 'storeWhole' | 'markGone' | 'idsBetween'
  >
  readonly changed: () => void
  readonly repeatedPages: RepeatedPageGuard
}

const rowOf = ({ id, createdAt }: FetchedAccountEmail): TimedRow => ({ id, time: createdAt })

export class EmailListSync<Fetched extends FetchedAccountEmail> {
  readonly #parts: EmailListParts<Fetched>
  /** IDs of e-mails missing from the list page that should contain them. */
  readonly #unexplained = new Set<string>()

  constructor(parts: EmailListParts<Fetched>) {
    this.#parts = parts
  }

  /** Crawls the next page. Missing e-mails are left for `check` to look up. */
  async crawl(priority: Priority): Promise<CrawlStep> {
    const { name, cache, signal, clock, list, store, changed, repeatedPages } = this.#parts
    const { listProgress, accountMeta } = cache
    const crawl = listProgress.get(name)
    const content = name === 'received' ? 'received mail' : 'sent mail'
    const page = await repeatedPages.fetch(name, content, crawl.cursor ?? undefined, (after) =>
      list({ priority, signal, after }),
    )
    const rows = page.items.map(rowOf)
    const { next, covers, met } = toCrawledPage(crawl, rows, page.hasMore)
    const isChanged = cache.inTransaction(() => {
      listProgress.set(name, next)
      if (crawl.cursor === null) startWatermark(accountMeta, name, rows, clock.now())
      return store.storePage(page.items)
    })
    if (isChanged) changed()
    for (const id of met) this.#unexplained.delete(id)
    if (page.isWhole) {
      for (const id of store.idsBetween(covers.after, covers.upTo)) if (!met.has(id)) this.#unexplained.add(id)
    }
    return { rows: rows.length, isEnd: next.cursor === null }
  }

  /**
   * Fetches everything newer than the watermark. @returns the new e-mails, none without a watermark; null if it couldn't
   * finish
   */
  async news(priority: Priority): Promise<readonly Fetched[] | null> {
    const { name, cache, signal, clock, list, store, changed } = this.#parts
    const fresh: Fetched[] = []
    const isComplete = await pollNews(cache.accountMeta, name, clock, async (range, isNew) => {
      const page = await list({ priority, signal, ...range })
      if (store.storePage(page.items)) changed()
      fresh.push(...page.items.filter((item) => isNew(rowOf(item))))
      return { rows: page.items.map(rowOf), hasMore: page.hasMore }
    })
    return isComplete ? fresh : null
  }

  /** Checks one e-mail that is missing from the list. @returns false if none is left */
  async check(priority: Priority): Promise<boolean> {
    const [id] = this.#unexplained
    if (id === undefined) return false
    this.#unexplained.delete(id)
    try {
      await this.refetch(id, priority)
    } catch (thrown) {
      this.#unexplained.add(id)
      throw thrown
    }
    return true
  }

  /** Reads an e-mail again, or marks it as gone if the platform no longer has it. */
  async refetch(id: string, priority: Priority): Promise<void> {
    const { signal, get, store, changed } = this.#parts
    const email = await catchMissing(get(id, { priority, signal }))
    if (email === null) store.markGone(id)
    else store.storeWhole(email)
    changed()
  }
}
