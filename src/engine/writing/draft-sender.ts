import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/result.ts'
import type { DraftState, SendRefusal } from '../../shared/drafts.ts'
import type { Cache } from '../store/cache.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { createProblem } from '../problem.ts'
import type { EngineService } from '../service.ts'
import { sleep, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'
import { DraftDelivery } from './draft-delivery.ts'
import type { DraftStore } from './draft-store.ts'
import { DraftOutcomes, type DraftOutcomesDependencies } from './draft-outcomes.ts'
import type { DraftSync } from './draft-sync.ts'
import { resetUploadAttempts, type DraftTransfers } from './draft-transfers.ts'
import type { LocalDraft } from './local-draft.ts'
import { ScheduledDrafts } from './scheduled-drafts.ts'
import type { SendRecord } from './send-record.ts'
import { findSendRefusal, NO_THREAD_TO_RESURFACE, SENT_ALREADY } from './sending-refusal.ts'
import { chooseSendMethod } from './send-methods.ts'
import { toOutgoingMessage } from './outgoing-draft.ts'

/** Retry delay after a failed write. The user may free space on a full disk. */
const WRITE_AGAIN_MS = 5_000
/** Maximum time that undo waits for an attempt in progress, in milliseconds. */
const MAX_TRY_WAIT_MS = 5_000

const TOO_LATE_TO_UNDO = 'This message is being sent or was already sent. It is too late to undo.'

const toRefusedError = ({ field, message }: SendRefusal): ProblemError =>
  new ProblemError({ code: 'refused', message, details: { field } })

interface DraftSendingParts extends DraftOutcomesDependencies {
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'threads'>
  readonly outbox: Pick<Outbox, 'changeThreads' | 'undo' | 'sendDraft'>
  readonly sync: Pick<DraftSync, 'changed' | 'whenSettled'>
  readonly transfers: Pick<DraftTransfers, 'run' | 'stop'>
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Sends an account's drafts. All methods throw `not_found` for unknown drafts. */
export class DraftSender implements EngineService {
  readonly #files: DraftStore
  readonly #parts: DraftSendingParts
  readonly #outcomes: DraftOutcomes
  readonly #scheduled: ScheduledDrafts
  readonly #delivery: DraftDelivery
  readonly #tries = new Map<string, Promise<void>>()
  readonly #dueLoop: Loop

  constructor(parts: DraftSendingParts) {
    this.#parts = parts
    this.#files = parts.files
    this.#outcomes = new DraftOutcomes(parts)
    this.#scheduled = new ScheduledDrafts({ ...parts, outcomes: this.#outcomes })
    this.#delivery = new DraftDelivery({ ...parts, outcomes: this.#outcomes, scheduled: this.#scheduled })
    this.#dueLoop = new Loop(parts.clock)
  }

  /** Resumes sends that were interrupted by an exit. */
  start(): void {
    const { report, signal } = this.#parts
    for (const draft of this.#files.all()) {
      const { state, sending } = draft
      if ((state.kind === 'waiting' || state.kind === 'sending') && sending !== null) this.#enqueue(draft, sending.key)
    }
    this.#dueLoop.start({
      step: () => this.#doDue(),
      failed: (thrown) => {
        report(thrown)
        // The disk may be full. Keep holding the message a moment longer.
        return WRITE_AGAIN_MS
      },
      signal,
    })
  }

  ended(): Promise<void> {
    return this.#dueLoop.ended()
  }

  /** Number of messages held for undo. */
  held(): number {
    return this.#files.all().filter(({ state }) => state.kind === 'held').length
  }

  /**
   * Sends a draft. It is on disk when this returns.
   * @throws ProblemError `conflict` for another revision or one being sent, `refused` with the field if it cannot be
   * sent as it is
   */
  send(
    draftId: string,
    revision: number,
    how: Pick<SendRecord, 'archive' | 'scheduledAt'> & { readonly holdSeconds: number },
  ): DraftState {
    const { isUntouched: _before, ...kept } = this.#files.find(draftId)
    const draft = { ...kept, ...resetUploadAttempts(kept) }
    this.#checkSendable(draft, revision, how.scheduledAt)
    const { archive, scheduledAt, holdSeconds } = how
    // If the message may have arrived, repeat the same request.
    const before = draft.sending?.scheduledAt === scheduledAt ? draft.sending : null
    const { key, way, askedAt } = before ?? { key: randomUUID(), way: null, askedAt: null }
    const sending: SendRecord = { key, archive, scheduledAt, way, askedAt, emailId: null }
    if (holdSeconds > 0) {
      const held: DraftState = { kind: 'held', at: this.#parts.clock.now() + holdSeconds * 1000 }
      this.#files.put({ ...draft, state: held, sending })
      this.#outcomes.archiveThread(draftId)
      this.#dueLoop.wake()
      return held
    }
    this.#release({ ...draft, sending })
    this.#outcomes.archiveThread(draftId)
    return this.#files.get(draftId)?.state ?? { kind: 'waiting' }
  }

  /**
   * Resends, unchanged, a message whose upload was interrupted. It is on disk when this returns.
   * @throws ProblemError `conflict` if it was changed or sent since, `refused` with the field if its scheduled time has
   * passed
   */
  sendAgain(draftId: string): DraftState {
    const draft = this.#files.find(draftId)
    const { state, sending, revision } = draft
    if (state.kind !== 'refused' || state.reason.isLineBroken !== true || sending === null) {
      throw createProblem('conflict', 'This message was changed or is already being sent. Open it to check.')
    }
    this.#checkSendable(draft, revision, sending.scheduledAt)
    this.#release({ ...draft, ...resetUploadAttempts(draft) })
    this.#outcomes.archiveThread(draftId)
    return this.#files.get(draftId)?.state ?? { kind: 'waiting' }
  }

  /** Turns a message back into an open draft. @throws ProblemError `conflict` if it was, or may have been, sent */
  cancel(draftId: string): Promise<void> {
    return this.#cancel(draftId).finally(() => this.#dueLoop.wake())
  }

  /** @throws ProblemError `conflict` if it isn't scheduled, `refused` with the field for an invalid time */
  reschedule(draftId: string, scheduledAt: number): Promise<void> {
    return this.#reschedule(draftId, scheduledAt).finally(() => this.#dueLoop.wake())
  }

  /** Sends a waiting draft; does nothing if it is no longer waiting. @throws if it should be retried */
  deliver(draftId: string, ending: AbortSignal): Promise<void> {
    const work = this.#delivery.deliver(draftId, ending).finally(() => {
      this.#tries.delete(draftId)
      this.#dueLoop.wake()
    })
    const settled = work.catch(() => undefined)
    this.#tries.set(draftId, settled)
    return work
  }

  #checkSendable(draft: LocalDraft, revision: number, at: number | null) {
    const { state, revision: now, theirs, inboxId, content, target, remindAt } = draft
    const { cache, clock } = this.#parts
    if (state.kind !== 'open' && state.kind !== 'refused') {
      throw createProblem('conflict', 'This message is already being sent.')
    }
    if (now !== revision) {
      throw createProblem('conflict', 'This draft was changed in another window. Open it again to see the changes.')
    }
    if (theirs !== null) {
      throw createProblem('conflict', 'This draft was also changed elsewhere. Choose a version, then send it.')
    }
    const inbox = cache.inboxes.get(inboxId)?.onServer === true ? 'there' : 'gone'
    const fault = findSendRefusal(content, { inbox, scheduledAt: at, now: clock.now() })
    if (fault !== null) throw toRefusedError(fault)
    const isWithoutThread = target === null && chooseSendMethod(toOutgoingMessage(cache, draft, at)).kind === 'email'
    if (remindAt !== undefined && isWithoutThread) throw toRefusedError(NO_THREAD_TO_RESURFACE)
  }

  #release(draft: LocalDraft): void {
    if (draft.sending === null) return
    this.#files.put({ ...draft, state: { kind: 'waiting' } })
    this.#enqueue(draft, draft.sending.key)
  }

  /** Queues delivery for when the platform is reachable; a null key removes it from the queue. */
  #enqueue({ inboxId, id }: LocalDraft, key: string | null): void {
    this.#parts.outbox.sendDraft(inboxId, id, key)
  }

  /** Returns the draft after the running try settles. If the platform was unreachable, nothing was sent. */
  async #findBetweenTries(id: string): Promise<LocalDraft> {
    const { clock, signal } = this.#parts
    if (this.#files.find(id).state.kind !== 'sending') return this.#files.find(id)
    const longEnough = sleep(clock, MAX_TRY_WAIT_MS, signal, { unref: true }).catch(() => undefined)
    await Promise.race([this.#tries.get(id), longEnough])
    if (this.#files.get(id) === undefined) throw createProblem('conflict', SENT_ALREADY)
    return this.#files.find(id)
  }

  async #cancel(draftId: string): Promise<void> {
    const isStopped = this.#parts.transfers.stop(draftId)
    const draft = await this.#findBetweenTries(draftId)
    const { state, sending } = draft
    if (state.kind === 'open' || (isStopped && state.kind === 'refused')) return
    if (state.kind === 'sending') throw createProblem('conflict', TOO_LATE_TO_UNDO)
    const emailId = sending?.emailId ?? null
    if (state.kind === 'scheduled' && emailId !== null) {
      await this.#scheduled.cancel(draft, emailId)
      return
    }
    this.#outcomes.open(draft)
    this.#enqueue(draft, null)
  }

  async #reschedule(draftId: string, scheduledAt: number): Promise<void> {
    const draft = await this.#findBetweenTries(draftId)
    const fault = findSendRefusal(draft.content, { inbox: 'there', scheduledAt, now: this.#parts.clock.now() })
    if (fault !== null) throw toRefusedError(fault)
    const { state, sending } = draft
    const isHere = state.kind === 'held' || state.kind === 'waiting'
    if (isHere && sending !== null && sending.scheduledAt !== null && sending.askedAt === null) {
      // Nothing was sent yet, so a changed request gets a new key.
      const key = randomUUID()
      this.#files.put({ ...draft, sending: { ...sending, key, scheduledAt, way: null } })
      if (state.kind === 'waiting') this.#enqueue(draft, key)
      return
    }
    const emailId = sending?.emailId ?? null
    if (state.kind !== 'scheduled' || emailId === null) {
      throw createProblem('conflict', 'This message is not scheduled, or is already being sent.')
    }
    await this.#scheduled.reschedule(draftId, emailId, scheduledAt)
  }

  #dueAt({ id, state }: LocalDraft): number {
    if (state.kind === 'held') return state.at
    return state.kind === 'scheduled' ? this.#scheduled.dueAt(id, state.at) : Infinity
  }

  /** @returns milliseconds until the next due work, or null */
  #doDue(): number | null {
    const { clock } = this.#parts
    for (const draft of this.#files.all()) {
      if (this.#dueAt(draft) > clock.now()) continue
      if (draft.state.kind === 'held') this.#release(draft)
      else this.#checkScheduled(draft.id)
    }
    const next = Math.min(...this.#files.all().map((draft) => this.#dueAt(draft)))
    return Number.isFinite(next) ? next - clock.now() : null
  }

  #checkScheduled(draftId: string): void {
    this.#scheduled.noteLook(draftId)
    void this.#scheduled
      .look(draftId)
      .catch((thrown: unknown) => {
        if (!(thrown instanceof ProblemError)) this.#parts.report(thrown)
      })
      // The platform may have a different time for the message.
      .then(() => this.#dueLoop.wake())
  }
}
