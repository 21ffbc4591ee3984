import { randomUUID } from 'node:crypto'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import type { DraftContent, DraftState, SendRefusal } from '../../../shared/drafts.ts'
import { PlatformRefusalError } from '../../platform/platform-problem.ts'
import { screenOptions } from '../../own/outbox/changes/change-dependencies.ts'
import { nullIfNotFound } from './draft-copy.ts'
import { DraftDelivery, toOutgoingMessage } from './draft-delivery.ts'
import type { DraftStore } from '../../own/drafts/draft-store.ts'
import { DraftSync } from './draft-sync.ts'
import { applyToDraft, type DraftEffect, type DraftEvent } from './draft-table.ts'
import { toDraftState, type LocalDraft } from '../../own/drafts/local-draft.ts'
import type { SendRecord } from '../../own/drafts/send-record.ts'
import type { DraftParts } from './writing-parts.ts'
import { findSendObjection } from './send-objection.ts'
import { findSendRefusal, MAY_HAVE_BEEN_SENT, NO_THREAD_TO_RESURFACE, SENT_ALREADY } from './sending-refusal.ts'
import { chooseSendMethod } from './send-methods.ts'
import { attempt } from '../../store/storage-problem.ts'

/** Delays after the scheduled time before checking a message, and before checking again if it isn't sent yet. */
const FIRST_CHECK_DELAY_MS = 3_000
const RECHECK_DELAY_MS = 20_000

interface SendOptions extends Pick<SendRecord, 'archive' | 'scheduledAt'> {
  /** The undo period; 0 sends at once. */
  readonly holdSeconds: number
  /** True to hold the message for consent if there is an objection. */
  readonly asksFirst?: boolean | undefined
  /** The latest content and sender, to save with the message. */
  readonly content?: DraftContent | undefined
  readonly inboxId?: string | undefined
}

/** Sends an account's drafts: executes the effects of `draft-table.ts`. All methods throw `not_found` for unknown drafts. */
export class DraftSender {
  readonly sync: DraftSync
  readonly #files: DraftStore
  readonly #parts: DraftParts
  readonly #delivery: DraftDelivery

  constructor(parts: DraftParts) {
    this.#parts = parts
    this.#files = parts.files
    this.#delivery = new DraftDelivery({ ...parts, apply: (id, event) => this.#applyTo(id, event) })
    this.sync = new DraftSync({ ...parts, continueSending: (draft, ending) => this.#continue(draft, ending) })
  }

  /**
   * Sends a draft. It is on disk when this returns.
   * @throws ProblemError `conflict` for another revision or one being sent, `refused` with the field if it cannot be
   * sent as it is
   */
  send(draftId: string, revision: number, how: SendOptions): DraftState {
    const { archive, scheduledAt, holdSeconds, asksFirst = false, content, inboxId } = how
    const draft = this.#files.find(draftId)
    const at = this.#parts.clock.now()
    const edited = { ...draft, content: content ?? draft.content, inboxId: inboxId ?? draft.inboxId }
    const { draft: next } = this.#apply(draft, {
      ...{ kind: 'send', revision, content, inboxId, archive, scheduledAt, asksFirst, at, key: randomUUID() },
      holdUntil: holdSeconds > 0 ? at + holdSeconds * 1000 : null,
      fault: this.#findFault(edited, scheduledAt),
    })
    return toDraftState(next)
  }

  /**
   * Sends, unchanged, a message that waits for consent or whose upload was interrupted. It is on disk when this returns.
   * @throws ProblemError `conflict` if it was changed or sent since, `refused` with the field if its scheduled time has
   * passed
   */
  sendAgain(draftId: string): DraftState {
    const draft = this.#files.find(draftId)
    const fault = this.#findFault(draft, draft.sending?.scheduledAt ?? null)
    return toDraftState(this.#apply(draft, { kind: 'sendAgain', fault }).draft)
  }

  /** Turns a message back into an open draft. @throws ProblemError `conflict` if it was, or may have been, sent */
  async cancel(draftId: string): Promise<void> {
    const isStopped = this.#parts.transfers.stop(draftId)
    // A request that is under way may fail. Then nothing was sent.
    if (isStopped || this.#files.find(draftId).sending?.askedAt !== null) await this.sync.turnEnds(draftId)
    try {
      const draft = this.#findUnsent(draftId)
      const { work } = this.#apply(draft, { kind: 'takeBack' })
      if (draft.state.kind === 'sending') this.sync.stop(draftId)
      await work
    } finally {
      this.#goOn(draftId)
    }
  }

  /** @throws ProblemError `conflict` if it isn't scheduled, `refused` with the field for an invalid time */
  async reschedule(draftId: string, scheduledAt: number): Promise<void> {
    if (this.#files.find(draftId).state.kind === 'sending') await this.sync.turnEnds(draftId)
    try {
      const draft = this.#findUnsent(draftId)
      const fault = findSendRefusal(draft.content, { inbox: 'there', scheduledAt, now: this.#parts.clock.now() })
      await this.#apply(draft, { kind: 'reschedule', scheduledAt, key: randomUUID(), fault }).work
    } finally {
      this.#goOn(draftId)
    }
  }

  /** Schedules the next turn after `turnEnds`. */
  #goOn(draftId: string): void {
    const state = this.#files.get(draftId)?.state.kind
    if (state === 'sending') this.sync.scheduleNow(draftId)
    else if (state === 'open') this.sync.changed(draftId)
    else this.#scheduleNext(draftId)
  }

  /** Does what the state of a draft that isn't being written asks for. @throws if it should be retried */
  async #continue(draft: LocalDraft, ending: AbortSignal): Promise<void> {
    const { id, state, sending } = draft
    if (state.kind === 'scheduled') {
      this.#scheduleNext(id)
      return this.#askAbout(id).catch((thrown: unknown) => {
        if (!(thrown instanceof ProblemError)) this.#parts.report(thrown)
      })
    }
    const isHeld = state.kind === 'held'
    if (isHeld && state.at === null) return
    const isDue = isHeld && state.at <= this.#parts.clock.now()
    // Checks again after the undo period, since a message sent offline has only been compared with what was known.
    if (sending?.asksFirst === true && sending.askedAt === null && !isDue) await this.#check(draft)
    if (isDue) this.#applyTo(id, { kind: 'due' })
    else if (isHeld) this.#scheduleNext(id)
    else await this.#delivery.deliver(id, ending)
  }

  /** Schedules the end of the undo period, or the next question about a scheduled message. */
  #scheduleNext(draftId: string): void {
    const now = this.#parts.clock.now()
    const state = this.#files.get(draftId)?.state
    if (state?.kind === 'held' && state.at !== null) this.sync.scheduleIn(draftId, state.at - now)
    if (state?.kind !== 'scheduled') return
    const wait = state.at + FIRST_CHECK_DELAY_MS - now
    this.sync.scheduleIn(draftId, wait > 0 ? wait : RECHECK_DELAY_MS)
  }

  /** Writes what an event changes, then does what follows. @returns `work` settles when that is done */
  #apply(draft: LocalDraft, event: DraftEvent): { readonly draft: LocalDraft; readonly work: Promise<unknown> } {
    const { draft: next, effects } = applyToDraft(draft, event)
    if (effects.includes('unarchive')) this.#unarchiveThread(draft)
    if (next !== draft) this.#files.put(next)
    if (next.state !== draft.state) this.#scheduleNext(next.id)
    const work = Promise.all(effects.map(async (effect) => this.#run(effect, next, event)))
    // Only `cancel` and `move` fail, and the caller that asked for them is told.
    work.catch(() => undefined)
    return { draft: this.#files.get(next.id) ?? next, work }
  }

  /** Does nothing if the draft is gone. */
  #applyTo(draftId: string, event: DraftEvent): void {
    const draft = this.#files.get(draftId)
    if (draft !== undefined) this.#apply(draft, event)
  }

  #run(effect: DraftEffect, draft: LocalDraft, event: DraftEvent): Promise<void> | void {
    switch (effect) {
      case 'unarchive':
        return
      case 'archive':
        return this.#archiveThread(draft)
      case 'continue':
        return this.sync.scheduleNow(draft.id)
      case 'save':
        return this.sync.changed(draft.id)
      case 'cancel':
        return this.#cancelScheduled(draft)
      case 'move':
        return event.kind === 'reschedule' ? this.#moveScheduled(draft, event.scheduledAt) : undefined
    }
  }

  #findFault(draft: LocalDraft, scheduledAt: number | null): SendRefusal | null {
    const { inboxId, content, target, remindAt } = draft
    const { cache, clock } = this.#parts
    const inbox = cache.inboxes.get(inboxId)?.onServer === true ? 'there' : 'gone'
    const fault = findSendRefusal(content, { inbox, scheduledAt, now: clock.now() })
    if (fault !== null || remindAt === undefined || target !== null) return fault
    const isWithoutThread = chooseSendMethod(toOutgoingMessage(cache, draft, scheduledAt)).kind === 'email'
    return isWithoutThread ? NO_THREAD_TO_RESURFACE : null
  }

  /** Holds a message for the user's consent if there is an objection. Checks once, unless the platform is unreachable. */
  async #check(draft: LocalDraft): Promise<void> {
    const { remoteReplies, usage, clock, isOnline } = this.#parts
    const objection = await findSendObjection({ remoteReplies, usage, now: clock.now }, draft)
    // The user may have taken it back, or sent it again after an edit.
    if (this.#files.get(draft.id)?.sending?.key !== draft.sending?.key) return
    if (objection !== null) this.#applyTo(draft.id, { kind: 'objected', objection })
    else if (isOnline()) this.#applyTo(draft.id, { kind: 'cleared' })
  }

  /** @throws ProblemError `conflict` if a message has been sent meanwhile */
  #findUnsent(draftId: string): LocalDraft {
    if (this.#files.get(draftId) === undefined) throw createProblem('conflict', SENT_ALREADY)
    return this.#files.find(draftId)
  }

  /** Archives the thread along with sending. If the write fails, it is retried after sending. */
  #archiveThread({ id, inboxId, target, sending }: LocalDraft): void {
    const { outbox, report } = this.#parts
    if (sending?.archive !== true || target === null) return
    try {
      const change = { threadId: target.threadId, change: { folder: 'archive' as const } }
      const archivedBy = outbox.changeThreads(inboxId, [change])
      this.#files.learn(id, { sending: { ...sending, archivedBy } })
    } catch (thrown) {
      report(thrown)
    }
  }

  #unarchiveThread({ sending }: LocalDraft): void {
    const { outbox, report } = this.#parts
    const archivedBy = sending?.archivedBy
    if (archivedBy !== undefined) attempt(() => void outbox.undo(archivedBy), report)
  }

  /** Asks the platform whether a scheduled message was sent. */
  async #askAbout(draftId: string): Promise<void> {
    const { platform, clock, signal } = this.#parts
    const state = this.#files.get(draftId)?.state
    if (state?.kind !== 'scheduled') return
    const { emailId, at } = state
    const email = await nullIfNotFound(platform.getSentEmail(emailId, screenOptions(signal)))
    if (email === null) this.#applyToScheduled(draftId, emailId, { kind: 'refused', reason: MAY_HAVE_BEEN_SENT })
    else if (email.lastEvent === 'canceled') this.#applyToScheduled(draftId, emailId, { kind: 'cancelled' })
    else if (email.lastEvent !== 'scheduled') {
      this.#applyToScheduled(draftId, emailId, { kind: 'accepted', emailId, way: null, at: clock.now() })
    } else if ((email.scheduledAt ?? at) !== at) {
      this.#applyToScheduled(draftId, emailId, { kind: 'moved', at: email.scheduledAt ?? at })
    }
  }

  /** Does nothing if the draft has been scheduled anew, as another e-mail. */
  #applyToScheduled(draftId: string, emailId: string, event: DraftEvent): void {
    const state = this.#files.get(draftId)?.state
    if (state?.kind === 'scheduled' && state.emailId === emailId) this.#applyTo(draftId, event)
  }

  /** @throws ProblemError `conflict` if it was, or may have been, sent */
  async #cancelScheduled({ id, state }: LocalDraft): Promise<void> {
    const { platform, signal } = this.#parts
    if (state.kind !== 'scheduled') return
    try {
      await platform.cancelEmail(state.emailId, { priority: 'action', signal })
      this.#applyToScheduled(id, state.emailId, { kind: 'cancelled' })
    } catch (thrown) {
      if (!(thrown instanceof PlatformRefusalError)) throw thrown
      await this.#askAbout(id)
      // Cancelled elsewhere, or by a request whose response was lost. Either way it is cancelled.
      const after = this.#files.get(id)?.state.kind
      if (after !== 'refused' && after !== 'open') throw createProblem('conflict', SENT_ALREADY)
    }
  }

  async #moveScheduled({ id, state }: LocalDraft, scheduledAt: number): Promise<void> {
    const { platform, signal } = this.#parts
    if (state.kind !== 'scheduled') return
    try {
      await platform.rescheduleEmail(state.emailId, scheduledAt, { priority: 'action', signal })
    } catch (thrown) {
      await this.#askAbout(id).catch(() => undefined)
      throw thrown
    }
    this.#applyToScheduled(id, state.emailId, { kind: 'moved', at: scheduledAt })
  }
}
