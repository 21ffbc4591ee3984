import type { BodyOwner, Events } from '../../../shared/contract.ts'
import type { ArrivedMail } from '../../../shared/arrived-mail.ts'
import type { Thread } from '../../../shared/model.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { toMarkLabelId, THREAD_MARKS, type ResurfaceReason } from '../../../shared/thread-marks.ts'
import { isSpamOrTrash } from '../../../shared/thread-state.ts'
import { catchMissing, isNotFound } from '../../platform/platform-problem.ts'
import type { ChangeSubject } from '../../own/outbox/change.ts'
import { threadSubject } from '../../own/outbox/changes/thread-change-base.ts'
import { notReturned, returned, type StoredThreadMarks } from '../../own/outbox/changes/local-thread-state.ts'
import type { Outbox } from '../../own/outbox/outbox.ts'
import { detectMailAuthor, type MailAuthor } from '../../store/search-index/mail-kind.ts'
import { parsePerson } from '../../store/search-index/searchable-email.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { ownAddressKey } from '../../store/thread-rows.ts'
import type { CurrentThreadState } from '../../store/threads.ts'
import type { ThreadSync } from '../../sync/thread-sync.ts'
import { sleep } from '../../timing/clock.ts'
import { Loop, type EngineService, type EventListeners } from '../../timing/loop.ts'
import { toArrivedMail } from '../new-mail-notices.ts'
import type { AccountServices } from '../../sync/account-services.ts'

/** Timers ignore clock changes, so the clock is read this often while a thread is due to return. */
const CLOCK_CHECK_MS = 60_000
/** If a thread's return time is this far in the future, it returned too early because the clock was wrong. */
const TOO_EARLY_MS = 60_000
const AFTER_FAILURE_MS = 60_000
/** A snoozed thread is fetched this long before it returns, so that it returns on time. */
const CHECK_AHEAD_MS = 30_000
/** Maximum time that the end of a snooze waits for the platform, in milliseconds. */
const PATIENCE_MS = 5_000

interface RemindersParts extends Pick<AccountServices, 'cache' | 'report' | 'clock' | 'signal'> {
  readonly outbox: Outbox
  readonly threads: Pick<ThreadSync, 'readNewer' | 'emails' | 'mayOfferEmails' | 'verify'>
  /** Author of an e-mail by its headers; null if they aren't available. @throws ProblemError if the request fails */
  readonly authorOf: (of: BodyOwner) => Promise<MailAuthor | null>
  readonly announce: (mail: ArrivedMail) => void
  /** Time of the last complete sync, milliseconds since the epoch. */
  readonly lastSyncAt: () => number | null
}

interface ThreadRef {
  readonly inboxId: string
  readonly threadId: string
}

/** An e-mail received in a thread; its ID is null if only the thread's list data is stored. */
interface ReceivedEmail {
  readonly id: string | null
  /** The `From` header. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

interface ReturnedThread {
  readonly thread: Thread
  readonly why: ResurfaceReason
}

const keyOf = ({ inboxId, threadId }: ThreadRef): string => JSON.stringify([inboxId, threadId])

/** All threads listed with a mark, even if the mark itself no longer exists. */
export const listMarkedThreads = ({ inboxes, threads }: Pick<Cache, 'inboxes' | 'threads'>): readonly ChangeSubject[] =>
  inboxes
    .all()
    .flatMap((inbox) =>
      THREAD_MARKS.flatMap((mark) =>
        threads
          .list(inbox, { labelId: toMarkLabelId(mark) }, { offset: 0, limit: Number.MAX_SAFE_INTEGER })
          .map((thread) => threadSubject(inbox.id, thread.id)),
      ),
    )

/** True if new mail in a thread with these marks requires an action. */
const reactsToMail = ({ isMuted, snoozedUntil, remindAt, back }: StoredThreadMarks): boolean =>
  isMuted || snoozedUntil !== null || remindAt !== null || back?.why === 'unanswered'

/**
 * Returns snoozed and unanswered threads to the inbox on time, or at the next start. New mail ends a snooze or
 * reminder, and is archived in muted threads.
 */
export class Reminders implements EngineService {
  readonly listeners: EventListeners = {
    'threads.changed': (payload) => this.#mailChanged(payload),
    'emails.changed': (payload) => this.#mailChanged(payload),
  }
  readonly #parts: RemindersParts
  readonly #loop: Loop
  /** Threads whose marks or mail may have changed. */
  readonly #touched = new Map<string, ThreadRef>()
  /** Threads that are due to return, or returned and are still unseen. */
  readonly #timed = new Map<string, ThreadRef>()
  /** When a snoozed thread was last fetched, in milliseconds since the epoch. */
  readonly #checkedAt = new Map<string, number>()

  constructor(parts: RemindersParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock, { unref: true })
  }

  start(): void {
    const { outbox, report, signal } = this.#parts
    for (const { scope: inboxId, id: threadId } of outbox.waiting.subjectsWithLocalFields())
      this.#touched.set(keyOf({ inboxId, threadId }), { inboxId, threadId })
    this.#loop.start({
      step: () => this.#step(),
      ...{ report, retryIn: AFTER_FAILURE_MS },
      signal,
    })
  }

  #mailChanged({ inboxId, threadIds }: Events['emails.changed']): void {
    const marked = threadIds.filter((threadId) => {
      const named = { inboxId, threadId }
      return this.#timed.has(keyOf(named)) || this.#parts.outbox.marksOf(inboxId, threadId) !== undefined
    })
    if (marked.length === 0) return
    for (const threadId of marked) this.#touched.set(keyOf({ inboxId, threadId }), { inboxId, threadId })
    this.#loop.wake()
  }

  /** Call after sleep, a clock change, or when the platform is reachable again. */
  nudge(): void {
    this.#loop.wake()
  }

  ended(): Promise<void> {
    return this.#loop.ended()
  }

  /** @returns milliseconds until the next thread may be due */
  async #step(): Promise<number | null> {
    const now = this.#parts.clock.now()
    for (const [key, named] of this.#touched) this.#watch(key, named)
    // Done first, because other requests must not delay the end of a snooze.
    const due = [...this.#timed.values()].map((named) => this.#endSnoozeIfDue(named, now))
    this.#announceReturned((await Promise.all(due)).flat())
    for (const [key, named] of [...this.#touched]) {
      this.#touched.delete(key)
      if ((await this.#nullIfFailed(() => this.#follow(named))) === null) this.#touched.set(key, named)
    }
    const unanswered: ReturnedThread[] = []
    for (const named of [...this.#timed.values()]) {
      unanswered.push(...((await this.#nullIfFailed(() => this.#remindIfDue(named, now))) ?? []))
    }
    this.#announceReturned(unanswered)
    const times = [...this.#timed.values()].flatMap((named) => {
      const marks = this.#marksOf(named)
      return [marks?.snoozedUntil, marks?.remindAt].filter((time) => typeof time === 'number')
    })
    if (this.#timed.size === 0 && this.#touched.size === 0) return null
    const next = times.flatMap((time) => [time - CHECK_AHEAD_MS, time]).filter((time) => time > now)
    return Math.min(CLOCK_CHECK_MS, ...next.map((time) => time - now))
  }

  /** @returns null if the request failed; the next step retries */
  async #nullIfFailed<Value>(work: () => Promise<Value>): Promise<Value | null> {
    try {
      return await work()
    } catch (thrown) {
      if (thrown instanceof ProblemError && thrown.problem.code !== 'storage_failed') return null
      throw thrown
    }
  }

  /** Call when a thread's marks may have changed. */
  #watch(key: string, named: ThreadRef): void {
    const marks = this.#marksOf(named)
    const isTimed =
      marks !== undefined &&
      (marks.snoozedUntil !== null || marks.remindAt !== null || (marks.back !== null && !marks.isReturnSeen))
    if (isTimed) this.#timed.set(key, named)
    else {
      this.#timed.delete(key)
      this.#checkedAt.delete(key)
    }
  }

  /** Call when a thread may have received mail. @throws ProblemError if the author can't be requested */
  async #follow(named: ThreadRef): Promise<'done'> {
    const { cache, outbox } = this.#parts
    const { inboxId, threadId } = named
    const marks = this.#marksOf(named)
    const inbox = this.#parts.cache.inboxes.get(inboxId)
    const thread = inbox === undefined ? undefined : cache.threads.get(inbox, threadId)
    if (marks === undefined || inbox === undefined || thread === undefined) return 'done'
    if (!reactsToMail(marks) || thread.receivedAt <= marks.since) return 'done'
    const waitsForAuthor = marks.snoozedUntil !== null || marks.remindAt !== null || marks.back !== null
    const arrived = this.#arrivedIn(inbox, thread, marks.since, waitsForAuthor)
    if (arrived === null) return 'done'
    if (marks.isMuted && arrived.length > 0) {
      outbox.changeThreads(inboxId, [{ threadId, change: { folder: 'archive', read: true } }])
    }
    const authors = waitsForAuthor ? await this.#authorsOf(named, arrived) : []
    this.#noteArrival(named, thread.receivedAt, authors)
    return 'done'
  }

  /**
   * Ends snoozes and reminders. If the marks changed while the authors were determined, a separate event handles them.
   */
  #noteArrival(named: ThreadRef, upTo: number, authors: readonly MailAuthor[]): void {
    const marks = this.#marksOf(named)
    if (marks === undefined || marks.since >= upTo) return
    const isAnswered = authors.includes('person')
    const endsSnooze = marks.snoozedUntil !== null && authors.some((author) => author !== 'autoReply')
    const ended = {
      ...(endsSnooze && { snooze: '' }),
      ...(marks.remindAt !== null && isAnswered && { remind: '' }),
      ...(marks.back?.why === 'unanswered' && isAnswered && { back: '' }),
    }
    this.#parts.outbox.setMarks(named.inboxId, named.threadId, { ...ended, since: String(upTo) }, endsSnooze)
  }

  /**
   * Mail received after a time, except own messages; null until that mail is stored. List data is enough if the
   * platform doesn't return e-mails, or if the author doesn't matter.
   */
  #arrivedIn(inbox: InboxRef, thread: Thread, since: number, waitsForAuthor: boolean): readonly ReceivedEmail[] | null {
    const { cache, threads } = this.#parts
    if (cache.threads.emailsComplete(inbox, thread.id)) return this.#findStoredArrivals(inbox, thread.id, since)
    if (thread.from === null || (waitsForAuthor && threads.mayOfferEmails(inbox))) return null
    const newest = { id: null, from: thread.from, receivedAt: thread.receivedAt }
    return this.#isOwn(newest) ? null : [newest]
  }

  #findStoredArrivals(inbox: InboxRef, threadId: string, since: number): readonly ReceivedEmail[] {
    return this.#parts.cache.emails.arrivedSince(inbox, threadId, since).filter((arrived) => !this.#isOwn(arrived))
  }

  #isOwn({ from }: ReceivedEmail): boolean {
    return this.#parts.cache.inboxes.ownAddresses().has(ownAddressKey(parsePerson(from).address.toLowerCase()))
  }

  /** @throws ProblemError if the request fails */
  async #authorsOf(
    { inboxId, threadId }: ThreadRef,
    arrived: readonly ReceivedEmail[],
  ): Promise<readonly MailAuthor[]> {
    const authors: MailAuthor[] = []
    for (const { id, from } of arrived) {
      const byHeaders =
        id === null ? null : await this.#parts.authorOf({ list: 'threads', inboxId, threadId, emailId: id })
      authors.push(byHeaders ?? detectMailAuthor({ from, subject: null, headers: null }))
    }
    return authors
  }

  async #endSnoozeIfDue(named: ThreadRef, now: number): Promise<readonly ReturnedThread[]> {
    const marks = this.#marksOf(named)
    if (marks === undefined) return []
    const { back, isReturnSeen, snoozedUntil } = marks
    if (back !== null && !isReturnSeen && back.at > now + TOO_EARLY_MS) {
      this.#parts.outbox.setMarks(named.inboxId, named.threadId, notReturned(back))
      return []
    }
    if (snoozedUntil === null || snoozedUntil > now + CHECK_AHEAD_MS) return []
    await this.#nullIfFailed(() => this.#verify(named, now))
    const isStillSnoozed = !this.#parts.signal.aborted && this.#marksOf(named)?.snoozedUntil === snoozedUntil
    const isDue = isStillSnoozed && snoozedUntil <= this.#parts.clock.now()
    return isDue ? this.#returnToInbox(named, snoozedUntil, 'snoozed') : []
  }

  /**
   * Fetches the thread unless this was done a moment ago: it may have been archived since the last sync. A slow
   * response doesn't delay the end of the snooze.
   */
  async #verify(named: ThreadRef, now: number): Promise<void> {
    const { cache, threads, clock, signal } = this.#parts
    const inbox = cache.inboxes.get(named.inboxId)
    const key = keyOf(named)
    // The difference is negative if the clock was set back.
    if (inbox === undefined || Math.abs(now - (this.#checkedAt.get(key) ?? 0)) <= 2 * CHECK_AHEAD_MS) return
    this.#checkedAt.set(key, now)
    const late = sleep(clock, PATIENCE_MS, signal, { unref: true })
    await Promise.race([threads.verify(inbox, named.threadId, 'screen'), late])
  }

  /** A reminder waits for the end of the thread's snooze. @throws ProblemError if the request fails */
  async #remindIfDue(named: ThreadRef, now: number): Promise<readonly ReturnedThread[]> {
    const marks = this.#marksOf(named)
    const inbox = this.#parts.cache.inboxes.get(named.inboxId)
    if (marks === undefined || inbox === undefined || marks.snoozedUntil !== null) return []
    const { remindAt } = marks
    if (remindAt === null || remindAt > now || this.#currentStateOf(named) === undefined) return []
    return (await this.#isAnswered(named, inbox, marks)) ? [] : this.#returnToInbox(named, remindAt, 'unanswered')
  }

  #returnToInbox(named: ThreadRef, at: number, why: ResurfaceReason): readonly ReturnedThread[] {
    const { outbox, cache } = this.#parts
    const { inboxId, threadId } = named
    const currentState = this.#currentStateOf(named)
    // A cache being rebuilt will have the thread later.
    if (currentState === undefined) return []
    if (isSpamOrTrash(currentState.folder)) {
      outbox.setMarks(inboxId, threadId, { snooze: '', remind: '' })
      return []
    }
    outbox.setMarks(inboxId, threadId, returned(at, why), true)
    const inbox = this.#parts.cache.inboxes.get(inboxId)
    const thread = inbox === undefined ? undefined : cache.threads.get(inbox, threadId)
    return thread === undefined ? [] : [{ thread, why }]
  }

  /**
   * Fetches new mail in a thread whose reminder is due, so that the notice doesn't wrongly report that nobody replied.
   * @returns true if there was a reply, or the marks have changed @throws ProblemError if the request fails
   */
  async #isAnswered(named: ThreadRef, inbox: InboxRef, before: StoredThreadMarks): Promise<boolean> {
    const { inboxId, threadId } = named
    await this.#readNew(inbox, threadId, before.remindAt ?? 0)
    const arrived = this.#findStoredArrivals(inbox, threadId, before.since)
    const authors = await this.#authorsOf(named, arrived)
    const newest = arrived.at(-1)
    if (newest !== undefined) this.#noteArrival(named, newest.receivedAt, authors)
    return this.#marksOf({ inboxId, threadId })?.remindAt !== before.remindAt
  }

  /** Usually a single request. */
  async #readNew(inbox: InboxRef, threadId: string, due: number): Promise<void> {
    const { cache, threads, lastSyncAt, signal } = this.#parts
    const mayOffer = threads.mayOfferEmails(inbox)
    try {
      const isReadBefore = mayOffer && cache.emails.known(inbox, threadId).length > 0
      if (isReadBefore && (await threads.readNewer(inbox, threadId, signal))) return
    } catch (thrown) {
      // The e-mail to continue from is gone.
      if (!isNotFound(thrown)) throw thrown
    }
    // Reading e-mails needs the thread's current list data: their number, and a time for the newest one if it has none.
    if ((lastSyncAt() ?? 0) < due) throw createProblem('unreachable', 'Mail has not synced since the reminder was due.')
    if (mayOffer) await catchMissing(threads.emails(inbox, threadId, 'screen'))
  }

  #announceReturned(returned: readonly ReturnedThread[]): void {
    for (const some of Map.groupBy(returned, ({ thread, why }) => `${why} ${thread.inboxId}`).values()) {
      const [first] = some
      if (first === undefined) continue
      const { thread, why } = first
      const threads = some.map((each) => each.thread)
      this.#parts.announce({ ...toArrivedMail(thread.inboxId, threads), why })
    }
  }

  #currentStateOf({ inboxId, threadId }: ThreadRef): CurrentThreadState | undefined {
    const inbox = this.#parts.cache.inboxes.get(inboxId)
    return inbox === undefined ? undefined : this.#parts.cache.threads.currentState(inbox, threadId)
  }

  #marksOf({ inboxId, threadId }: ThreadRef): StoredThreadMarks | undefined {
    return this.#parts.outbox.marksOf(inboxId, threadId)
  }
}
