import { parseTruncatedJson } from '../platform/parse-json.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import { ResponseTooLargeError } from '../platform/platform-problem.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage } from '../platform/requests.ts'
import { parseOversizedEmail, type FetchedEmail } from '../platform/resources/thread-emails.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { createRecentMap } from '../timing/recent-map.ts'

/** Maximum bytes per page, so that processing it takes about a frame of the engine's only thread. */
export const EMAIL_PAGE_BYTES = 2 * 1024 * 1024
const EMAIL_BYTES = 64 * 1024 * 1024
/** Maximum threads with large e-mails whose page size is remembered. */
const MAX_REMEMBERED_THREADS = 1_000

const sizeOf = ({ html, text }: FetchedEmail): number => (html?.length ?? 0) + (text?.length ?? 0)

/** Fetches a thread's e-mails in pages that each fit one turn of the engine's thread. */
export class EmailPages {
  readonly #platform: Pick<MailPlatform, 'listThreadEmails'>
  /** Page size by thread, for threads with large e-mails. */
  readonly #limits = createRecentMap<number>(MAX_REMEMBERED_THREADS)

  constructor(platform: Pick<MailPlatform, 'listThreadEmails'>) {
    this.#platform = platform
  }

  /** Fetches a page. If it is too large, retries with fewer e-mails, down to one. */
  async fetch(
    inbox: InboxRef,
    threadId: string,
    after: string | undefined,
    options: CallOptions,
  ): Promise<ListPage<FetchedEmail>> {
    const threadKey = JSON.stringify([inbox.id, threadId])
    const limit = this.#limits.get(threadKey) ?? PAGE_LIMIT
    const maxBytes = limit === 1 ? EMAIL_BYTES : EMAIL_PAGE_BYTES
    try {
      const page = await this.#platform.listThreadEmails(inbox.id, threadId, { ...options, after, limit, maxBytes })
      const size = page.items.reduce((sum, email) => sum + sizeOf(email), 1)
      const fitting = Math.floor((page.items.length * EMAIL_PAGE_BYTES) / size / 2)
      if (limit < PAGE_LIMIT) this.#remember(threadKey, Math.min(PAGE_LIMIT, Math.max(1, Math.min(fitting, limit * 4))))
      return page
    } catch (thrown) {
      if (!(thrown instanceof ResponseTooLargeError)) throw thrown
      if (limit > 1) {
        const fitting = thrown.size === null ? limit / 8 : (limit * EMAIL_PAGE_BYTES) / thrown.size / 2
        this.#remember(threadKey, Math.max(1, Math.floor(Math.min(fitting, limit / 2))))
        return this.fetch(inbox, threadId, after, options)
      }
      const beginning = parseTruncatedJson(thrown.beginning)
      const email = parseOversizedEmail(beginning)
      if (email === null) throw thrown
      return { items: [email], isWhole: true, hasMore: (beginning as { has_more?: unknown }).has_more !== false }
    }
  }

  #remember(threadKey: string, limit: number): void {
    if (limit < PAGE_LIMIT) this.#limits.put(threadKey, limit)
    else this.#limits.drop(threadKey)
  }
}
