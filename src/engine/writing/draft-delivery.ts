import { randomUUID } from 'node:crypto'
import { ProblemError } from '../../shared/result.ts'
import type { SendRefusal } from '../../shared/drafts.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { neverTookEffect, PlatformRefusalError } from '../api/platform-problem.ts'
import { screenOptions, catchMissing } from '../outbox/changes/change-dependencies.ts'
import type { Cache } from '../store/cache.ts'
import type { Clock } from '../timing/clock.ts'
import type { DraftStore } from './draft-store.ts'
import type { DraftOutcomes } from './draft-outcomes.ts'
import type { DraftSync } from './draft-sync.ts'
import { addUploadFailure, hasGivenUp, TransferStoppedError, type DraftTransfers } from './draft-transfers.ts'
import { findSentEmail, type SendOutcome } from './find-sent.ts'
import type { LocalDraft } from './local-draft.ts'
import { isReplyTaken } from './unsent-reply.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import type { ScheduledDrafts } from './scheduled-drafts.ts'
import { UnsendableMessageError, sendByMethod, SendMethodGoneError, type OutgoingDraft } from './send-by-method.ts'
import type { SendRecord } from './send-record.ts'
import { describeFailedSend, MAY_HAVE_BEEN_SENT, toSendRefusal } from './sending-refusal.ts'
import { toEmailSendMethod, chooseSendMethod } from './send-methods.ts'
import { toOutgoingMessage } from './outgoing-draft.ts'

/** The platform keeps idempotency keys for 24 hours (platform facts 1); stop relying on them a little earlier. */
const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000

const GONE: SendRefusal = {
  field: 'message',
  message: 'This draft and the message you are replying to are no longer on the platform.',
}

const withNewKey = (draft: OutgoingDraft, way: SendRecord['way']): LocalDraft & { readonly sending: SendRecord } => ({
  ...draft,
  sending: { ...draft.sending, key: randomUUID(), way, askedAt: null },
})

/** Makes an error retryable. The outbox would roll back a platform rejection. */
const toRetryable = (thrown: unknown): unknown =>
  thrown instanceof PlatformRefusalError && thrown.problem.code !== 'rate_limited'
    ? new ProblemError({ code: 'platform_failed', message: thrown.message }, { cause: thrown })
    : thrown

const reasonOf = (thrown: unknown): SendRefusal | null => {
  if (thrown instanceof UnsendableMessageError) return thrown.reason
  return thrown instanceof SendMethodGoneError ? GONE : toSendRefusal(thrown)
}

const isSending = (draft: LocalDraft | undefined): draft is LocalDraft & { readonly sending: SendRecord } =>
  draft !== undefined && draft.sending !== null && (draft.state.kind === 'waiting' || draft.state.kind === 'sending')

interface DraftDeliveryParts {
  readonly files: DraftStore
  readonly platform: MailPlatform
  readonly cache: Pick<Cache, 'inboxes' | 'emails'>
  readonly sync: Pick<DraftSync, 'whenSettled'>
  readonly theirs: Pick<PlatformDrafts, 'delete'>
  readonly outcomes: DraftOutcomes
  readonly transfers: Pick<DraftTransfers, 'run'>
  readonly scheduled: Pick<ScheduledDrafts, 'noteLook'>
  readonly clock: Clock
}

export class DraftDelivery {
  readonly #parts: DraftDeliveryParts

  constructor(parts: DraftDeliveryParts) {
    this.#parts = parts
  }

  /** Tries to send a draft; does nothing if the user has to act. @throws if it should be retried */
  async deliver(draftId: string, ending: AbortSignal): Promise<void> {
    try {
      await this.#deliver(draftId, ending)
    } catch (thrown) {
      if (ending.aborted || !this.#recordFailedUpload(draftId, thrown)) throw thrown
    }
  }

  async #deliver(draftId: string, ending: AbortSignal): Promise<void> {
    const { files, sync, outcomes } = this.#parts
    // Don't save a draft to the platform after its sending was undone.
    if (!isSending(files.get(draftId))) return
    try {
      await sync.whenSettled(draftId)
    } catch (thrown) {
      // If the platform rejected the draft, there is no copy of it there.
      if (ending.aborted || toSendRefusal(thrown) === null) throw toRetryable(thrown)
    }
    const draft = files.get(draftId)
    if (!isSending(draft)) return
    const { sending } = draft
    if (sending.emailId !== null) {
      await outcomes.finish(draft, sending.emailId, ending)
      return
    }
    if (hasGivenUp(draft)) {
      // Earlier uploads failed while the message was only being saved as a draft.
      outcomes.ask(draft, describeFailedSend(draft))
      return
    }
    try {
      await this.#attempt(this.#fixMethod(draft, sending), ending, true)
    } catch (thrown) {
      if (ending.aborted) throw thrown
      const current = files.get(draftId)
      // Once the platform has accepted the message, the remaining steps are retried.
      const reason = current?.sending?.emailId === null ? reasonOf(thrown) : null
      if (current === undefined || reason === null) throw toRetryable(thrown)
      outcomes.refuse(current, reason)
    }
  }

  /** Records a failed or stopped upload. @returns true if sending now needs the user's consent */
  #recordFailedUpload(draftId: string, thrown: unknown): boolean {
    const { files, outcomes } = this.#parts
    const current = files.get(draftId)
    const broken = current === undefined ? null : addUploadFailure(thrown, current)
    if (current === undefined || broken === null) return false
    const next = { ...current, broken }
    const isStopped = thrown instanceof TransferStoppedError
    if (next.sending === null || !hasGivenUp(next)) files.put(next)
    // If an earlier try may have arrived, only repeating the same request avoids a duplicate.
    else if (isStopped && next.sending.askedAt === null) outcomes.open(next)
    else outcomes.ask(next, describeFailedSend(next))
    return hasGivenUp(next)
  }

  /** Fixes a draft's send method. */
  #fixMethod(waiting: LocalDraft, sending: SendRecord): OutgoingDraft {
    const { files, cache } = this.#parts
    const hasNothing = waiting.platform === null && waiting.request === null
    const standsAlone = waiting.standsAlone || (hasNothing && isReplyTaken(files.all(), waiting))
    const draft = { ...waiting, standsAlone }
    const way = sending.way ?? chooseSendMethod(toOutgoingMessage(cache, draft, sending.scheduledAt))
    const next: OutgoingDraft = { ...draft, state: { kind: 'sending' }, sending: { ...sending, way } }
    files.put(next)
    return next
  }

  /** @param mayFallBack allows one other send method if the chosen one no longer works */
  async #attempt(draft: OutgoingDraft, ending: AbortSignal, mayFallBack: boolean): Promise<void> {
    const { files, platform, theirs, transfers, clock } = this.#parts
    const { askedAt, way } = draft.sending
    if (askedAt !== null && clock.now() - askedAt > KEY_LIFETIME_MS) {
      const fate = await this.#fateOf(draft, ending)
      if (fate === 'unknown') throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
      if (fate !== 'not sent') return this.#onAccepted(draft, fate.emailId, ending)
      return this.#attempt(this.#fixMethod(draft, withNewKey(draft, way).sending), ending, mayFallBack)
    }
    let asked = draft
    const markInFlight = (ready: OutgoingDraft): OutgoingDraft => {
      asked = { ...ready, sending: { ...ready.sending, askedAt: ready.sending.askedAt ?? clock.now() } }
      files.put(asked)
      return asked
    }
    let emailId: string
    try {
      const context = { platform, drafts: files, theirs, now: clock.now, markInFlight }
      emailId = await transfers.run(draft, screenOptions(ending), (options) => sendByMethod(context, draft, options))
    } catch (thrown) {
      if (thrown instanceof SendMethodGoneError && mayFallBack && !ending.aborted) {
        return this.#attempt(this.#fallBack(asked, way), ending, false)
      }
      if (thrown instanceof PlatformRefusalError && thrown.errorName === 'invalid_idempotent_request') {
        const fate = await this.#fateOf(asked, ending)
        if (typeof fate === 'object') return this.#onAccepted(asked, fate.emailId, ending)
        throw new UnsendableMessageError(MAY_HAVE_BEEN_SENT)
      }
      // Nothing was sent, so sending can still be undone.
      const isCut = thrown instanceof TransferStoppedError && !thrown.mayHaveArrived
      const isHere = isCut || neverTookEffect(thrown) || asked.sending.askedAt === null
      if (!ending.aborted && isHere && askedAt === null) {
        // Keep what was learned about the platform's draft in the meantime.
        const current = files.get(draft.id) ?? asked
        files.put({ ...current, state: { kind: 'waiting' }, sending: { ...asked.sending, askedAt: null } })
      }
      throw thrown
    }
    return this.#onAccepted(asked, emailId, ending)
  }

  /** Chooses another send method. */
  #fallBack(asked: OutgoingDraft, way: OutgoingDraft['sending']['way']): OutgoingDraft {
    const turned = { ...withNewKey(asked, null), request: null }
    // A deleted draft can be created again, but not the e-mail that it answers.
    const isDraftGone = way.kind === 'draft' && way.answers === null
    if (isDraftGone) return this.#fixMethod({ ...turned, platform: null }, turned.sending)
    const asOwn = toEmailSendMethod(
      toOutgoingMessage(this.#parts.cache, { ...turned, platform: null }, turned.sending.scheduledAt),
    )
    return this.#fixMethod(turned, { ...turned.sending, way: asOwn })
  }

  async #onAccepted(draft: OutgoingDraft, emailId: string, ending: AbortSignal): Promise<void> {
    const { files, outcomes, scheduled, clock } = this.#parts
    const { scheduledAt } = draft.sending
    const isLater = scheduledAt !== null && scheduledAt > clock.now()
    const next: LocalDraft = {
      ...draft,
      sending: { ...draft.sending, emailId },
      state: isLater ? { kind: 'scheduled', at: scheduledAt } : { kind: 'sending' },
    }
    // Write first, so that a crash can't cause a second sending.
    files.put(next)
    if (!isLater) return outcomes.finish(next, emailId, ending)
    scheduled.noteLook(draft.id)
    await outcomes.removeLeftover(next, screenOptions(ending))
    // The message may have been cancelled or sent during the request.
    const current = files.get(draft.id)
    if (current?.state.kind === 'scheduled' && current.sending?.emailId === emailId && current.platform !== null) {
      files.put({ ...current, platform: null })
    }
  }

  /** Determines if a message without a response was sent, when the platform no longer accepts its key. */
  async #fateOf(draft: OutgoingDraft, ending: AbortSignal): Promise<SendOutcome> {
    const { platform, clock } = this.#parts
    const { way, askedAt } = draft.sending
    const options = screenOptions(ending)
    const id = draft.platform?.id ?? null
    if (way.kind === 'draft' && id !== null) {
      const there = await catchMissing(platform.getDraft(way.inboxId, id, options))
      // If the draft was sent, `findSentEmail` compares the content, since somebody else may have sent it.
      if (there?.emailId === null) return 'not sent'
    }
    return findSentEmail(platform, draft.content, askedAt ?? clock.now(), options)
  }
}
