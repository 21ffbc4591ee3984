import { ProblemError } from '../../shared/result.ts'
import { isNotFound } from '../platform/platform-problem.ts'
import type { BrokenRow } from '../store/broken-row.ts'
import { scheduleContactCrawl, UNCRAWLED_KEY } from '../store/contact-crawl.ts'
import type { AccountListSync } from './account-lists.ts'
import type { ThreadSync } from './thread-sync.ts'
import type { AccountServices } from './account-services.ts'

const messageOf = (rows: number): string =>
  rows === 1
    ? 'One entry in Linnet’s copy of your mail was damaged. It is downloading again.'
    : `${rows} entries in Linnet’s copy of your mail were damaged. They are downloading again.`

interface RepairParts extends Pick<AccountServices, 'cache' | 'hub' | 'problems' | 'report' | 'signal'> {
  readonly threads: ThreadSync
  readonly lists: AccountListSync
}

/** Repairs broken rows: first from other cached data, so that they are usable at once, then from the platform. */
export class RowRepairer {
  readonly #parts: RepairParts
  readonly #waiting = new Map<string, BrokenRow>()
  readonly #reported = new Set<string>()
  #isScheduled = false

  constructor(parts: RepairParts) {
    this.#parts = parts
  }

  note(row: BrokenRow): void {
    const key = JSON.stringify(row)
    this.#waiting.set(key, row)
    this.#schedule()
    if (this.#reported.has(key)) return
    this.#reported.add(key)
    const message = messageOf(this.#reported.size)
    this.#parts.problems.raise({ id: 'rows-damaged', code: 'storage_failed', message })
  }

  retry(): void {
    if (this.#waiting.size > 0) this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => void this.#repairAll().catch(this.#parts.report))
  }

  async #repairAll(): Promise<void> {
    const { signal } = this.#parts
    this.#isScheduled = false
    const waiting = signal.aborted ? [] : [...this.#waiting]
    const refetches = waiting.map(([key, row]) => [key, this.#repairFromCache(row)] as const)
    for (const [key, refetch] of refetches) if (!signal.aborted) await this.#repair(key, refetch)
  }

  async #repair(key: string, refetch: () => Promise<void>): Promise<void> {
    const { signal, report } = this.#parts
    try {
      await refetch()
      this.#waiting.delete(key)
    } catch (thrown) {
      // Repair retries when the platform is reachable again.
      if (isNotFound(thrown)) this.#waiting.delete(key)
      else if (!(thrown instanceof ProblemError) && !signal.aborted) report(thrown)
    }
  }

  /** @returns a function that fetches the row again */
  #repairFromCache(row: BrokenRow): () => Promise<void> {
    const { cache, hub, threads, lists } = this.#parts
    switch (row.kind) {
      case 'thread':
      case 'emails': {
        const { threadId } = row
        const inbox = cache.inboxes.get(row.inboxId)
        if (inbox === undefined) return () => Promise.resolve()
        if (row.kind === 'emails') cache.threads.markEmailsMissing(inbox, threadId)
        else hub.threads(inbox.id, cache.threads.repair(inbox, threadId, cache.emails.newest(inbox, threadId)))
        return async () => {
          await threads.refetch(inbox, threadId, 'screen')
          cache.emails.settleBroken(inbox, threadId)
          hub.emails(inbox.id, [threadId])
        }
      }
      case 'received':
        cache.receivedEmails.repair(row.id)
        return () => lists.refetch('received', row.id, 'screen')
      case 'sent e-mails':
        cache.sentEmails.repair(row.id)
        return () => lists.refetch('sent e-mails', row.id, 'screen')
      case 'contacts':
        // Starting over each time that the row is read would never reach its page.
        if (cache.accountMeta.number(UNCRAWLED_KEY) !== 1) scheduleContactCrawl(cache)
        return () => Promise.resolve()
    }
  }
}
