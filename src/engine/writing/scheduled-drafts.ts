import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, PlatformRefusalError } from '../api/platform-problem.ts'
import { screenOptions } from '../outbox/changes/change-dependencies.ts'
import { createProblem } from '../problem.ts'
import type { Clock } from '../timing/clock.ts'
import type { DraftStore } from './draft-store.ts'
import type { DraftOutcomes } from './draft-outcomes.ts'
import type { LocalDraft } from './local-draft.ts'
import { MAY_HAVE_BEEN_SENT, SENT_ALREADY } from './sending-refusal.ts'

/** Delays after the scheduled time before checking a message, and before checking again if it isn't sent yet. */
const FIRST_CHECK_DELAY_MS = 3_000
const RECHECK_DELAY_MS = 20_000

interface ScheduledDraftsParts {
  readonly files: DraftStore
  readonly platform: Pick<MailPlatform, 'getSentEmail' | 'cancelEmail' | 'rescheduleEmail'>
  readonly outcomes: DraftOutcomes
  readonly clock: Clock
  readonly signal: AbortSignal
}

export class ScheduledDrafts {
  readonly #parts: ScheduledDraftsParts
  readonly #checkedAt = new Map<string, number>()

  constructor(parts: ScheduledDraftsParts) {
    this.#parts = parts
  }

  dueAt(id: string, scheduledAt: number): number {
    const last = this.#checkedAt.get(id)
    if (last === undefined) return this.#parts.clock.now()
    const first = scheduledAt + FIRST_CHECK_DELAY_MS
    return last < first ? first : last + RECHECK_DELAY_MS
  }

  noteLook(id: string): void {
    this.#checkedAt.set(id, this.#parts.clock.now())
  }

  /** Checks whether a scheduled message was sent. */
  async look(draftId: string): Promise<void> {
    const { files, outcomes, signal } = this.#parts
    const emailId = files.get(draftId)?.sending?.emailId ?? null
    if (files.get(draftId)?.state.kind !== 'scheduled' || emailId === null) return
    const email = await this.#fetch(emailId)
    const draft = files.get(draftId)
    if (draft?.state.kind !== 'scheduled' || draft.sending === null) return
    if (email === null) outcomes.refuse(draft, MAY_HAVE_BEEN_SENT)
    else if (email.lastEvent === 'canceled' && draft.sending.isCancelAsked === true) outcomes.open(draft)
    else if (email.lastEvent === 'canceled') {
      outcomes.refuse(draft, { field: 'schedule', message: 'This message was cancelled elsewhere. It was not sent.' })
    } else if (email.lastEvent === 'scheduled') {
      const at = email.scheduledAt ?? draft.state.at
      if (at !== draft.state.at) this.#move(draft, at)
    } else {
      await outcomes.finish(draft, emailId, signal)
      this.#checkedAt.delete(draftId)
    }
  }

  /** Turns a message back into an open draft. @throws ProblemError `conflict` if it was, or may have been, sent */
  async cancel(draft: LocalDraft, emailId: string): Promise<void> {
    const { files, platform, outcomes, signal } = this.#parts
    // Saved first: after a crash or a lost response, the cancellation must still count as ours.
    files.put({ ...draft, sending: draft.sending && { ...draft.sending, isCancelAsked: true } })
    try {
      await platform.cancelEmail(emailId, { priority: 'action', signal })
    } catch (thrown) {
      if (!(thrown instanceof PlatformRefusalError)) throw thrown
      await this.look(draft.id)
      // Cancelled elsewhere, or by a request whose response was lost. Either way it is cancelled.
      const after = files.get(draft.id)?.state.kind
      if (after !== 'refused' && after !== 'open') throw createProblem('conflict', SENT_ALREADY)
    }
    const now = files.find(draft.id)
    if (now.state.kind === 'scheduled' || now.state.kind === 'refused') outcomes.open(now)
  }

  async reschedule(draftId: string, emailId: string, scheduledAt: number): Promise<void> {
    const { files, platform, signal } = this.#parts
    try {
      await platform.rescheduleEmail(emailId, scheduledAt, { priority: 'action', signal })
    } catch (thrown) {
      await this.look(draftId).catch(() => undefined)
      throw thrown
    }
    const draft = files.get(draftId)
    if (draft?.state.kind === 'scheduled') this.#move(draft, scheduledAt)
  }

  #move(draft: LocalDraft, at: number): void {
    if (draft.sending === null) return
    this.#parts.files.put({
      ...draft,
      state: { kind: 'scheduled', at },
      sending: { ...draft.sending, scheduledAt: at },
    })
  }

  async #fetch(emailId: string): Promise<Awaited<ReturnType<MailPlatform['getSentEmail']>> | null> {
    try {
      return await this.#parts.platform.getSentEmail(emailId, screenOptions(this.#parts.signal))
    } catch (thrown) {
      if (isNotFound(thrown)) return null
      throw thrown
    }
  }
}
