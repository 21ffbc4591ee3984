import type { Thread } from '../../shared/model.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import { ResponseTooLargeError, catchMissing } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import { PAGE_LIMIT, type CallOptions } from '../platform/requests.ts'
import { withFallbackTime, type FetchedEmail } from '../platform/resources/thread-emails.ts'
import { buildThreadFromEmails, type FetchedThread } from '../platform/resources/threads.ts'
import type { EventHub } from '../own/event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { extractSnippet } from '../store/snippet.ts'
import type { Clock } from '../timing/clock.ts'
import type { TurnRunner } from '../timing/turns.ts'
import { EmailPages, EMAIL_PAGE_BYTES } from './email-pages.ts'

/** The model's value for an e-mail without a time. */
const NO_TIME = 0
const MAX_UNCOUNTED = 1_000
/** Upper limit beyond any real thread. */
const MAX_EMAILS = 10_000

/** Number of e-mails after which a thread counts as endless. Leaves room for mail that arrives during the read. */
const maxEmails = (emailCount: number | null): number =>
  emailCount === null ? MAX_UNCOUNTED : Math.min(MAX_EMAILS, 2 * emailCount + PAGE_LIMIT)

interface Reading {
  readonly ids: readonly string[]
  /** True if every item on the pages was readable. Otherwise missing e-mails prove nothing. */
  readonly isWhole: boolean
  /** True if the pages have no end, so the e-mails are never complete. */
  readonly isEndless: boolean
  readonly hasOutbound: boolean
  /** From the newest e-mail. */
  readonly snippet: string | null
}

interface ThreadEmailParts {
  readonly platform: Pick<MailPlatform, 'getThread' | 'listThreadEmails'>
  readonly cache: Pick<Cache, 'threads' | 'emails' | 'inTransaction'>
  readonly hub: Pick<EventHub, 'emails' | 'threads'>
  readonly inTurn: TurnRunner
  /** Stores a thread that isn't cached yet. */
  readonly storeThread: (inbox: InboxRef, thread: FetchedThread, askedAt: number) => Promise<void>
  /** Called for a thread with endless pages, with the number of e-mails read. */
  readonly isEndless: (inbox: InboxRef, threadId: string, count: number) => void
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'elapsed'>
}

/** Fetches e-mails of threads into the cache: only new ones, in pages that don't block the engine. */
export class ThreadEmailFetcher {
  readonly #parts: ThreadEmailParts
  readonly #pages: EmailPages

  constructor(parts: ThreadEmailParts) {
    this.#parts = parts
    this.#pages = new EmailPages(parts.platform)
  }

  /**
   * Fetches a thread. If it is cached, fetches only e-mails after the last stored one that is read, unless the number
   * of e-mails then differs from the thread's count.
   * @returns false for an empty list, which proves nothing: a thread has at least one e-mail
   */
  async read(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    const { cache, hub, inTurn } = this.#parts
    const thread = cache.threads.get(inbox, threadId)
    if (thread === undefined) return this.readAnew(inbox, threadId, priority)

    /** Stored e-mails that windows haven't been notified about yet. */
    const untold = new Set<string>()
    const keep = async (emails: readonly FetchedEmail[]): Promise<void> => {
      const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
      if (isChanged) for (const { id } of emails) untold.add(id)
    }
    try {
      const options = this.#options(priority)
      const reading =
        (await this.#readNew(inbox, thread, options, keep)) ??
        (await this.#readAfter(inbox, threadId, undefined, options, thread, keep))
      if (reading.ids.length === 0) return false
      this.#conclude(inbox, threadId, reading, { emailsAt: thread.receivedAt, isChanged: untold.size > 0 })
      untold.clear()
      return true
    } finally {
      // If a later page failed, the stored e-mails won't be new next time, so announce them now.
      if (untold.size > 0) hub.emails(inbox.id, [threadId])
    }
  }

  /**
   * Fetches a thread's e-mails after the newest stored one, usually a single page.
   * @returns false if it stops at an e-mail without a time, which can only be determined by reading the entire thread
   */
  async readNewer(inbox: InboxRef, threadId: string, options: CallOptions): Promise<boolean> {
    const { cache, hub, inTurn } = this.#parts
    let after = cache.emails.known(inbox, threadId).at(-1)?.id
    for (let count = 0; after !== undefined && count < MAX_UNCOUNTED;) {
      const { items, hasMore } = await this.#pages.fetch(inbox, threadId, after, options)
      const timeless = items.findIndex(({ receivedAt }) => receivedAt === NO_TIME)
      const kept = timeless === -1 ? items : items.slice(0, timeless)
      if (await inTurn(() => cache.emails.storePage(inbox, threadId, kept))) hub.emails(inbox.id, [threadId])
      if (timeless !== -1) return false
      after = hasMore ? items.at(-1)?.id : undefined
      count += items.length
    }
    return after === undefined
  }

  /** Fetches a thread with all its e-mails, ignoring the cache. */
  async readAnew(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    const { platform, cache, inTurn, storeThread, clock } = this.#parts
    const options = this.#options(priority)
    const askedAt = clock.elapsed()
    const summary = await platform.getThread(inbox.id, threadId, options)
    const emails: FetchedEmail[] = []
    const reading = await this.#readAfter(inbox, threadId, undefined, options, null, (page) => {
      emails.push(...page)
      return Promise.resolve()
    })
    await storeThread(inbox, buildThreadFromEmails(summary, emails), askedAt)
    const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
    this.#conclude(inbox, threadId, reading, { emailsAt: emails.at(-1)?.receivedAt ?? NO_TIME, isChanged })
    return true
  }

  #options(priority: Priority): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  /** Reads only missing e-mails. @returns null if nothing is stored, or the thread's count doesn't match */
  async #readNew(
    inbox: InboxRef,
    thread: Thread,
    options: CallOptions,
    keep: (emails: readonly FetchedEmail[]) => Promise<void>,
  ): Promise<Reading | null> {
    const { cache } = this.#parts
    // A read e-mail doesn't change, and neither do those of a read thread. For others, only the platform knows the read
    // state.
    const known = cache.emails.known(inbox, thread.id)
    const firstUnread = thread.read ? -1 : known.findIndex(({ read }) => !read)
    const earlier = known.slice(0, firstUnread === -1 ? known.length : firstUnread)
    const from = earlier.at(-1)?.id
    if (from === undefined) return null
    const later = await catchMissing(this.#readAfter(inbox, thread.id, from, options, thread, keep))
    // The start e-mail or the thread is gone; reading from the start will show which.
    if (later === null) return null
    const ids = [...earlier.map(({ id }) => id), ...later.ids]
    const left = later.isEndless ? ids : await this.#withoutDropped(inbox, thread, ids, options)
    if (left === null) return null
    return {
      isWhole: later.isWhole,
      isEndless: later.isEndless,
      ids: left,
      hasOutbound: later.hasOutbound || earlier.some(({ id, isOutbound }) => isOutbound && left.includes(id)),
      snippet: later.ids.length === 0 ? thread.snippet : later.snippet,
    }
  }

  /**
   * E-mails that the platform still has; null if the count doesn't match. The platform deletes the oldest first, so its
   * oldest e-mail shows which are left. @param ids oldest first
   */
  async #withoutDropped(
    inbox: InboxRef,
    { id, emailCount }: Pick<Thread, 'id' | 'emailCount'>,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<readonly string[] | null> {
    if (ids.length <= emailCount) return ids.length === emailCount ? ids : null
    const page = await this.#parts.platform
      .listThreadEmails(inbox.id, id, { ...options, limit: 1, maxBytes: EMAIL_PAGE_BYTES })
      .catch((thrown: unknown) => {
        if (thrown instanceof ResponseTooLargeError) return null
        throw thrown
      })
    const left = ids.slice(-emailCount)
    return page?.items[0]?.id === left[0] ? left : null
  }

  /**
   * Reads from an e-mail to the thread's end, storing each page before requesting the next. @param thread as listed by
   * the platform; null if unknown
   */
  async #readAfter(
    inbox: InboxRef,
    threadId: string,
    start: string | undefined,
    options: CallOptions,
    thread: Pick<Thread, 'receivedAt' | 'emailCount'> | null,
    keep: (emails: readonly FetchedEmail[]) => Promise<void>,
  ): Promise<Reading> {
    const ids = new Set<string>()
    let hasOutbound = false
    let isWhole = true
    let snippet: string | null = null
    const { receivedAt: lastTime = null, emailCount = null } = thread ?? {}
    const most = maxEmails(emailCount)
    let after = start
    /**
     * An e-mail without a time. Its response was truncated before the time field, which follows the bodies, so it gets
     * the next e-mail's time.
     */
    let timeless: FetchedEmail | null = null
    for (;;) {
      const { items, hasMore, isWhole: isWholePage } = await this.#pages.fetch(inbox, threadId, after, options)
      isWhole &&= isWholePage
      const before = ids.size
      const kept: FetchedEmail[] = []
      for (const email of items) {
        ids.add(email.id)
        hasOutbound ||= email.direction === 'outbound'
        if (timeless !== null)
          kept.push(withFallbackTime(timeless, email.receivedAt === NO_TIME ? lastTime : email.receivedAt))
        const isTimeless: boolean = email.isTooLarge && email.receivedAt === NO_TIME
        timeless = isTimeless ? email : null
        if (!isTimeless) kept.push(email)
      }
      if (timeless !== null && !hasMore) kept.push(withFallbackTime(timeless, lastTime))
      await keep(kept)
      const last = items.at(-1)
      if (last !== undefined) snippet = extractSnippet(last)
      after = last?.id
      if (hasMore && ids.size > before && ids.size < most) continue
      // A page without new IDs ends the thread, which is complete if the count matches.
      const isEndless = hasMore && items.length > 0 && (ids.size > before || ids.size !== emailCount)
      if (isEndless) this.#parts.isEndless(inbox, threadId, ids.size)
      return { ids: [...ids], isWhole: isWhole && !isEndless, isEndless, hasOutbound, snippet }
    }
  }

  #conclude(
    inbox: InboxRef,
    threadId: string,
    { ids, isWhole, hasOutbound, snippet }: Reading,
    { emailsAt, isChanged }: { readonly emailsAt: number; readonly isChanged: boolean },
  ): void {
    const { cache, hub } = this.#parts
    const { isMarked, touched } = cache.inTransaction(() => ({
      isMarked: isWhole && cache.emails.markOthersGone(inbox, threadId, ids),
      touched: cache.threads.storeReading(inbox, threadId, { emailsAt, snippet, hasOutbound }),
    }))
    if (isMarked || isChanged) hub.emails(inbox.id, [threadId])
    hub.threads(inbox.id, touched)
  }
}
