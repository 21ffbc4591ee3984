import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/result.ts'
import type { DraftContent, DraftState, SendRefusal } from '../../shared/drafts.ts'
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
import type { RemoteReplyCheck } from './remote-replies.ts'
import { ScheduledDrafts } from './scheduled-drafts.ts'
import type { SendRecord } from './send-record.ts'
import { findSendObjection, type SendObjectionParts } from './send-objection.ts'
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

interface SendOptions extends Pick<SendRecord, 'archive' | 'scheduledAt'> {
  /** The undo period; 0 sends at once. */
  readonly holdSeconds: number
  /** True to hold the message for consent if there is an objection. */
  readonly asksFirst?: boolean | undefined
  /** The latest content and sender, to save with the message. */
  readonly content?: DraftContent | undefined
  readonly inboxId?: string | undefined
}

const withEdit = (draft: LocalDraft, { content, inboxId }: SendOptions, now: number): LocalDraft =>
  content === undefined
    ? draft
    : {
        ...draft,
        ...{ content, inboxId: inboxId ?? draft.inboxId, revision: draft.revision + 1 },
        ...{ sending: null, updatedAt: now },
      }

interface DraftSendingParts extends DraftOutcomesDependencies {
  readonly remoteReplies: Pick<RemoteReplyCheck, 'sent' | 'look'>
  readonly usage: SendObjectionParts['usage']
  readonly isOnline: () => boolean
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
  /** Running checks for objections, by draft ID. */
  readonly #checks = new Map<string, Promise<void>>()
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
    return this.#files.all().filter(({ state }) => state.kind === 'held' && state.at !== null).length
  }

  /**
   * Sends a draft. It is on disk when this returns.
   * @throws ProblemError `conflict` for another revision or one being sent, `refused` with the field if it cannot be
   * sent as it is
   */
  send(draftId: string, revision: number, how: SendOptions): DraftState {
    const { isUntouched: _before, ...found } = this.#files.find(draftId)
    const { archive, scheduledAt, holdSeconds, asksFirst = false } = how
    const draft = withEdit({ ...found, ...resetUploadAttempts(found) }, how, this.#parts.clock.now())
    this.#checkSendable({ ...draft, revision: found.revision }, revision, scheduledAt)
    // If the message may have arrived, repeat the same request.
    const before = draft.sending?.scheduledAt === scheduledAt ? draft.sending : null
    const { key, way, askedAt } = before ?? { key: randomUUID(), way: null, askedAt: null }
    const sending: SendRecord = { key, archive, scheduledAt, way, askedAt, emailId: null }
    if (asksFirst || holdSeconds > 0) {
      const held: DraftState = { kind: 'held', at: this.#parts.clock.now() + holdSeconds * 1000 }
      this.#files.put({ ...draft, state: held, sending: asksFirst ? { ...sending, asksFirst } : sending })
      this.#outcomes.archiveThread(draftId)
      if (asksFirst) void this.#check(draftId)
      this.#dueLoop.wake()
      return held
    }
    this.#release({ ...draft, sending })
    this.#outcomes.archiveThread(draftId)
    return this.#files.get(draftId)?.state ?? { kind: 'waiting' }
  }

  /**
   * Sends, unchanged, a message that waits for consent or whose upload was interrupted. It is on disk when this returns.
   * @throws ProblemError `conflict` if it was changed or sent since, `refused` with the field if its scheduled time has
   * passed
   */
  sendAgain(draftId: string): DraftState {
    const draft = this.#files.find(draftId)
    const { state, sending, revision } = draft
    const isObjected = state.kind === 'held' && state.at === null
    const isBroken = state.kind === 'refused' && state.reason.isLineBroken === true
    if (sending === null || !(isObjected || isBroken)) {
      throw createProblem('conflict', 'This message was changed or is already being sent. Open it to check.')
    }
    this.#checkSendable({ ...draft, state: { kind: 'open' } }, revision, sending.scheduledAt)
    this.#release({ ...draft, ...resetUploadAttempts(draft), sending: { ...sending, asksFirst: undefined } })
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
    // A message sent offline has only been compared with what was known.
    const work = this.#check(draftId)
      .then(() => this.#delivery.deliver(draftId, ending))
      .finally(() => {
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

  /** Holds a message for the user's consent if there is an objection. Checks once, unless the platform is unreachable. */
  #check(draftId: string): Promise<void> {
    const running = this.#checks.get(draftId)
    if (running !== undefined) return running
    const draft = this.#files.get(draftId)
    if (draft?.sending?.asksFirst !== true || draft.sending.askedAt !== null) return Promise.resolve()
    const check = this.#checkOnce(draft)
      .catch((thrown: unknown) => this.#parts.report(thrown))
      .finally(() => {
        this.#checks.delete(draftId)
        this.#dueLoop.wake()
      })
    this.#checks.set(draftId, check)
    return check
  }

  async #checkOnce(draft: LocalDraft): Promise<void> {
    const { remoteReplies, usage, clock, isOnline } = this.#parts
    const objection = await findSendObjection({ remoteReplies, usage, now: clock.now }, draft)
    const now = this.#files.get(draft.id)
    // The user may have taken it back.
    if (now === undefined || now.sending?.key !== draft.sending?.key) return
    if (now.sending === null || (now.state.kind !== 'held' && now.state.kind !== 'waiting')) return
    if (objection !== null) this.#outcomes.hold(now, objection)
    else if (isOnline()) this.#files.put({ ...now, sending: { ...now.sending, asksFirst: undefined } })
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
    // Wait for a running check, which takes a few seconds at most.
    if (state.kind === 'held') return state.at === null || this.#checks.has(id) ? Infinity : state.at
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
