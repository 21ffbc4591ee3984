import type { Priority } from '../platform/request-budget.ts'
import { CONTACTS, scheduleContactCrawl, UNCRAWLED_KEY } from '../store/contact-crawl.ts'
import type { AccountServices } from './account-services.ts'
import type { RepeatedPageGuard } from '../own/repeated-pages.ts'
import type { CrawlStep } from './thread-sync.ts'

/** Maximum pages read per poll. The rest is crawled while the sync is idle. */
const MAX_PAGES = 20

interface ContactListParts extends Pick<AccountServices, 'platform' | 'cache' | 'hub' | 'signal' | 'clock'> {
  readonly repeatedPages: RepeatedPageGuard
}

export class ContactListSync {
  readonly #parts: ContactListParts

  constructor(parts: ContactListParts) {
    this.#parts = parts
  }

  needsCrawl(): boolean {
    return this.#parts.cache.accountMeta.number(UNCRAWLED_KEY) === 1
  }

  async crawl(priority: Priority): Promise<CrawlStep> {
    const { platform, cache, hub, signal, clock, repeatedPages } = this.#parts
    const crawl = cache.listProgress.get(CONTACTS)
    const askedAt = clock.elapsed()
    const page = await repeatedPages.fetch(CONTACTS, CONTACTS, crawl.cursor ?? undefined, (after) =>
      platform.listContacts({ priority, signal, after }),
    )
    const last = page.items.at(-1)
    const comesToEnd = !page.hasMore || last === undefined
    const { isChanged, isEnd } = cache.inTransaction(() => {
      const now = cache.listProgress.get(CONTACTS)
      const round = now.rounds + 1
      const stored = cache.contacts.storePage(page.items, round, askedAt)
      if (!page.isWhole) cache.contacts.markAllFound(round)
      // Contacts may only be removed if this same round read all earlier pages: a poll may have restarted the crawl.
      if (now.cursor !== crawl.cursor || now.rounds !== crawl.rounds) return { isChanged: stored, isEnd: false }
      const swept = comesToEnd && cache.contacts.removeMissing(round)
      cache.listProgress.set(CONTACTS, {
        ...crawl,
        cursor: comesToEnd ? null : last.id,
        rounds: comesToEnd ? round : crawl.rounds,
      })
      if (comesToEnd) cache.accountMeta.set(UNCRAWLED_KEY, 0)
      return { isChanged: stored || swept, isEnd: comesToEnd }
    })
    if (isChanged) hub.contacts()
    return { rows: page.items.length, isEnd }
  }

  /**
   * Polls for new contacts. Their order isn't guaranteed (platform.md 18.3), so the poll continues while pages contain
   * new ones.
   */
  async news(priority: Priority): Promise<void> {
    const { platform, cache, hub, signal, clock } = this.#parts
    let after: string | undefined
    for (let count = 0; count < MAX_PAGES; count += 1) {
      const askedAt = clock.elapsed()
      const page = await platform.listContacts({ priority, signal, after })
      const brought = page.items.some(({ id }) => !cache.contacts.has(id))
      // Read the round for each page: a round may have finished since the poll started.
      const round = cache.listProgress.get(CONTACTS).rounds + 1
      if (cache.contacts.storePage(page.items, round, askedAt)) hub.contacts()
      after = page.items.at(-1)?.id
      if (!brought || !page.hasMore || after === undefined) return
    }
    scheduleContactCrawl(cache)
  }
}
