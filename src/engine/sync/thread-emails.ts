import { createHash } from 'node:crypto'
import { BODY_PIECE, type Thread } from '../../shared/model.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { AnswerTooLarge, isNotFound } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import { PAGE_LIMIT, type CallOptions } from '../api/requests.ts'
import { atTime, withBodiesKeptApart, type FetchedEmail } from '../api/thread-emails.ts'
import { threadOfEmails, type FetchedThread } from '../api/threads.ts'
import type { EventHub } from '../event-hub.ts'
import { nameBody } from '../store/body-pieces.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { snippetOf } from '../store/snippet.ts'
import type { Clock } from '../timing/clock.ts'
import type { InTurn } from '../timing/turns.ts'
import { EmailPages, PAGE_BYTES } from './email-pages.ts'

/** What the model says of an e-mail that has no time. */
const NO_TIME = 0
/** The most e-mails to read of a thread whose count is not known. */
const MOST_UNCOUNTED = 1_000
/** More e-mails than any thread has. */
const MAX_EMAILS = 10_000

/** E-mails after which a thread counts as endless. Some may arrive while it is read. */
const mostEmails = (emailCount: number | null): number =>
  emailCount === null ? MOST_UNCOUNTED : Math.min(MAX_EMAILS, 2 * emailCount + PAGE_LIMIT)

/** Where a text can be cut: never inside a character that takes two code units. */
const pieceEnd = (text: string, start: number): number => {
  const end = Math.min(start + BODY_PIECE, text.length)
  const code = text.charCodeAt(end - 1)
  return end < text.length && code >= 0xd800 && code <= 0xdbff ? end - 1 : end
}

const piecesOf = (text: string): readonly string[] => {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const end = pieceEnd(text, start)
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

/** What is known of a thread once its e-mails are read. */
interface Reading {
  /** Of all its e-mails. */
  readonly ids: readonly string[]
  /** Whether the platform's pages could be read to the last item: else nothing is concluded from what they do not show. */
  readonly isWhole: boolean
  /** Whether they go on and on, so that nobody knows all of them. */
  readonly isEndless: boolean
  readonly hasOutbound: boolean
  /** Of the newest. */
  readonly snippet: string | null
}

/** What is known of a thread before its e-mails are read. */
interface KnownBefore {
  /** The time of the thread's newest e-mail; null where it is not known. */
  readonly lastTime: number | null
  /** As the platform says it; null where it is not known. */
  readonly emailCount: number | null
}

const beforeReading = ({ receivedAt, emailCount }: Thread): KnownBefore => ({ lastTime: receivedAt, emailCount })

interface ThreadEmailParts {
  readonly platform: Pick<MailPlatform, 'getThread' | 'listThreadEmails'>
  readonly cache: Pick<Cache, 'threads' | 'emails' | 'together'>
  readonly hub: Pick<EventHub, 'emails' | 'threads'>
  readonly inTurn: InTurn
  /** Keeps a thread that the cache has never met. */
  readonly storeThread: (inbox: InboxRef, thread: FetchedThread, askedAt: number) => Promise<void>
  /** Called for a thread whose pages go on without an end, with how many e-mails of it were read. */
  readonly isEndless: (inbox: InboxRef, threadId: string, count: number) => void
  /** Ends every request. */
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'elapsed'>
}

/** Fetches the e-mails of threads into the cache: in pages that do not hold the engine up, and only what is new. */
export class ThreadEmailReader {
  readonly #parts: ThreadEmailParts
  readonly #pages: EmailPages

  constructor(parts: ThreadEmailParts) {
    this.#parts = parts
    this.#pages = new EmailPages(parts.platform)
  }

  /**
   * Fetches the e-mails of a thread that the cache lacks, and the thread itself where the cache has never met it. E-mails
   * that are there and read are not asked for again, as long as the thread's count then fits; else all are.
   * @returns false where the platform gives an empty list, which says nothing: a thread has an e-mail at least
   */
  async read(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    const { cache, hub, inTurn } = this.#parts
    const thread = cache.threads.get(inbox, threadId)
    if (thread === undefined) return this.readAnew(inbox, threadId, priority)

    /** E-mails that were kept, and of which no window has heard. */
    const untold = new Set<string>()
    const keep = async (emails: readonly FetchedEmail[]): Promise<void> => {
      const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
      if (isChanged) for (const { id } of emails) untold.add(id)
    }
    try {
      const options = this.#options(priority)
      const reading =
        (await this.#readNew(inbox, thread, options, keep)) ??
        (await this.#readAfter(inbox, threadId, undefined, options, beforeReading(thread), keep))
      if (reading.ids.length === 0) return false
      this.#conclude(inbox, threadId, reading, { emailsAt: thread.receivedAt, isChanged: untold.size > 0 })
      untold.clear()
      return true
    } finally {
      // The next page was not to be had: what came before it is here, and not new any more when it is read again.
      if (untold.size > 0) hub.emails(inbox.id, [threadId])
    }
  }

  /**
   * Fetches what a thread has after the newest of its e-mails that is here, as a rule one page. Nothing is concluded from it:
   * what else has changed is for the next look of sync.
   * @returns false if it ends before an e-mail without a time, which only the whole thread tells
   */
  async readOn(inbox: InboxRef, threadId: string, options: CallOptions): Promise<boolean> {
    const { cache, hub, inTurn } = this.#parts
    let after = cache.emails.known(inbox, threadId).at(-1)?.id
    for (let count = 0; after !== undefined && count < MOST_UNCOUNTED;) {
      const { items, hasMore } = await this.#pages.fetch(inbox, threadId, after, options)
      const timeless = items.findIndex(({ receivedAt }) => receivedAt === NO_TIME)
      const kept: FetchedEmail[] = []
      for (const email of timeless === -1 ? items : items.slice(0, timeless)) {
        kept.push(await this.#setApart(inbox, threadId, email))
      }
      if (await inTurn(() => cache.emails.storePage(inbox, threadId, kept))) hub.emails(inbox.id, [threadId])
      if (timeless !== -1) return false
      after = hasMore ? items.at(-1)?.id : undefined
      count += items.length
    }
    return after === undefined
  }

  /** Fetches a thread and all of its e-mails, whatever the cache says of them. */
  async readAnew(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    const { platform, cache, inTurn, storeThread, clock } = this.#parts
    const options = this.#options(priority)
    const askedAt = clock.elapsed()
    const summary = await platform.getThread(inbox.id, threadId, options)
    const emails: FetchedEmail[] = []
    const about = { lastTime: null, emailCount: null }
    const reading = await this.#readAfter(inbox, threadId, undefined, options, about, (page) => {
      emails.push(...page)
      return Promise.resolve()
    })
    await storeThread(inbox, threadOfEmails(summary, emails), askedAt)
    const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
    this.#conclude(inbox, threadId, reading, { emailsAt: emails.at(-1)?.receivedAt ?? NO_TIME, isChanged })
    return true
  }

  #options(priority: Priority): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  /** Reads only what the cache lacks. @returns null where that does not explain the thread's count, or nothing is here */
  async #readNew(
    inbox: InboxRef,
    thread: Thread,
    options: CallOptions,
    keep: (emails: readonly FetchedEmail[]) => Promise<void>,
  ): Promise<Reading | null> {
    const { cache } = this.#parts
    // An e-mail that was read stays as it is, as all do of a thread that is; else only the platform can say whether one is.
    const known = cache.emails.known(inbox, thread.id)
    const firstUnread = thread.read ? -1 : known.findIndex(({ read }) => !read)
    const earlier = known.slice(0, firstUnread === -1 ? known.length : firstUnread)
    const from = earlier.at(-1)?.id
    if (from === undefined) return null
    const later = await this.#readAfter(inbox, thread.id, from, options, beforeReading(thread), keep).catch(
      (thrown: unknown) => {
        // The e-mail to go on from is gone, or all are: reading from the beginning tells.
        if (isNotFound(thrown)) return null
        throw thrown
      },
    )
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
   * Those of a thread's e-mails that the platform still has, where its count explains them. It drops the oldest first: where
   * it has fewer than are here, its oldest one tells which are left, and none is fetched again.
   * @param ids oldest first
   * @returns null where the count is not explained
   */
  async #withoutDropped(
    inbox: InboxRef,
    { id, emailCount }: Pick<Thread, 'id' | 'emailCount'>,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<readonly string[] | null> {
    if (ids.length <= emailCount) return ids.length === emailCount ? ids : null
    const page = await this.#parts.platform
      .listThreadEmails(inbox.id, id, { ...options, limit: 1, maxBytes: PAGE_BYTES })
      .catch((thrown: unknown) => {
        if (thrown instanceof AnswerTooLarge) return null
        throw thrown
      })
    const left = ids.slice(-emailCount)
    return page?.items[0]?.id === left[0] ? left : null
  }

  /** Reads on from an e-mail to the thread's end, each page kept before the next one is asked for. */
  async #readAfter(
    inbox: InboxRef,
    threadId: string,
    start: string | undefined,
    options: CallOptions,
    { lastTime, emailCount }: KnownBefore,
    keep: (emails: readonly FetchedEmail[]) => Promise<void>,
  ): Promise<Reading> {
    const ids = new Set<string>()
    let hasOutbound = false
    let isWhole = true
    let snippet: string | null = null
    const most = mostEmails(emailCount)
    let after = start
    /** An e-mail that is too large tells its time behind its bodies: it takes the one of the next. */
    let timeless: FetchedEmail | null = null
    for (;;) {
      const { items, hasMore, isWhole: isWholePage } = await this.#pages.fetch(inbox, threadId, after, options)
      isWhole &&= isWholePage
      const before = ids.size
      const kept: FetchedEmail[] = []
      for (const email of items) {
        ids.add(email.id)
        hasOutbound ||= email.direction === 'outbound'
        if (timeless !== null) kept.push(atTime(timeless, email.receivedAt === NO_TIME ? lastTime : email.receivedAt))
        const isTimeless: boolean = email.isTooLarge && email.receivedAt === NO_TIME
        timeless = isTimeless ? email : null
        if (!isTimeless) kept.push(await this.#setApart(inbox, threadId, email))
      }
      if (timeless !== null && !hasMore) kept.push(atTime(timeless, lastTime))
      await keep(kept)
      const last = items.at(-1)
      if (last !== undefined) snippet = snippetOf(last)
      after = last?.id
      if (hasMore && ids.size > before && ids.size < most) continue
      // A page without a new ID ends the thread: all is here if its count says so.
      const isEndless = hasMore && items.length > 0 && (ids.size > before || ids.size !== emailCount)
      if (isEndless) this.#parts.isEndless(inbox, threadId, ids.size)
      return { ids: [...ids], isWhole: isWhole && !isEndless, isEndless, hasOutbound, snippet }
    }
  }

  /** Puts bodies that are large into the cache piece by piece, each in a turn of its own, and names them instead. */
  async #setApart(inbox: InboxRef, threadId: string, email: FetchedEmail): Promise<FetchedEmail> {
    const { cache, inTurn } = this.#parts
    const names: { html?: string; text?: string } = {}
    for (const field of ['html', 'text'] as const) {
      const body = email[field]
      if (body === null || body.length <= BODY_PIECE) continue
      const pieces = piecesOf(body)
      const hash = createHash('sha256')
      for (const piece of pieces) await inTurn(() => hash.update(piece))
      const name = nameBody([inbox.id, threadId, email.id], field, hash.digest('hex'))
      for (const [place, piece] of pieces.entries()) {
        await inTurn(() => cache.emails.storeBodyPiece(name, place, piece))
      }
      names[field] = name
    }
    return withBodiesKeptApart(email, names)
  }

  #conclude(
    inbox: InboxRef,
    threadId: string,
    { ids, isWhole, hasOutbound, snippet }: Reading,
    { emailsAt, isChanged }: { readonly emailsAt: number; readonly isChanged: boolean },
  ): void {
    const { cache, hub } = this.#parts
    const { isMarked, touched } = cache.together(() => ({
      isMarked: isWhole && cache.emails.markOthersGone(inbox, threadId, ids),
      touched: cache.threads.storeReading(inbox, threadId, { emailsAt, snippet, hasOutbound }),
    }))
    if (isMarked || isChanged) hub.emails(inbox.id, [threadId])
    hub.threads(inbox.id, touched)
  }
}
