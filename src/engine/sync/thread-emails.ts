import { createHash } from 'node:crypto'
import { parseCutJson } from '../api/cut-json.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage } from '../api/requests.ts'
import { atTime, readTooLargeEmail, withBodiesKeptApart, type FetchedEmail } from '../api/thread-emails.ts'
import { threadOfEmails, type FetchedThread } from '../api/threads.ts'
import { AnswerTooLarge, isNotFound } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { BODY_PIECE, type Thread } from '../../shared/model.ts'
import { nameBody } from '../store/body-pieces.ts'
import { snippetOf } from '../store/snippet.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { InTurn } from '../timing/turns.ts'
import type { Clock } from '../timing/clock.ts'

/** A page of e-mails is read and written in one turn of the engine's only thread: this much takes about a frame. */
const PAGE_BYTES = 2 * 1024 * 1024
/** The largest single e-mail that is fetched. */
const EMAIL_BYTES = 64 * 1024 * 1024
/** Threads with large e-mails whose page size is remembered. */
const REMEMBERED = 1_000
/** What the model says of an e-mail that has no time. */
const NO_TIME = 0
/** What is read of a thread at least, whatever its count says. */
const LEAST_EMAILS = 1_000
/** More e-mails than anybody has in one thread. */
const MAX_EMAILS = 10_000

/** E-mails after which pages that go on are taken for ones that never end: twice as many as the thread is said to have. */
const mostEmails = (emailCount: number): number => Math.min(MAX_EMAILS, Math.max(LEAST_EMAILS, 2 * emailCount))

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

const sizeOf = ({ html, text }: FetchedEmail): number => (html?.length ?? 0) + (text?.length ?? 0)

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

/** Fetches the e-mails of threads into the cache: in pages that do not hold the engine up, and only what is new. */
export interface ThreadEmailReader {
  /**
   * Fetches the e-mails of a thread that the cache lacks, and the thread itself where the cache has never met it. E-mails
   * that are there and read are not asked for again, as long as the thread's count then fits; else all are.
   * @returns false where the platform gives an empty list, which says nothing: a thread has an e-mail at least
   */
  readonly read: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<boolean>
  /** Fetches a thread and all of its e-mails, whatever the cache says of them. */
  readonly readAnew: ThreadEmailReader['read']
}

/**
 * @param storeThread keeps a thread that the cache has never met
 * @param isEndless is told of a thread whose pages go on without an end, and how many e-mails of it were read
 * @param signal ends every request
 */
export const createThreadEmailReader = (
  platform: Pick<MailPlatform, 'getThread' | 'listThreadEmails'>,
  cache: Cache,
  hub: Pick<EventHub, 'emails' | 'threads'>,
  inTurn: InTurn,
  storeThread: (inbox: InboxRef, thread: FetchedThread, askedAt: number) => Promise<void>,
  isEndless: (inbox: InboxRef, threadId: string, count: number) => void,
  signal: AbortSignal,
  clock: Clock,
): ThreadEmailReader => {
  /** How many e-mails of a thread with large ones are asked for at once. */
  const limits = new Map<string, number>()

  const remember = (threadKey: string, limit: number): void => {
    limits.delete(threadKey)
    if (limit < PAGE_LIMIT) limits.set(threadKey, limit)
    const [oldest] = limits.keys()
    if (limits.size > REMEMBERED && oldest !== undefined) limits.delete(oldest)
  }

  /** A page that is no larger than it may be: what is too large is asked for again with fewer e-mails, down to one. */
  const fetchPage = async (
    inbox: InboxRef,
    threadId: string,
    after: string | undefined,
    options: CallOptions,
  ): Promise<ListPage<FetchedEmail>> => {
    const threadKey = JSON.stringify([inbox.id, threadId])
    const limit = limits.get(threadKey) ?? PAGE_LIMIT
    const maxBytes = limit === 1 ? EMAIL_BYTES : PAGE_BYTES
    try {
      const page = await platform.listThreadEmails(inbox.id, threadId, { ...options, after, limit, maxBytes })
      const size = page.items.reduce((sum, email) => sum + sizeOf(email), 1)
      const fitting = Math.floor((page.items.length * PAGE_BYTES) / size / 2)
      if (limit < PAGE_LIMIT) remember(threadKey, Math.min(PAGE_LIMIT, Math.max(1, Math.min(fitting, limit * 4))))
      return page
    } catch (thrown) {
      if (!(thrown instanceof AnswerTooLarge)) throw thrown
      if (limit > 1) {
        const fitting = thrown.size === null ? limit / 8 : (limit * PAGE_BYTES) / thrown.size / 2
        remember(threadKey, Math.max(1, Math.floor(Math.min(fitting, limit / 2))))
        return fetchPage(inbox, threadId, after, options)
      }
      const beginning = parseCutJson(thrown.beginning)
      const email = readTooLargeEmail(beginning)
      if (email === null) throw thrown
      return { items: [email], isWhole: true, hasMore: (beginning as { has_more?: unknown }).has_more !== false }
    }
  }

  /** Puts bodies that are large into the cache piece by piece, each in a turn of its own, and names them instead. */
  const setApart = async (inbox: InboxRef, threadId: string, email: FetchedEmail): Promise<FetchedEmail> => {
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

  /**
   * Reads on from an e-mail to the thread's end, each page kept before the next one is asked for.
   * @param about `lastTime` of the thread's newest e-mail, null where it is not known; `emailCount` as the platform says it
   */
  const readAfter = async (
    inbox: InboxRef,
    threadId: string,
    start: string | undefined,
    options: CallOptions,
    { lastTime, emailCount }: { readonly lastTime: number | null; readonly emailCount: number },
    keep: (emails: readonly FetchedEmail[]) => Promise<void>,
  ): Promise<Reading> => {
    const ids = new Set<string>()
    let hasOutbound = false
    let isWhole = true
    let snippet: string | null = null
    const most = mostEmails(emailCount)
    let after = start
    /** An e-mail that is too large tells its time behind its bodies: it takes the one of the next. */
    let timeless: FetchedEmail | null = null
    for (;;) {
      const { items, hasMore, isWhole: isWholePage } = await fetchPage(inbox, threadId, after, options)
      isWhole &&= isWholePage
      const before = ids.size
      const kept: FetchedEmail[] = []
      for (const email of items) {
        ids.add(email.id)
        hasOutbound ||= email.direction === 'outbound'
        if (timeless !== null) kept.push(atTime(timeless, email.receivedAt === NO_TIME ? lastTime : email.receivedAt))
        const isTimeless: boolean = email.isTooLarge && email.receivedAt === NO_TIME
        timeless = isTimeless ? email : null
        if (!isTimeless) kept.push(await setApart(inbox, threadId, email))
      }
      if (timeless !== null && !hasMore) kept.push(atTime(timeless, lastTime))
      await keep(kept)
      const last = items.at(-1)
      if (last !== undefined) snippet = snippetOf(last)
      after = last?.id
      const goesOn = hasMore && ids.size > before
      if (goesOn && ids.size < most) continue
      if (goesOn) isEndless(inbox, threadId, ids.size)
      return { ids: [...ids], isWhole: isWhole && !goesOn, isEndless: goesOn, hasOutbound, snippet }
    }
  }

  const conclude = (
    inbox: InboxRef,
    threadId: string,
    { ids, isWhole, hasOutbound, snippet }: Reading,
    { emailsAt, isChanged }: { readonly emailsAt: number; readonly isChanged: boolean },
  ): void => {
    const { isMarked, touched } = cache.together(() => ({
      isMarked: isWhole && cache.emails.markOthersGone(inbox, threadId, ids),
      touched: cache.threads.storeReading(inbox, threadId, { emailsAt, snippet, hasOutbound }),
    }))
    if (isMarked || isChanged) hub.emails(inbox.id, [threadId])
    hub.threads(inbox.id, touched)
  }

  const readUnknown = async (inbox: InboxRef, threadId: string, options: CallOptions): Promise<boolean> => {
    const askedAt = clock.elapsed()
    const summary = await platform.getThread(inbox.id, threadId, options)
    const emails: FetchedEmail[] = []
    const about = { lastTime: null, emailCount: LEAST_EMAILS }
    const reading = await readAfter(inbox, threadId, undefined, options, about, (page) => {
      emails.push(...page)
      return Promise.resolve()
    })
    await storeThread(inbox, threadOfEmails(summary, emails), askedAt)
    const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
    conclude(inbox, threadId, reading, { emailsAt: emails.at(-1)?.receivedAt ?? NO_TIME, isChanged })
    return true
  }

  /**
   * Those of a thread's e-mails that the platform still has, where its count explains them. It drops the oldest first: where
   * it has fewer than are here, its oldest one tells which are left, and none is fetched again.
   * @param ids oldest first
   * @returns null where the count is not explained
   */
  const withoutDropped = async (
    inbox: InboxRef,
    { id, emailCount }: Pick<Thread, 'id' | 'emailCount'>,
    ids: readonly string[],
    options: CallOptions,
  ): Promise<readonly string[] | null> => {
    if (ids.length <= emailCount) return ids.length === emailCount ? ids : null
    const page = await platform
      .listThreadEmails(inbox.id, id, { ...options, limit: 1, maxBytes: PAGE_BYTES })
      .catch((thrown: unknown) => {
        if (thrown instanceof AnswerTooLarge) return null
        throw thrown
      })
    const left = ids.slice(-emailCount)
    return page?.items[0]?.id === left[0] ? left : null
  }

  const read: ThreadEmailReader['read'] = async (inbox, threadId, priority) => {
    const options: CallOptions = { priority, signal }
    const thread = cache.threads.get(inbox, threadId)
    if (thread === undefined) return readUnknown(inbox, threadId, options)

    const about = { lastTime: thread.receivedAt, emailCount: thread.emailCount }
    /** E-mails that were kept, and of which nobody has heard. */
    const untold = new Set<string>()
    const keep = async (emails: readonly FetchedEmail[]): Promise<void> => {
      const isChanged = await inTurn(() => cache.emails.storePage(inbox, threadId, emails))
      if (isChanged) for (const { id } of emails) untold.add(id)
    }
    const concludeAll = (whole: Reading): void => {
      conclude(inbox, threadId, whole, { emailsAt: thread.receivedAt, isChanged: untold.size > 0 })
      untold.clear()
    }
    try {
      // An e-mail that was read stays as it is, as all do of a thread that is; else only the platform can say whether one is.
      const known = cache.emails.known(inbox, threadId)
      const firstUnread = thread.read ? -1 : known.findIndex(({ read: isRead }) => !isRead)
      const earlier = known.slice(0, firstUnread === -1 ? known.length : firstUnread)
      const from = earlier.at(-1)?.id
      if (from !== undefined) {
        const later = await readAfter(inbox, threadId, from, options, about, keep).catch((thrown: unknown) => {
          // The e-mail to go on from is gone, or all are: reading from the beginning tells.
          if (isNotFound(thrown)) return null
          throw thrown
        })
        const ids = [...earlier.map(({ id }) => id), ...(later?.ids ?? [])]
        const explained = later === null ? null : later.isEndless ? ids : withoutDropped(inbox, thread, ids, options)
        const left = await explained
        if (later !== null && left !== null) {
          concludeAll({
            isWhole: later.isWhole,
            isEndless: later.isEndless,
            ids: left,
            hasOutbound: later.hasOutbound || earlier.some(({ id, isOutbound }) => isOutbound && left.includes(id)),
            snippet: later.ids.length === 0 ? thread.snippet : later.snippet,
          })
          return true
        }
      }
      const whole = await readAfter(inbox, threadId, undefined, options, about, keep)
      if (whole.ids.length === 0) return false
      concludeAll(whole)
      return true
    } finally {
      // The next page was not to be had: what came before it is here, and not new any more when it is read again.
      if (untold.size > 0) hub.emails(inbox.id, [threadId])
    }
  }

  return {
    read,
    readAnew: (inbox, threadId, priority) => readUnknown(inbox, threadId, { priority, signal }),
  }
}
