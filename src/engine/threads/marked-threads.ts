import type { LinnetEvent } from '../../shared/contract.ts'
import { MOST_ARRIVED, type ArrivedMail } from '../../shared/arrived-mail.ts'
import type { Thread } from '../../shared/model.ts'
import { markLabelId, MARKS, type ReturnReason } from '../../shared/thread-marks.ts'
import type { Subject } from '../outbox/change.ts'
import { threadSubject } from '../outbox/changes/thread-answers.ts'
import type { KeptMarks } from '../outbox/changes/thread-marks.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { readPerson } from '../search-index/searchable-email.ts'
import type { Service } from '../service.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { ownAddressKey } from '../store/thread-writers.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** The computer's clock is looked at this often while something is to come back: it may be set, and timers do not follow it. */
const LOOK_MS = 60_000
/** How long a reminder waits for a look at the platform, which may bring the answer. */
const ANSWER_MAY_COME_MS = 60 * 60_000
/** A thread that came back at a time that far ahead came back too early: the clock was wrong. */
const TOO_EARLY_MS = 60_000
const AFTER_FAILURE_MS = 60_000

/** Mailboxes that tell of bounces: no person answers from them (RFC 5321, 4.5.5; RFC 2142). */
const IS_BOUNCE = /^(?:mailer-daemon|postmaster|mail-daemon)@/u

interface MarkedThreadsParts {
  readonly cache: Pick<Cache, 'inboxes' | 'threads' | 'emails'>
  readonly outbox: Pick<
    Outbox,
    'marksOf' | 'markedThreads' | 'bringBack' | 'sendAwayAgain' | 'noteArrival' | 'changeThreads'
  >
  readonly tell: (mail: ArrivedMail) => void
  /** When the platform was last looked at as a whole, milliseconds since the epoch. */
  readonly lastSyncAt: () => number | null
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

interface Named {
  readonly inboxId: string
  readonly threadId: string
}

/** A thread that has just come back. */
interface Returned {
  readonly thread: Thread
  readonly why: ReturnReason
}

const addressOf = (from: string): string => readPerson(from).address.toLowerCase()

const keyOf = ({ inboxId, threadId }: Named): string => JSON.stringify([inboxId, threadId])

/** Every thread that the cache shows with a mark, whether or not it has it. */
export const threadsShownMarked = ({ inboxes, threads }: Pick<Cache, 'inboxes' | 'threads'>): readonly Subject[] =>
  inboxes
    .all()
    .flatMap(({ key, inbox: { id } }) =>
      MARKS.flatMap((mark) =>
        threads
          .list({ key, id }, { labelId: markLabelId(mark) }, { offset: 0, limit: Number.MAX_SAFE_INTEGER })
          .map((thread) => threadSubject(id, thread.id)),
      ),
    )

/**
 * Does what a person's marks promise: brings snoozed threads and unanswered ones back at their time, also after a start
 * that comes too late; ends a snooze or a reminder when mail comes in; and puts new mail of muted threads away.
 */
export class MarkedThreads implements Service {
  readonly #parts: MarkedThreadsParts
  readonly #loop: Loop
  /** Threads that are to be looked at. */
  readonly #touched = new Map<string, Named>()
  /** Those that are to come back, or came back and were not seen. */
  readonly #timed = new Map<string, Named>()

  constructor(parts: MarkedThreadsParts) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock, { unref: true })
  }

  start(): void {
    const { outbox, report, signal } = this.#parts
    for (const named of outbox.markedThreads()) this.#touched.set(keyOf(named), named)
    this.#loop.start({
      step: () => this.#step(),
      failed: (thrown) => {
        // A damaged cache is opened anew.
        if (!isCorrupt(thrown)) report(thrown)
        return AFTER_FAILURE_MS
      },
      signal,
    })
  }

  onEvent({ name, payload }: LinnetEvent): void {
    if (name !== 'threads.changed' && name !== 'emails.changed') return
    const { inboxId } = payload
    const marked = payload.threadIds.filter((threadId) => {
      const named = { inboxId, threadId }
      return this.#timed.has(keyOf(named)) || this.#parts.outbox.marksOf(inboxId, threadId) !== undefined
    })
    if (marked.length === 0) return
    for (const threadId of marked) this.#touched.set(keyOf({ inboxId, threadId }), { inboxId, threadId })
    this.#loop.wake()
  }

  /** The computer was asleep, or its clock was set. */
  nudge(): void {
    this.#loop.wake()
  }

  ended(): Promise<void> {
    return this.#loop.ended()
  }

  /** @returns milliseconds until something may be due */
  #step(): number | null {
    for (const [key, named] of [...this.#touched]) {
      this.#follow(key, named)
      this.#touched.delete(key)
    }
    const now = this.#parts.clock.now()
    const returned = [...this.#timed.values()].flatMap((named) => this.#bringBackIfDue(named, now) ?? [])
    for (const [inboxId, those] of Map.groupBy(returned, ({ thread }) => thread.inboxId)) {
      for (const [why, threads] of Map.groupBy(those, (each) => each.why)) this.#tell(inboxId, why, threads)
    }
    const times = [...this.#timed.values()].flatMap((named) => {
      const marks = this.#marksOf(named)
      return [marks?.snoozedUntil, marks?.remindAt].filter((time) => typeof time === 'number')
    })
    if (this.#timed.size === 0) return null
    return Math.min(LOOK_MS, ...times.filter((time) => time > now).map((time) => time - now))
  }

  /** A thread may have other marks than before, or new mail. */
  #follow(key: string, { inboxId, threadId }: Named): void {
    const { cache, outbox } = this.#parts
    const marks = outbox.marksOf(inboxId, threadId)
    const isTimed =
      marks !== undefined &&
      (marks.snoozedUntil !== null || marks.remindAt !== null || (marks.back !== null && !marks.isBackSeen))
    if (isTimed) this.#timed.set(key, { inboxId, threadId })
    else this.#timed.delete(key)
    const inbox = this.#inboxOf(inboxId)
    const thread = inbox === undefined ? undefined : cache.threads.get(inbox, threadId)
    if (marks === undefined || inbox === undefined || thread === undefined) return
    if (!(marks.isMuted || marks.snoozedUntil !== null || marks.remindAt !== null)) return
    if (thread.receivedAt <= marks.since) return
    const arrived = this.#arrivedIn(inbox, thread, marks.since)
    if (arrived === 'unknown') return
    if (arrived !== 'nothing' && marks.isMuted) {
      outbox.changeThreads(inboxId, [{ threadId, change: { folder: 'archive', read: true } }])
    }
    outbox.noteArrival(inboxId, threadId, thread.receivedAt, {
      snooze: arrived !== 'nothing' && marks.snoozedUntil !== null,
      remind: arrived === 'answer' && marks.remindAt !== null,
    })
  }

  /** What came into a thread later than a time: an own message is nothing, and a bounce is no answer. */
  #arrivedIn(inbox: InboxRef, thread: Thread, since: number): 'answer' | 'bounce' | 'nothing' | 'unknown' {
    const { cache } = this.#parts
    const own = cache.inboxes.ownAddresses()
    const addresses = cache.threads.emailsComplete(inbox, thread.id)
      ? cache.emails.arrivedSince(inbox, thread.id, since).map((from) => addressOf(from))
      : thread.from === null || own.has(ownAddressKey(addressOf(thread.from)))
        ? null
        : [addressOf(thread.from)]
    // What an own message stands above is told once its thread's e-mails are here.
    if (addresses === null) return 'unknown'
    if (addresses.length === 0) return 'nothing'
    return addresses.every((address) => IS_BOUNCE.test(address)) ? 'bounce' : 'answer'
  }

  #bringBackIfDue({ inboxId, threadId }: Named, now: number): Returned | null {
    const { outbox, cache } = this.#parts
    const marks = this.#marksOf({ inboxId, threadId })
    const inbox = this.#inboxOf(inboxId)
    if (marks === undefined || inbox === undefined) return null
    const { back, isBackSeen, snoozedUntil, remindAt } = marks
    if (back !== null && !isBackSeen && back.at > now + TOO_EARLY_MS) {
      outbox.sendAwayAgain(inboxId, threadId)
      return null
    }
    const due =
      snoozedUntil !== null && snoozedUntil <= now
        ? ({ at: snoozedUntil, why: 'snoozed' } as const)
        : // Whoever has snoozed it until later wants to see it then.
          snoozedUntil === null && remindAt !== null && remindAt <= now && this.#isAnswerKnown(remindAt, now)
          ? ({ at: remindAt, why: 'unanswered' } as const)
          : null
    // A cache that is being made anew has the thread later.
    if (due === null || cache.threads.standing(inbox, threadId) === undefined) return null
    outbox.bringBack(inboxId, threadId, due.at, due.why)
    const thread = cache.threads.get(inbox, threadId)
    return thread === undefined ? null : { thread, why: due.why }
  }

  /** Whether an answer that came before a time would be here. */
  #isAnswerKnown(at: number, now: number): boolean {
    return (this.#parts.lastSyncAt() ?? 0) >= at || now >= at + ANSWER_MAY_COME_MS
  }

  #tell(inboxId: string, why: ReturnReason, returned: readonly Returned[]): void {
    this.#parts.tell({
      inboxId,
      why,
      count: returned.length,
      threads: returned.slice(0, MOST_ARRIVED).map(({ thread }) => ({
        ...{ threadId: thread.id, from: thread.from, subject: thread.subject, snippet: thread.snippet },
        labelNames: thread.labels.map(({ name }) => name),
      })),
    })
  }

  #inboxOf(inboxId: string): InboxRef | undefined {
    const stored = this.#parts.cache.inboxes.get(inboxId)
    return stored === undefined ? undefined : { key: stored.key, id: inboxId }
  }

  #marksOf({ inboxId, threadId }: Named): KeptMarks | undefined {
    return this.#parts.outbox.marksOf(inboxId, threadId)
  }
}
