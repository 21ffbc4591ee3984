import { randomUUID } from 'node:crypto'
import type { SendRefusal } from '../../../shared/drafts.ts'
import { catchMissing, neverTookEffect, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { ProblemError } from '../../../shared/result.ts'
import { screenOptions } from '../../own/outbox/changes/change-dependencies.ts'
import type { DraftEvent } from './draft-table.ts'
import { createCopy, KEY_LIFETIME_MS } from './draft-copy.ts'
import { settleAll } from '../../timing/settle-all.ts'
import { addUploadFailure, TransferStoppedError } from './draft-transfers.ts'
import { findSentEmail, type SendOutcome } from './find-sent.ts'
import { type LocalDraft, hasGivenUp } from '../../own/drafts/local-draft.ts'
import { isReplyTaken } from './unsent-reply.ts'
import { sendByMethod, SendMethodGoneError, type OutgoingDraft } from './send-by-method.ts'
import type { SendMethod, SendRecord } from '../../own/drafts/send-record.ts'
import { MAY_HAVE_BEEN_SENT, toSendRefusal, UnsendableMessageError } from './sending-refusal.ts'
import { toEmailSendMethod, chooseSendMethod, type OutgoingMessage } from './send-methods.ts'
import type { DraftParts } from './writing-parts.ts'
import type { Cache } from '../../store/cache.ts'

export const toOutgoingMessage = (
  cache: Pick<Cache, 'inboxes' | 'emails'>,
  draft: LocalDraft,
  scheduledAt: number | null,
): OutgoingMessage => {
  const { inboxId, kind, target, content, standsAlone } = draft
  const inbox = cache.inboxes.get(inboxId)
  const original =
    inbox === undefined || target === null ? undefined : cache.emails.get(inbox, target.threadId, target.emailId)
  const references =
    inbox === undefined || target === null || original === undefined
      ? []
      : cache.emails
          .ofThread(inbox, target.threadId, true)
          .filter(({ receivedAt }) => receivedAt <= original.receivedAt)
          .flatMap(({ messageId }) => messageId ?? [])
  return {
    ...{ inboxId, kind, target, content, scheduledAt, standsAlone, references },
    hasPlatformDraft: draft.platform !== null,
    from: { name: inbox?.fromName ?? null, address: inbox?.inbox.emailAddress ?? '' },
    original: original ?? null,
  }
}

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

export interface DraftDeliveryParts extends DraftParts {
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

  constructor(parts: DraftDeliveryParts) {
    this.#parts = parts
  }

  /** Tries to send a draft; does nothing if the user has to act. @throws if it should be retried */
  async deliver(draftId: string, ending: AbortSignal): Promise<void> {
    const { files, apply, clock } = this.#parts
    const draft = files.get(draftId)
    if (draft?.state.kind === 'sent') return this.#finish(draft, draft.state.emailId, ending)
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
    if (accepted?.state.kind === 'sent') return this.#finish(accepted, emailId, ending)
    if (accepted?.state.kind !== 'scheduled') return
    await this.#removeLeftover(accepted, screenOptions(ending))
    // The message may have been cancelled or sent during the request.
    const state = files.get(draftId)?.state
    if (state?.kind === 'scheduled' && state.emailId === emailId) files.learn(draftId, { platform: null })
  }

  /**
   * @param mayFallBack allows one other send method if the chosen one no longer works
   * @returns null if the message is no longer being sent
   */
  async #send(draftId: string, ending: AbortSignal, mayFallBack = true): Promise<Accepted | null> {
    const { files, transfers, clock, apply } = this.#parts
    const options = screenOptions(ending)
    const saved = files.get(draftId)
    if (isSending(saved) && saved.request !== null && saved.platform === null) {
      // Before sending, find out if the platform has created the copy.
      try {
        await transfers.run(saved, options, (how) => createCopy(this.#parts, saved, how))
      } catch (thrown) {
        // If the platform rejected the draft, there is no copy of it there.
        if (ending.aborted || reasonOf(thrown) === null) throw thrown
      }
    }
    const waiting = files.get(draftId)
    if (!isSending(waiting)) return null
    if (hasGivenUp(waiting)) {
      // Earlier uploads failed while the message was only being saved as a draft.
      apply(draftId, { kind: 'lost', askedAt: waiting.sending.askedAt, broken: waiting.broken })
      return null
    }
    const draft = this.#withMethod(waiting)
    const { key, way, askedAt } = draft.sending
    /** Nothing was sent by the last request, and the next one differs. */
    const sendOtherwise = (next: SendMethod | null, mayFallBackAgain: boolean): Promise<Accepted | null> => {
      const broken = files.get(draftId)?.broken
      apply(draftId, { kind: 'lost', askedAt: null, broken, next: { key: randomUUID(), way: next } })
      return this.#send(draftId, ending, mayFallBackAgain)
    }
    if (askedAt !== null && clock.now() - askedAt > KEY_LIFETIME_MS) {
      const fate = await this.#fateOf(draft, options)
      return fate === 'not sent' ? sendOtherwise(null, mayFallBack) : { emailId: fate.emailId, way }
    }
    const progress = { isAsked: false }
    const markInFlight = (): void => {
      ending.throwIfAborted()
      apply(draftId, { kind: 'asking', key, way, at: clock.now() })
      progress.isAsked = true
    }
    try {
      const context = { ...this.#parts, markInFlight }
      return { emailId: await transfers.run(draft, options, (how) => sendByMethod(context, draft, how)), way }
    } catch (thrown) {
      if (thrown instanceof SendMethodGoneError && mayFallBack && !ending.aborted) {
        return sendOtherwise(this.#fallBack(draft), false)
      }
      if (thrown instanceof PlatformRefusalError && thrown.errorName === 'invalid_idempotent_request') {
        const fate = await this.#fateOf(draft, options)
        if (fate === 'not sent') throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
        return { emailId: fate.emailId, way }
      }
      // Nothing was sent, so sending can still be undone.
      const isHere = (thrown instanceof TransferStoppedError && !thrown.mayHaveArrived) || neverTookEffect(thrown)
      if (progress.isAsked && isHere && askedAt === null && !ending.aborted) {
        apply(draftId, { kind: 'lost', askedAt: null, broken: files.get(draftId)?.broken })
      }
      throw thrown
    }
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

  /** @returns another send method; null to choose it anew */
  #fallBack({ id, sending }: OutgoingDraft): SendMethod | null {
    const { files, cache } = this.#parts
    // A deleted draft can be created again, but not the e-mail that it answers.
    const isDraftGone = sending.way.kind === 'draft' && sending.way.answers === null
    files.learn(id, { request: null, ...(isDraftGone && { platform: null }) })
    return isDraftGone ? null : toEmailSendMethod(toOutgoingMessage(cache, files.find(id), sending.scheduledAt))
  }

  /**
   * Determines if a message without a response was sent, when the platform no longer accepts its key.
   * @throws UnsendableMessageError if it can't be determined
   */
  async #fateOf(
    { id, content, sending: { way } }: OutgoingDraft,
    options: CallOptions,
  ): Promise<Exclude<SendOutcome, 'unknown'>> {
    const { platform, files, clock } = this.#parts
    const now = files.get(id)
    if (way.kind === 'draft' && now?.platform) {
      const there = await catchMissing(platform.getDraft(way.inboxId, now.platform.id, options))
      // If the draft was sent, `findSentEmail` compares the content, since somebody else may have sent it.
      if (there?.emailId === null) return 'not sent'
    }
    const fate = await findSentEmail(platform, content, now?.sending?.askedAt ?? clock.now(), options)
    if (fate === 'unknown') throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
    return fate
  }

  /** The steps after the platform has a message. They are idempotent, so a crash repeats them safely. */
  async #finish(draft: LocalDraft, emailId: string, ending: AbortSignal): Promise<void> {
    const { files, theirs, remoteReplies, deliveries, outbox, hub, report } = this.#parts
    const { id: draftId, inboxId, target, sending, remindAt } = draft
    const options = screenOptions(ending)
    await this.#removeLeftover(draft, options)
    const threadId = await this.#threadOf(draft, options)
    const isToArchive = sending?.archive === true && sending.archivedBy === undefined
    if (isToArchive && target !== null) {
      outbox.changeThreads(inboxId, [{ threadId: target.threadId, change: { folder: 'archive' } }])
    }
    if (remindAt !== undefined && threadId !== null) this.#remind(inboxId, threadId, emailId, remindAt)
    if (draft.platform !== null && draft.theirs === null) theirs.drop(draft.platform.id)
    // Record the delivery before removing the draft, so that a crash loses nothing.
    deliveries.follow({ sentId: emailId, inboxId, threadId })
    remoteReplies.sent(draft)
    files.remove(draftId)
    hub.sent({ draftId, inboxId, threadId, emailId })
    this.#readChanged(inboxId, threadId).catch((thrown: unknown) => {
      if (!(thrown instanceof ProblemError)) report(thrown)
    })
  }

  /** Deletes the platform's draft if the message was sent another way. */
  async #removeLeftover({ platform: there, sending, theirs }: LocalDraft, options: CallOptions): Promise<void> {
    // Keep a draft that somebody else has changed.
    if (sending?.way?.kind === 'draft' || there === null || theirs !== null) return
    await this.#parts.theirs.delete(there, options)
  }

  /** Sets a reminder that returns the thread if no one replies. */
  #remind(inboxId: string, threadId: string, emailId: string, remindAt: number): void {
    const { cache, outbox } = this.#parts
    const of = cache.inboxes.get(inboxId)
    const seen = of && cache.threads.currentState(of, threadId)
    const change = { remindAt }
    if (of === undefined || seen === undefined) return void outbox.changeThreads(inboxId, [{ threadId, change }])
    // The thread's row may be older than its mail, so use the time of the message if stored, or of the newest stored
    // e-mail.
    const { receivedAt } =
      cache.emails.get(of, threadId, emailId) ?? cache.emails.arrivedSince(of, threadId, seen.receivedAt).at(-1) ?? seen
    outbox.changeThreads(inboxId, [{ threadId, change, seen: { ...seen, receivedAt } }])
  }

  /** The message's thread, if the platform reports it. */
  async #threadOf(draft: LocalDraft, options: CallOptions): Promise<string | null> {
    const { target, kind, sending, platform: there } = draft
    if (target !== null && kind !== 'new') return target.threadId
    const way = sending?.way
    if (way?.kind !== 'draft' || there === null) return null
    const found = await catchMissing(this.#parts.platform.getDraft(way.inboxId, there.id, options))
    return found?.threadId ?? null
  }

  /** Fetches the effects of a sent message: its thread, the thread's list, and the sent e-mails. */
  async #readChanged(inboxId: string, threadId: string | null): Promise<void> {
    const { threads, lists, cache } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) return
    await settleAll([
      threadId === null ? threads.news(inbox, 'screen') : threads.refetch(inbox, threadId, 'screen'),
      lists.news('sent e-mails', 'sync'),
    ])
  }
}
