import { ProblemError, type Problem } from '../../../shared/result.ts'
import { lacksOperation, neverTookEffect, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { Clock } from '../../timing/clock.ts'
import { createRecentMap } from '../../timing/recent-map.ts'
import {
  computeAcceptedRemainder,
  fieldKey,
  computeRejectedRemainder,
  subjectKey,
  dedupeSubjects,
  type Change,
  type ChangeWrite,
  type SubjectField,
  type ReplacedId,
  type ChangeSubject,
  type WaitingChange,
} from './change.ts'
import type { ChangeResponse, ChangeType, MissingResource, RejectedChange } from './change-type.ts'
import type { OutboxFile } from './outbox-file.ts'
import type { WaitingChanges } from './waiting-changes.ts'

/** Lifetime of confirmed changes in memory, for responses to earlier requests: longer than any time-out. */
const REMEMBERED_MS = 120_000
/** The event of an accepted change is in the log by then, in milliseconds. */
const EVENT_WAIT_MS = 10 * 60_000
const MAX_ACCEPTED = 2_000
/** Give up after this many contradictory 404s in a row (about 4 s, longer than a restart of the platform). */
const MAX_CONTRADICTIONS = 5

/**
 * True for final rejections, but not for temporary failures, API-key failures or captive portals. Any 404 or 405 counts
 * and is looked into.
 */
const isRefusal = (thrown: unknown): thrown is ProblemError =>
  thrown instanceof ProblemError &&
  ['refused', 'not_found', 'invalid_input', 'query_invalid'].includes(thrown.problem.code) &&
  (!(thrown instanceof PlatformRefusalError) || thrown.isFinal || lacksOperation(thrown))

interface Request {
  readonly type: ChangeType
  readonly changes: readonly WaitingChange[]
}

const changeKey = (change: Change): string => `${fieldKey(change)} ${change.wanted}`

interface SubjectSenderParts {
  readonly file: Pick<OutboxFile, 'write' | 'needsOldValue' | 'storeOldValue'>
  readonly waiting: WaitingChanges
  readonly changed: (subjects: readonly ChangeSubject[]) => void
  readonly refused: (subject: ChangeSubject, type: ChangeType, refusal: RejectedChange) => void
  readonly replaced: (replaced: ReplacedId) => void
  readonly isBusy: (subject: ChangeSubject) => boolean
  readonly clock: Pick<Clock, 'elapsed'>
}

/** Sends a subject's changes one request at a time and determines each outcome. */
export class SubjectSender {
  readonly #parts: SubjectSenderParts
  readonly #confirmedAt = new Map<string, number>()
  /** Changes that the platform has just accepted: the last time, how often, and the events that they caused so far. */
  readonly #accepted = createRecentMap<{
    readonly at: number
    readonly count: number
    readonly eventIds: Set<string>
  }>(MAX_ACCEPTED)
  /** Changes to send alone because a request that combined them with others was rejected. */
  readonly #isolated = new Set<string>()
  /** Consecutive rejections per field that claimed something was missing although it exists. */
  readonly #contradictions = new Map<string, number>()

  constructor(parts: SubjectSenderParts) {
    this.#parts = parts
  }

  /** Sends the next changes, or looks up those whose response was lost. @throws if it should be retried */
  async sendNext(subject: ChangeSubject, signal: AbortSignal): Promise<'sent' | 'looked into'> {
    const uncertain = this.#parts.waiting.of(subject).filter(({ sending }) => sending !== null)
    if (uncertain.length > 0) {
      await this.#settleUncertain(subject, uncertain, signal)
      return 'looked into'
    }
    await this.#sendOne(subject, signal)
    return 'sent'
  }

  confirmedSince(subject: ChangeSubject, askedAt: number): boolean {
    const confirmedAt = this.#confirmedAt
    return confirmedAt.size > 0 && (confirmedAt.get(subjectKey(subject)) ?? Number.NEGATIVE_INFINITY) > askedAt
  }

  /** True if the event tells of a change from here. Each accepted change causes only one event. */
  causedEvent(change: Change, eventId: string): boolean {
    const accepted = this.#accepted.get(changeKey(change))
    if (accepted === undefined || this.#parts.clock.elapsed() - accepted.at > EVENT_WAIT_MS) return false
    if (accepted.eventIds.size < accepted.count) accepted.eventIds.add(eventId)
    return accepted.eventIds.has(eventId)
  }

  forget(field: SubjectField): void {
    const key = fieldKey(field)
    this.#isolated.delete(key)
    this.#contradictions.delete(key)
  }

  #nextRequest(subject: ChangeSubject): Request | null {
    const { waiting } = this.#parts
    const ready = waiting.sendableOf(waiting.of(subject))
    const [first] = ready
    if (first === undefined) return null
    const type = waiting.typeOf(first)
    const mayJoin = (change: WaitingChange): boolean => !this.#isolated.has(fieldKey(change))
    const candidates = mayJoin(first) ? ready.filter((change) => type.owns(change) && mayJoin(change)) : [first]
    return { type, changes: type.batch(first, candidates) }
  }

  async #sendOne(subject: ChangeSubject, signal: AbortSignal): Promise<void> {
    const { file, waiting } = this.#parts
    const next = this.#nextRequest(subject)
    if (next === null) return
    if (next.type.readsBeforeWrite === true && next.changes.some((change) => file.needsOldValue(change))) {
      await this.#readOldValues(subject, next, signal)
      // The platform already had the wanted value, or a newer change arrived; the next round sends the rest.
      if (next.changes.some((change) => waiting.find(change) !== change)) return
    }
    const sending = next.changes.map((change): WaitingChange => ({ ...change, sending: change.wanted }))
    const writes = sending.map((change) => ({ target: change, change }))
    // Mark the change before the request: after a crash, the platform's state is read before anything is sent again.
    file.write(writes)
    for (const write of writes) waiting.remember(write)
    let answer: ChangeResponse
    try {
      answer = await next.type.deliver(subject, sending, signal)
    } catch (thrown) {
      if (!signal.aborted && isRefusal(thrown)) {
        await this.#settleRefusal(subject, { type: next.type, changes: sending }, thrown, signal)
        return
      }
      if (neverTookEffect(thrown)) this.#forgetSending(subject, next.type)
      throw thrown
    }
    const at = this.#parts.clock.elapsed()
    for (const change of sending) {
      const { count = 0, eventIds = new Set<string>() } = this.#accepted.get(changeKey(change)) ?? {}
      this.#accepted.put(changeKey(change), { at, count: count + 1, eventIds })
    }
    const outcomes = sending.map((sent): ChangeWrite => ({
      target: sent,
      change: computeAcceptedRemainder(waiting.find(sent) ?? sent),
    }))
    this.#conclude([subject], outcomes, { of: subject, answer })
  }

  /** Reads the platform's state before sending, because undoing a large change needs the old values. */
  async #readOldValues(subject: ChangeSubject, { type, changes }: Request, signal: AbortSignal): Promise<void> {
    const { file, waiting } = this.#parts
    const seen = await type.look(subject, changes, signal)
    // If the subject is gone, the response to the change itself will show it.
    if (seen === null) return
    for (const change of changes) {
      const there = type.valueIn(seen.state, change.field)
      if (there === undefined || waiting.find(change) !== change) continue
      file.storeOldValue(change, there)
      if (there !== change.wanted) continue
      this.#conclude([subject], [{ target: change, change: null }], { of: subject, answer: seen })
    }
    seen.store()
  }

  /** Looks up changes whose outcome is unknown. */
  async #settleUncertain(
    subject: ChangeSubject,
    uncertain: readonly WaitingChange[],
    signal: AbortSignal,
  ): Promise<void> {
    const { waiting } = this.#parts
    const [first] = uncertain
    if (first === undefined) return
    const type = waiting.typeOf(first)
    const sent = uncertain.filter(type.owns)
    const seen = await type.look(subject, sent, signal)
    const now = sent.flatMap((change) => waiting.find(change) ?? [])
    if (seen === null) {
      this.#conclude(
        [subject],
        now.map((change) => ({ target: change, change: { ...change, sending: null } })),
        null,
      )
      return
    }
    const hasArrived = (change: WaitingChange): boolean => type.valueIn(seen.state, change.field) === change.sending
    const arrived = now
      .filter(hasArrived)
      .map((change) => ({ target: change, change: computeAcceptedRemainder(change) }))
    // A change that never arrived may have been undone since; the platform then has the right value already.
    const lost = waiting.foldAgain(
      now.filter((change) => !hasArrived(change)),
      seen.state,
    )
    this.#conclude([subject], [...arrived, ...lost], { of: subject, answer: seen })
  }

  /**
   * Finds the cause of a rejection, so that only the rejected change is rolled back. A request with several changes is
   * split: after a look-up, each change that didn't arrive is sent alone.
   */
  async #settleRefusal(
    subject: ChangeSubject,
    { type, changes }: Request,
    refusal: ProblemError,
    signal: AbortSignal,
  ): Promise<void> {
    const { waiting, isBusy } = this.#parts
    const { problem } = refusal
    const missing = lacksOperation(refusal) ? await type.findMissing(subject, changes, signal) : 'change'
    if (missing === 'inbox') {
      // Every change in this inbox will fail the same way. Those in flight are handled by their own responses.
      const others = waiting
        .all()
        .filter((other) => other.scope === subject.scope && subjectKey(other) !== subjectKey(subject) && !isBusy(other))
      this.#rollBack([subject, ...others], type, problem, missing)
      return
    }
    if (missing === 'subject' && type.isLocalOnly?.(subject) === true) {
      // The request had no effect. From now on, changes to the subject are applied locally.
      this.#forgetSending(subject, type)
      return
    }
    const keys = changes.map(fieldKey)
    const isParting = missing !== 'subject' && changes.length > 1
    const doubt =
      missing === 'nothing'
        ? Math.max(...keys.map((key) => this.#contradictions.get(key) ?? 0)) + 1
        : MAX_CONTRADICTIONS
    if (!isParting && doubt >= MAX_CONTRADICTIONS) {
      this.#rollBack([subject], type, problem, missing)
      return
    }
    for (const key of keys) {
      if (isParting) this.#isolated.add(key)
      else this.#contradictions.set(key, doubt)
    }
    const uncertain = waiting.of(subject).filter(({ sending }) => sending !== null)
    await this.#settleUncertain(subject, uncertain, signal)
    // The first retry is immediate; later ones wait for the back-off.
    if (!isParting && doubt > 1) throw refusal
  }

  /** The request had no effect: treat the changes as never sent, so they can still be dropped. */
  #forgetSending(subject: ChangeSubject, type: ChangeType): void {
    const { waiting } = this.#parts
    const sent = waiting.of(subject).filter((change) => change.sending !== null && type.owns(change))
    this.#conclude([subject], waiting.foldAgain(sent, type.serverState(subject)), null)
  }

  /** Rolls back these subjects' sent changes, or all their changes if the subjects no longer exist. */
  #rollBack(from: readonly ChangeSubject[], type: ChangeType, problem: Problem, missing: MissingResource): void {
    const { waiting, refused } = this.#parts
    const isAllGone = missing === 'subject' || missing === 'inbox'
    const outcomes = from.flatMap((subject) =>
      waiting
        .of(subject)
        .filter(({ sending }) => isAllGone || sending !== null)
        .map((change) => {
          const own = waiting.typeOf(change)
          const server = own.valueIn(own.serverState(subject), change.field)
          return { target: change, change: isAllGone ? null : computeRejectedRemainder(change, server) }
        }),
    )
    const gone = outcomes.flatMap(({ target, change }) => (change === null ? [target] : []))
    const [subject] = from
    // Report before storing: after a crash, the platform rejects the change again, and the same problem is reported.
    if (gone.length > 0 && subject !== undefined) {
      refused(subject, type, {
        problem,
        missing,
        fields: gone.map(({ field }) => field),
        wanted: gone.map(({ wanted }) => wanted),
      })
    }
    const dependents = waiting.dependentsOf(gone)
    this.#conclude(
      dedupeSubjects([...from, ...dependents]),
      [...outcomes, ...dependents.map((target) => ({ target, change: null }))],
      null,
    )
  }

  /**
   * Stores an outcome in the cache, then in memory, and last in the file, so that a crash in between leads to a
   * look-up.
   */
  #conclude(
    about: readonly ChangeSubject[],
    outcomes: readonly ChangeWrite[],
    answer: { readonly of: ChangeSubject; readonly answer: ChangeResponse } | null,
  ): void {
    const { file, waiting, changed, replaced, clock } = this.#parts
    let replacement: ReplacedId | null = null
    if (answer !== null) {
      // If the cache fails, the change stays pending and is looked up again.
      answer.answer.store()
      const { kind, scope, id: was } = answer.of
      const { id = was } = answer.answer
      if (id !== was) replacement = { kind, scope, was, id }
      const now = clock.elapsed()
      for (const [key, at] of this.#confirmedAt) if (now - at > REMEMBERED_MS) this.#confirmedAt.delete(key)
      for (const subject of about) this.#confirmedAt.set(subjectKey(subject), now)
    }
    for (const outcome of outcomes) waiting.remember(outcome)
    const moved = replacement === null ? [] : waiting.replaceId(replacement)
    for (const write of moved) waiting.remember(write)
    file.write([...outcomes, ...moved], { replaced: replacement })
    if (replacement !== null) replaced(replacement)
    changed(dedupeSubjects([...about, ...moved.map(({ target }) => target)]))
  }
}
