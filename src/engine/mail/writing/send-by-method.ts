import type { SendRefusal } from '../../../shared/drafts.ts'
import { isNotFound, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { assembleMessage } from './assemble-message.ts'
import { createCopy, isInboxGone, planCopy, toOutgoingFiles, updateCopy, type CopyContext } from './draft-copy.ts'
import type { LocalDraft } from '../../own/drafts/local-draft.ts'
import { haveSameText, toDraftContent } from './platform-content.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import type { SendRecord, SendMethod } from '../../own/drafts/send-record.ts'
import { UnsendableMessageError } from './sending-refusal.ts'
import { isReplyTaken } from './unsent-reply.ts'

/** The send method no longer works because its target is gone. Nothing was sent. */
export class SendMethodGoneError extends Error {
  constructor(cause?: unknown) {
    super('The send method no longer works because its target is gone.', { cause })
    this.name = 'SendMethodGoneError'
  }
}

export type OutgoingDraft = LocalDraft & { readonly sending: SendRecord & { readonly way: SendMethod } }

export interface SendContext extends CopyContext {
  readonly theirs: Pick<PlatformDrafts, 'delete'>
  /** Records on disk that a request with this key may now be in flight. @throws if the message was taken back */
  readonly markInFlight: () => void
}

/** True if the platform rejects reply drafts without a subject, as it once did (platform.md 14.6). */
const wantsSubject = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError &&
  thrown.status === 422 &&
  /subject/i.test(String(thrown.problem.details?.platform ?? ''))

/** Turns a 404 for the send method's target into `SendMethodGoneError`. */
const throwIfMethodGone = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (thrown) {
    if (isNotFound(thrown) && !isInboxGone(thrown)) throw new SendMethodGoneError(thrown)
    throw thrown
  }
}

const CHANGED_ELSEWHERE: SendRefusal = {
  field: 'message',
  message: 'This draft was also changed elsewhere. Compare both versions and send one.',
}
const SENT_BY_OTHERS: SendRefusal = {
  field: 'message',
  message: 'Someone else sent another version of this draft. Send yours too, or discard it.',
}

/** Sent, but possibly with different text. */
const SENT_OTHERWISE: SendRefusal = {
  field: 'message',
  message: 'The platform sent a different version of this draft. Check Sent before you send it again.',
}

/** Updates the platform's copy, creating it if needed. @returns it; its `emailId` if it has already been sent */
const prepareCopy = async (
  context: SendContext,
  draft: OutgoingDraft,
  way: Extract<SendMethod, { readonly kind: 'draft' }>,
  options: CallOptions,
) => {
  const { files, theirs } = context
  const { id, platform: known } = draft
  // The platform's version is someone else's until the user decides.
  if (draft.theirs !== null) throw new UnsendableMessageError(CHANGED_ELSEWHERE)
  let copy
  if (known?.inboxId === way.inboxId) {
    copy = await throwIfMethodGone(updateCopy(context, draft, known, options))
    if (copy?.emailId === null && files.get(id)?.theirs !== null) throw new UnsendableMessageError(CHANGED_ELSEWHERE)
  } else {
    toOutgoingFiles(files, draft.content.files)
    // Delete the copy in the previous sender's inbox.
    if (known !== null) await theirs.delete(known, options)
    if (way.answers !== null && isReplyTaken(files.all(), draft)) throw new SendMethodGoneError()
    planCopy(context, { ...draft, platform: null })
    files.learn(id, { platform: null })
    copy = await throwIfMethodGone(createCopy(context, files.find(id), options))
  }
  if (copy === null) throw new SendMethodGoneError()
  return copy
}

/**
 * Sends a draft by its fixed method.
 * @returns the sent e-mail's ID
 * @throws UnsendableMessageError, SendMethodGoneError, and platform errors, which can be retried with the same key
 */
export const sendByMethod = async (
  context: SendContext,
  draft: OutgoingDraft,
  options: CallOptions,
): Promise<string> => {
  const { platform, files, markInFlight } = context
  const { content, sending } = draft
  const { way, key, scheduledAt } = sending
  const withKey = { ...options, idempotencyKey: key }
  const message = assembleMessage(content)
  if (way.kind === 'draft') {
    const copy = await prepareCopy(context, draft, way, options)
    /** Text that someone else changed and sent is not this message. */
    const sentAs = (emailId: string, there: typeof copy, otherwise: SendRefusal): string => {
      if (haveSameText(toDraftContent(there, content.files), content)) return emailId
      files.learn(draft.id, { platform: null, request: null })
      throw new UnsendableMessageError(otherwise)
    }
    if (copy.emailId !== null) {
      return sentAs(copy.emailId, copy, sending.askedAt === null ? SENT_BY_OTHERS : SENT_OTHERWISE)
    }
    markInFlight()
    const send = (idempotencyKey: string) =>
      throwIfMethodGone(platform.sendDraft(way.inboxId, copy.id, { ...options, idempotencyKey }))
    try {
      return await send(key)
    } catch (thrown) {
      if (wantsSubject(thrown) && content.subject !== '') {
        await platform.updateDraft(way.inboxId, copy.id, { ...message, subject: '' }, message, null, options)
        // The first key may replay the rejection.
        return send(`${key}-subject`)
      }
      // Sent by a request whose response was lost, or by someone else.
      const isConflict = thrown instanceof PlatformRefusalError && thrown.status === 409
      const now = isConflict ? await platform.getDraft(way.inboxId, copy.id, options) : null
      if (typeof now?.emailId !== 'string') throw thrown
      return sentAs(now.emailId, now, SENT_OTHERWISE)
    }
  }
  const ownFiles =
    way.kind === 'forward' ? content.files.filter(({ id }) => !way.originalFiles.includes(id)) : content.files
  const attached = toOutgoingFiles(files, ownFiles)
  markInFlight()
  if (way.kind === 'reply') return throwIfMethodGone(platform.reply(way, message, attached, withKey))
  if (way.kind === 'email') {
    const { from, headers } = way
    return platform.sendEmail({ ...message, from, headers, scheduledAt }, attached, withKey)
  }
  // The platform quotes the original itself.
  const { html, text } = assembleMessage({ ...content, quote: null })
  const note = { ...message, html: html === '' ? null : html, text: text === '' ? null : text }
  return throwIfMethodGone(platform.forward(way, note, attached, withKey))
}
