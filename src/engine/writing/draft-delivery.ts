import { randomUUID } from 'node:crypto'
import type { SendRefusal } from '../../shared/drafts.ts'
import { neverTookEffect, PlatformRefusalError } from '../api/platform-problem.ts'
import { screenOptions, catchMissing } from '../outbox/changes/change-dependencies.ts'
import type { DraftEvent } from './draft-table.ts'
import { createCopy, KEY_LIFETIME_MS } from './draft-copy.ts'
import { addUploadFailure, hasGivenUp, TransferStoppedError, type DraftTransfers } from './draft-transfers.ts'
import { findSentEmail, type SendOutcome } from './find-sent.ts'
import type { LocalDraft } from './local-draft.ts'
import { isReplyTaken } from './unsent-reply.ts'
import { sendByMethod, SendMethodGoneError, type OutgoingDraft } from './send-by-method.ts'
import type { SendMethod, SendRecord } from './send-record.ts'
import { MAY_HAVE_BEEN_SENT, toSendRefusal, UnsendableMessageError } from './sending-refusal.ts'
import { toEmailSendMethod, chooseSendMethod } from './send-methods.ts'
import { SentDrafts, type SentDraftsParts } from './sent-drafts.ts'
import { toOutgoingMessage } from './outgoing-draft.ts'

const GONE: SendRefusal = {
  field: 'message',
  message: 'This draft and the message you are replying to are no longer on the platform.',
}

const reasonOf = (thrown: unknown): SendRefusal | null => {
  if (thrown instanceof UnsendableMessageError) return thrown.reason
  return thrown instanceof SendMethodGoneError ? GONE : toSendRefusal(thrown)
}

type SendingDraft = LocalDraft & { readonly sending: SendRecord }
const isSending = (draft: LocalDraft | undefined): draft is SendingDraft =>
  draft?.state.kind === 'sending' && draft.sending !== null

export interface DraftDeliveryParts extends SentDraftsParts {
  readonly transfers: DraftTransfers
  /** Does nothing if the draft is gone. @throws ProblemError `cancelled` if a message to send was taken back */
  readonly apply: (draftId: string, event: DraftEvent) => void
}

interface Accepted {
  readonly emailId: string
  readonly way: SendMethod
}

/** Makes the requests that send a message, and reports their results to the draft's table. */
export class DraftDelivery {
  readonly #parts: DraftDeliveryParts
  readonly #sent: SentDrafts

  constructor(parts: DraftDeliveryParts) {
    this.#parts = parts
    this.#sent = new SentDrafts(parts)
  }

  /** Tries to send a draft; does nothing if the user has to act. @throws if it should be retried */
  async deliver(draftId: string, ending: AbortSignal): Promise<void> {
    const { files, apply, clock } = this.#parts
    const draft = files.get(draftId)
    if (draft?.state.kind === 'sent') return this.#sent.finish(draft, draft.state.emailId, ending)
    // Don't save a draft to the platform after its sending was undone.
    if (!isSending(draft)) return
    let sent: Accepted | null
    try {
      sent = await this.#send(draftId, ending)
    } catch (thrown) {
      const now = files.get(draftId)
      if (!isSending(now)) return
      if (ending.aborted) throw thrown
      const reason = reasonOf(thrown)
      const broken = addUploadFailure(thrown, now)
      if (reason !== null) apply(draftId, { kind: 'refused', reason })
      else if (broken !== null) apply(draftId, { kind: 'lost', askedAt: now.sending.askedAt, broken })
      if (!isSending(files.get(draftId))) return
      throw thrown
    }
    if (sent === null) return
    const { emailId } = sent
    // Written first, so that a crash can't cause a second sending.
    apply(draftId, { kind: 'accepted', ...sent, at: clock.now() })
    const accepted = files.get(draftId)
    if (accepted?.state.kind === 'sent') return this.#sent.finish(accepted, emailId, ending)
    if (accepted === undefined) return
    await this.#sent.removeLeftover(accepted, screenOptions(ending))
    // The message may have been cancelled or sent during the request.
    const current = files.get(draftId)
    if (current?.state.kind === 'sent') return this.#sent.finish(current, emailId, ending)
    if (current?.state.kind === 'scheduled' && current.state.emailId === emailId && current.platform !== null) {
      files.learn(draftId, { platform: null })
    }
  }

  /** @returns null if the message is no longer being sent */
  async #send(draftId: string, ending: AbortSignal): Promise<Accepted | null> {
    const { files, transfers, apply } = this.#parts
    const saved = files.get(draftId)
    if (isSending(saved) && saved.request !== null && saved.platform === null) {
      // Before sending, find out if the platform has created the copy.
      try {
        await transfers.run(saved, screenOptions(ending), (options) => createCopy(this.#parts, saved, options))
      } catch (thrown) {
        // If the platform rejected the draft, there is no copy of it there.
        if (ending.aborted || reasonOf(thrown) === null) throw thrown
      }
    }
    const draft = files.get(draftId)
    if (!isSending(draft)) return null
    if (hasGivenUp(draft)) {
      // Earlier uploads failed while the message was only being saved as a draft.
      apply(draftId, { kind: 'lost', askedAt: draft.sending.askedAt, broken: draft.broken })
      return null
    }
    return this.#attempt(this.#withMethod(draft), ending, true)
  }

  #withMethod(waiting: SendingDraft): OutgoingDraft {
    const { files, cache } = this.#parts
    const hasNothing = waiting.platform === null && waiting.request === null
    const standsAlone = waiting.standsAlone || (hasNothing && isReplyTaken(files.all(), waiting))
    if (standsAlone !== waiting.standsAlone) files.learn(waiting.id, { standsAlone })
    const draft = { ...waiting, standsAlone }
    const { sending } = draft
    const way = sending.way ?? chooseSendMethod(toOutgoingMessage(cache, draft, sending.scheduledAt))
    return { ...draft, sending: { ...sending, way } }
  }

  /** @param mayFallBack allows one other send method if the chosen one no longer works */
  async #attempt(draft: OutgoingDraft, ending: AbortSignal, mayFallBack: boolean): Promise<Accepted> {
    const { files, transfers, clock, apply } = this.#parts
    const { id, sending } = draft
    const { key, way, askedAt } = sending
    if (askedAt !== null && clock.now() - askedAt > KEY_LIFETIME_MS) {
      const fate = await this.#fateOf(draft, ending)
      if (fate === 'unknown') throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
      if (fate !== 'not sent') return { emailId: fate.emailId, way }
      return this.#attempt({ ...draft, sending: { ...sending, ...this.#forgetRequest(id) } }, ending, mayFallBack)
    }
    const progress = { isAsked: false }
    const markInFlight = (): void => {
      ending.throwIfAborted()
      apply(id, { kind: 'asking', key, way, at: clock.now() })
      progress.isAsked = true
    }
    try {
      const context = { ...this.#parts, markInFlight }
      const emailId = await transfers.run(draft, screenOptions(ending), (options) =>
        sendByMethod(context, draft, options),
      )
      return { emailId, way }
    } catch (thrown) {
      if (thrown instanceof SendMethodGoneError && mayFallBack && !ending.aborted) {
        return this.#attempt(this.#fallBack(draft), ending, false)
      }
      if (thrown instanceof PlatformRefusalError && thrown.errorName === 'invalid_idempotent_request') {
        const fate = await this.#fateOf(draft, ending)
        if (typeof fate === 'object') return { emailId: fate.emailId, way }
        throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
      }
      // Nothing was sent, so sending can still be undone.
      const isCut = thrown instanceof TransferStoppedError && !thrown.mayHaveArrived
      const isHere = isCut || neverTookEffect(thrown) || !progress.isAsked
      if (progress.isAsked && isHere && askedAt === null && !ending.aborted) {
        apply(id, { kind: 'lost', askedAt: null, broken: files.get(id)?.broken })
      }
      throw thrown
    }
  }

  /** Nothing was sent by the last request, and the next one differs. @returns its key */
  #forgetRequest(draftId: string): Pick<SendRecord, 'key' | 'askedAt'> {
    const { files, apply } = this.#parts
    const key = randomUUID()
    apply(draftId, { kind: 'lost', askedAt: null, broken: files.get(draftId)?.broken, key })
    return { key, askedAt: null }
  }

  /** Chooses another send method. */
  #fallBack(asked: OutgoingDraft): OutgoingDraft {
    const { files, cache } = this.#parts
    const { way } = asked.sending
    // A deleted draft can be created again, but not the e-mail that it answers.
    const isDraftGone = way.kind === 'draft' && way.answers === null
    files.learn(asked.id, { request: null, ...(isDraftGone && { platform: null }) })
    const sending = { ...asked.sending, ...this.#forgetRequest(asked.id) }
    const turned = { ...asked, ...files.get(asked.id), sending }
    if (isDraftGone) return this.#withMethod({ ...turned, sending: { ...turned.sending, way: null } })
    const message = toOutgoingMessage(cache, { ...turned, platform: null }, turned.sending.scheduledAt)
    return this.#withMethod({ ...turned, sending: { ...turned.sending, way: toEmailSendMethod(message) } })
  }

  /** Determines if a message without a response was sent, when the platform no longer accepts its key. */
  async #fateOf(draft: OutgoingDraft, ending: AbortSignal): Promise<SendOutcome> {
    const { platform, files, clock } = this.#parts
    const { way } = draft.sending
    const options = screenOptions(ending)
    const now = files.get(draft.id)
    const id = now?.platform?.id ?? null
    if (way.kind === 'draft' && id !== null) {
      const there = await catchMissing(platform.getDraft(way.inboxId, id, options))
      // If the draft was sent, `findSentEmail` compares the content, since somebody else may have sent it.
      if (there?.emailId === null) return 'not sent'
    }
    return findSentEmail(platform, draft.content, now?.sending?.askedAt ?? clock.now(), options)
  }
}
