import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, PlatformRefusal } from '../api/platform-problem.ts'
import { asScreen } from '../outbox/changes/change-parts.ts'
import { problem } from '../saying.ts'
import type { Clock } from '../timing/clock.ts'
import type { DraftFiles } from './draft-files.ts'
import type { DraftOutcomes } from './draft-outcomes.ts'
import type { KeptDraft } from './kept-draft.ts'
import { MAY_HAVE_BEEN_SENT, SENT_ALREADY } from './sending-refusal.ts'

/** How long after its time a scheduled message is looked at, and again where the platform has not sent it yet. */
const LOOK_AFTER_MS = 3_000
const LOOK_AGAIN_MS = 20_000

interface ScheduledDraftsParts {
  readonly files: DraftFiles
  readonly platform: Pick<MailPlatform, 'getSentEmail' | 'cancelEmail' | 'rescheduleEmail'>
  readonly outcomes: DraftOutcomes
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** The messages that the platform is to send later. */
export class ScheduledDrafts {
  readonly #parts: ScheduledDraftsParts
  /** When each was last asked about. */
  readonly #lookedAt = new Map<string, number>()

  constructor(parts: ScheduledDraftsParts) {
    this.#parts = parts
  }

  /** When the platform is to be asked about one. */
  dueAt(id: string, scheduledAt: number): number {
    const last = this.#lookedAt.get(id)
    if (last === undefined) return this.#parts.clock.now()
    const first = scheduledAt + LOOK_AFTER_MS
    return last < first ? first : last + LOOK_AGAIN_MS
  }

  /** Nothing needs to be asked about it just now. */
  noteLook(id: string): void {
    this.#lookedAt.set(id, this.#parts.clock.now())
  }

  /** Ask what became of one. */
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
      this.#lookedAt.delete(draftId)
    }
  }

  /** Make one an open draft again. @throws ProblemError `conflict` where it is sent, or may be */
  async cancel(draft: KeptDraft, emailId: string): Promise<void> {
    const { files, platform, outcomes, signal } = this.#parts
    // An end, or a lost answer, must not make somebody else's of what was wanted here.
    files.put({ ...draft, sending: draft.sending && { ...draft.sending, isCancelAsked: true } })
    try {
      await platform.cancelEmail(emailId, { priority: 'action', signal })
    } catch (thrown) {
      if (!(thrown instanceof PlatformRefusal)) throw thrown
      await this.look(draft.id)
      // It was cancelled by a request whose answer was lost, or elsewhere: this is what was wanted.
      const after = files.get(draft.id)?.state.kind
      if (after !== 'refused' && after !== 'open') throw problem('conflict', SENT_ALREADY)
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

  #move(draft: KeptDraft, at: number): void {
    if (draft.sending === null) return
    this.#parts.files.put({
      ...draft,
      state: { kind: 'scheduled', at },
      sending: { ...draft.sending, scheduledAt: at },
    })
  }

  /** @returns null where the platform has no such message */
  async #fetch(emailId: string): Promise<Awaited<ReturnType<MailPlatform['getSentEmail']>> | null> {
    try {
      return await this.#parts.platform.getSentEmail(emailId, asScreen(this.#parts.signal))
    } catch (thrown) {
      if (isNotFound(thrown)) return null
      throw thrown
    }
  }
}
