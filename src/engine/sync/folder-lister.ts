import { FOLDERS } from '../../shared/model.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { ACCOUNT_LISTS, type AccountListSync } from './account-lists.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { ThreadSync, CrawlStep } from './thread-sync.ts'
import { createProblem } from '../../shared/result.ts'

/**
 * Delay before a list that lost its cursor starts over, in milliseconds, since it may fail at the same place each time.
 */
const RESTART_DELAY_MS = 30_000

interface FolderListerParts {
  readonly threads: Pick<ThreadSync, 'crawl' | 'isListed' | 'labels'>
  readonly lists: Pick<AccountListSync, 'crawl' | 'isDone' | 'isBegun'>
  readonly inboxes: () => readonly InboxRef[]
  /** Runs work for an inbox. If the inbox turns out to be gone, marks it instead of throwing an error. */
  readonly runForInbox: (inbox: InboxRef, work: () => Promise<unknown>) => Promise<void>
  /** Called after each page. */
  readonly fetched: (rows: number) => void
}

export class FolderLister {
  readonly #parts: FolderListerParts

  constructor(parts: FolderListerParts) {
    this.#parts = parts
  }

  /** Crawls all folders of all inboxes completely, and the newest page of each account-wide list. */
  async listAll(): Promise<void> {
    const { threads, lists, inboxes, runForInbox } = this.#parts
    const ofInboxes = inboxes().flatMap((inbox) => {
      const unlisted = FOLDERS.filter((folder) => !threads.isListed(inbox, folder))
      if (unlisted.length === 0) return []
      return [
        runForInbox(inbox, () => threads.labels(inbox, 'screen')),
        ...unlisted.map((folder) =>
          runForInbox(inbox, async () => {
            // Fetch the newest page of each folder before the rest. Only the inbox gets screen priority: all five
            // folders at once would delay the user's first click.
            const first = folder === 'inbox' ? 'screen' : 'sync'
            const { isEnd } = await this.#crawlOnce(() => threads.crawl(inbox, folder, first))
            if (!isEnd) await this.#crawlToEnd(() => threads.crawl(inbox, folder, 'sync'))
          }),
        ),
      ]
    })
    const ofAccount = ACCOUNT_LISTS.filter((name) => !lists.isBegun(name))
    await settleAll([...ofInboxes, ...ofAccount.map((name) => this.#crawlOnce(() => lists.crawl(name, 'sync')))])
  }

  /** Crawls one more page of each account-wide list. @returns milliseconds until the next call; null if done */
  async listRest(): Promise<number | null> {
    const { lists } = this.#parts
    const left = ACCOUNT_LISTS.filter((name) => !lists.isDone(name))
    if (left.length === 0) return null
    const steps: CrawlStep[] = []
    await settleAll(left.map(async (name) => steps.push(await this.#crawlOnce(() => lists.crawl(name, 'backfill')))))
    return steps.some(({ isLost }) => isLost === true) ? RESTART_DELAY_MS : 0
  }

  async #crawlOnce(step: () => Promise<CrawlStep>): Promise<CrawlStep> {
    const taken = await step()
    this.#parts.fetched(taken.rows)
    return taken
  }

  /** Crawls to the end. @throws ProblemError if the crawl loses its cursor again without getting further than before */
  async #crawlToEnd(step: () => Promise<CrawlStep>): Promise<void> {
    for (let reached = 0, furthest = -1; ;) {
      const { rows, isEnd, isLost = false } = await this.#crawlOnce(step)
      if (isEnd) return
      reached += rows
      if (!isLost) continue
      if (reached <= furthest)
        throw createProblem('platform_failed', 'The platform sent an incomplete list. Linnet will try again.')
      furthest = reached
      reached = 0
    }
  }
}
