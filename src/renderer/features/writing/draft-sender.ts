import { SvelteMap } from 'svelte/reactivity'
import type { Problem, Result } from '../../../shared/result.ts'
import type { DraftSummary, SendRefusal } from '../../../shared/drafts.ts'
import type { HistorySide } from '../threads/change-history.ts'
import { detectDateStyle } from '../../ui/format-date.ts'
import { quoteSubject } from '../threads/describe-threads.ts'
import type { OptimisticChange } from '../threads/pending-changes.svelte.ts'
import type { ActionResult, UndoableAction } from '../threads/thread-actions-manager.svelte.ts'
import { consentName, describeObjection } from './describe-remote-replies.ts'
import type { OpenComposer } from './open-composer.svelte.ts'
import type { WritingParts } from './open-composers.svelte.ts'
import type { WritingManager } from './writing-manager.svelte.ts'

interface SendRequest {
  readonly archive: boolean
  /** Milliseconds since the epoch; null to send after the undo period. */
  readonly scheduledAt: number | null
  /** Optimistic change to the thread list: the thread leaves when the message is sent, and returns on undo. */
  readonly draw?: (side: HistorySide) => OptimisticChange
}

/** Extra milliseconds for the "sending" toast, beyond the undo period. */
const SENDING_TOAST_MS = 20_000

const ALREADY_SENT = 'This message has already been sent.'

const FIELDS: readonly string[] = ['from', 'to', 'subject', 'files', 'body', 'schedule', 'message']
const isField = (field: unknown): field is SendRefusal['field'] => typeof field === 'string' && FIELDS.includes(field)

const refusalOf = ({ message, details }: Problem): SendRefusal => ({
  field: isField(details?.field) ? details.field : 'message',
  message,
})

/** Sends messages, now or later, and cancels them. Every action can be undone. */
export class DraftSender {
  readonly #parts: WritingParts
  readonly #writing: Pick<WritingManager, 'composers' | 'listed' | 'load'>
  /** Undoable steps for messages that are still being sent, by draft ID. */
  readonly #sending = new Map<string, UndoableAction>()
  /** When each message will be sent whose handing over the list of drafts does not show yet, by draft ID. */
  readonly #leaving = new SvelteMap<string, number>()
  /** Toasts about messages that wait for consent, by draft ID. */
  readonly #objections = new Map<string, number>()

  constructor(parts: WritingParts, writing: Pick<WritingManager, 'composers' | 'listed' | 'load'>) {
    this.#parts = parts
    this.#writing = writing
  }

  /**
   * Sends a message as it is now, as an undoable step. It leaves the screen at once, and returns if it can't be sent.
   * @returns true if it is being sent
   */
  async send(composing: OpenComposer, { archive, scheduledAt, draw }: SendRequest): Promise<boolean> {
    const { backend, preferences, toasts, actions } = this.#parts
    const { composers } = this.#writing
    if (!composers.all.includes(composing)) return false
    const { editing } = composing
    editing.keepSignature()
    const named = quoteSubject(editing.fields.subject)
    const { isApart } = composing
    const hold = scheduledAt === null ? Number(preferences.values.undoSend) : 0
    composers.letGo(composing)
    this.#leaving.set(composing.draftId, Date.now() + hold * 1000)
    const leavingId = composing.draftId
    const undoable: UndoableAction = {
      of: 'draft',
      ...(draw !== undefined && { draw }),
      make: async () => {
        // Without a wait, the engine has the message even if the window closes now.
        while (composing.pending !== null) await composing.pending
        const message = composing.handOver()
        const { draftId } = message
        this.#sending.set(draftId, undoable)
        const how = { holdSeconds: hold, archive, scheduledAt, asksFirst: true }
        const sent = await backend.call('draft.send', { ...message, ...how })
        if (!sent.ok) return sent
        composing.end()
        return { ok: true, data: { revert: () => this.#cancel(draftId, isApart) } }
      },
      isOneWay: true,
      tooLate: `Already sent: ${named}`,
      duration: hold * 1000 + SENDING_TOAST_MS,
      onRejected: (problem) => {
        composing.resume(composing.problem === null ? refusalOf(problem) : null)
        composers.takeBack(composing)
        toasts.problem({ code: 'refused', message: `${named} was not sent. It is open again and shows the reason.` })
      },
    }
    const isSent = await actions.make(undoable, scheduledAt === null ? `Sending ${named}…` : `Scheduled ${named}`)
    if (!isSent) this.#sending.delete(composing.draftId)
    await this.#writing.load(true)
    this.#leaving.delete(leavingId)
    return isSent
  }

  /** True while a message that this window sends may be missing from the list of drafts. */
  isLeaving(draftId: string): boolean {
    return this.#leaving.has(draftId)
  }

  /** A draft of the list, in the state it has since this window sent it. */
  withState(draft: DraftSummary): DraftSummary {
    const at = this.#leaving.get(draft.id)
    return at === undefined || draft.state.kind !== 'open' ? draft : { ...draft, state: { kind: 'held', at } }
  }

  /** Tells the user about messages that wait for consent, until they no longer do. @param drafts all drafts */
  noteObjections(drafts: readonly DraftSummary[]): void {
    const { toasts } = this.#parts
    const before = new Map(this.#objections)
    this.#objections.clear()
    for (const { id, subject, state } of drafts) {
      if (state.kind !== 'held' || state.objection === undefined) continue
      const { objection } = state
      const reason = describeObjection(objection, Date.now(), detectDateStyle())
      const message = `${quoteSubject(subject)} has not been ${objection.isScheduled ? 'scheduled' : 'sent'}. ${reason}`
      const offers = [
        { name: 'Open', run: () => void this.revert(id) },
        { name: consentName(objection), run: () => void this.sendAgain(id) },
      ]
      this.#objections.set(id, before.get(id) ?? toasts.problem({ code: 'conflict', message }, offers))
      before.delete(id)
    }
    for (const toast of before.values()) toasts.dismiss(toast)
  }

  /** Cancels a message that is pending or scheduled, and opens it. */
  async revert(draftId: string, isApart = true): Promise<void> {
    const listed = this.#writing.listed(draftId)
    if (listed?.state.kind === 'scheduled') return this.#cancelScheduled(listed, listed.state.at, isApart)
    const undoable = this.#sending.get(draftId)
    if (undoable !== undefined && this.#parts.actions.revert(undoable)) return
    const back = await this.#cancel(draftId, isApart)
    if (!back.ok) this.#parts.toasts.problem(back.error)
    else if (back.data === null) this.#parts.toasts.show(ALREADY_SENT)
  }

  /** Sends a message unchanged despite an objection, or again after a broken connection. */
  async sendAgain(draftId: string): Promise<void> {
    const composing = this.#writing.composers.find(draftId)
    if (composing !== null && !(await composing.keep())) return
    const sent = await this.#parts.backend.call('draft.sendAgain', { draftId })
    if (!sent.ok) this.#parts.toasts.problem(sent.error)
    else if (composing !== null) this.#writing.composers.remove(composing)
  }

  /**
   * Cancels a scheduled message and opens it. This is an undoable step of its own, because the message may have been
   * scheduled long ago.
   */
  async #cancelScheduled({ id, subject }: DraftSummary, at: number, isApart: boolean): Promise<void> {
    this.forget(id)
    const named = quoteSubject(subject)
    const make = (): Promise<Result<ActionResult>> => this.#cancelSchedule(id, at, isApart)
    await this.#parts.actions.make(
      { of: 'draft', make },
      { done: `Cancelled ${named}`, undone: `Scheduled ${named} again` },
    )
  }

  async #cancelSchedule(draftId: string, at: number, isApart: boolean): Promise<Result<ActionResult>> {
    const back = await this.#cancel(draftId, isApart)
    if (!back.ok) return back
    if (back.data === null) return { ok: false, error: { code: 'conflict', message: ALREADY_SENT } }
    const revision = this.#writing.composers.find(draftId)?.revision ?? 0
    return { ok: true, data: { ...back.data, revert: () => this.#scheduleAgain(draftId, revision, at, isApart) } }
  }

  /** @returns null if the draft has changed or another window sent it */
  async #scheduleAgain(
    draftId: string,
    revision: number,
    at: number,
    isApart: boolean,
  ): Promise<Result<ActionResult | null>> {
    const composing = this.#writing.composers.find(draftId)
    const isAsItWas = composing === null || (!composing.editing.isDirty && composing.revision === revision)
    if (!isAsItWas) return { ok: true, data: null }
    const how = { holdSeconds: 0, archive: false, scheduledAt: at }
    const sent = await this.#parts.backend.call('draft.send', { draftId, revision, ...how })
    if (!sent.ok) return sent.error.code === 'conflict' ? { ok: true, data: null } : sent
    if (composing !== null) this.#writing.composers.remove(composing)
    return { ok: true, data: { revert: () => this.#cancelSchedule(draftId, at, isApart) } }
  }

  /** @returns null if the platform already has the message */
  async #cancel(draftId: string, isApart: boolean): Promise<Result<ActionResult | null>> {
    const back = await this.#parts.backend.call('draft.cancelSending', { draftId })
    if (!back.ok) {
      const { code } = back.error
      const isUnderWay = this.#writing.listed(draftId)?.state.kind === 'sending'
      const isSent = code === 'not_found' || (code === 'conflict' && !isUnderWay)
      return isSent ? { ok: true, data: null } : back
    }
    this.#sending.delete(draftId)
    this.#writing.composers.addBack(back.data, isApart)
    return { ok: true, data: {} }
  }

  /** Drops a message's undoable step, because the user is editing the message again. */
  forget(draftId: string): void {
    const undoable = this.#sending.get(draftId)
    if (undoable !== undefined) this.#parts.actions.forget(undoable)
    this.#sending.delete(draftId)
  }

  /** Changes the time of a scheduled message, which stays on the platform; undoable. */
  async reschedule({ id, subject, state }: DraftSummary, at: number): Promise<void> {
    if (state.kind !== 'scheduled') return
    const moveTo = async (time: number, before: number): Promise<Result<ActionResult>> => {
      const changed = await this.#parts.backend.call('draft.reschedule', { draftId: id, scheduledAt: time })
      if (!changed.ok) return changed
      return { ok: true, data: { revert: () => moveTo(before, time) } }
    }
    const named = quoteSubject(subject)
    await this.#parts.actions.make(
      { of: 'draft', make: () => moveTo(at, state.at) },
      { done: `Rescheduled ${named}`, undone: `Moved ${named} back to its earlier time` },
    )
  }

  /** Sends a scheduled message after the undo period, as if it had just been written. */
  async sendNow({ id, subject }: DraftSummary): Promise<void> {
    this.forget(id)
    const { backend, preferences, actions } = this.#parts
    const hold = Number(preferences.values.undoSend)
    const named = quoteSubject(subject)
    const undoable: UndoableAction = {
      of: 'draft',
      make: async () => {
        const back = await backend.call('draft.cancelSending', { draftId: id })
        if (!back.ok) return back
        const how = { holdSeconds: hold, archive: false, scheduledAt: null, asksFirst: true }
        const sent = await backend.call('draft.send', { draftId: id, revision: back.data.revision, ...how })
        if (!sent.ok) {
          this.#writing.composers.addBack(back.data, true)
          return sent
        }
        this.#sending.set(id, undoable)
        return { ok: true, data: { revert: () => this.#cancel(id, true) } }
      },
      isOneWay: true,
      tooLate: `Already sent: ${named}`,
      duration: hold * 1000 + SENDING_TOAST_MS,
    }
    await actions.make(undoable, `Sending ${named}…`)
  }

  /** Call once a message has been sent and can't be undone any more. */
  markIrreversible(draftId: string): void {
    const undoable = this.#sending.get(draftId)
    if (undoable !== undefined) this.#parts.actions.markIrreversible(undoable, 'Message sent')
    this.#sending.delete(draftId)
  }
}
