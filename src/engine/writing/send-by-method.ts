import { createReadStream, statSync } from 'node:fs'
import type { DraftContent, DraftFile, SendRefusal } from '../../shared/drafts.ts'
import type { FetchedDraft } from '../api/drafts.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions, IdempotentCallOptions } from '../api/requests.ts'
import type { OutgoingFile } from '../api/outgoing-body.ts'
import { isNotFound, PlatformRefusalError } from '../api/platform-problem.ts'
import { assembleMessage, assembleNote } from './assemble-message.ts'
import type { DraftStore } from './draft-store.ts'
import type { LocalDraft } from './local-draft.ts'
import { findByPlatformId, isReplyTaken } from './unsent-reply.ts'
import { toDraftContent, fingerprintContent, fingerprintText } from './platform-content.ts'
import type { PlatformDrafts } from './platform-drafts.ts'
import type { SendRecord, SendMethod } from './send-record.ts'

/** The message cannot be sent as it is. The user must fix it. */
export class UnsendableMessageError extends Error {
  readonly reason: SendRefusal

  constructor(reason: SendRefusal) {
    super(reason.message)
    this.name = 'UnsendableMessageError'
    this.reason = reason
  }
}

/** The send method no longer works because its target is gone. Nothing was sent. */
export class SendMethodGoneError extends Error {
  constructor(cause: unknown) {
    super('The send method no longer works because its target is gone.', { cause })
    this.name = 'SendMethodGoneError'
  }
}

export type OutgoingDraft = LocalDraft & { readonly sending: SendRecord & { readonly way: SendMethod } }

export interface SendContext {
  readonly platform: MailPlatform
  readonly drafts: Pick<DraftStore, 'all' | 'bytes' | 'learn'>
  readonly theirs: Pick<PlatformDrafts, 'delete'>
  readonly now: () => number
  /** Records on disk that a request with this key may now be in flight. @throws if the message was taken back */
  readonly markInFlight: () => void
}

const LOST_FILE = (name: string): SendRefusal => ({
  field: 'files',
  message: `“${name}” is no longer on this computer. Remove it, or attach it again.`,
})

/** @throws UnsendableMessageError if a file changed since it was added */
const outgoing = (drafts: SendContext['drafts'], files: readonly DraftFile[]): readonly OutgoingFile[] =>
  files.map(({ filename, contentType, contentId, size, digest }) => {
    if (digest === null) throw new UnsendableMessageError(LOST_FILE(filename))
    const path = drafts.bytes.path(digest)
    if (statSync(path, { throwIfNoEntry: false })?.size !== size) throw new UnsendableMessageError(LOST_FILE(filename))
    return { filename, contentType, contentId, size, read: () => createReadStream(path) }
  })

const platformProblemText = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'problem' in thrown
    ? JSON.stringify((thrown as { readonly problem: unknown }).problem)
    : ''

const isConflict = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && 'status' in thrown && thrown.status === 409

/** True if the platform rejects reply drafts without a subject, as it did before platform facts 3.7. */
const wantsSubject = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && thrown.status === 422 && /subject/i.test(platformProblemText(thrown))

const isInboxGone = (thrown: unknown): boolean => isNotFound(thrown) && /inbox/i.test(platformProblemText(thrown))
/** Turns a 404 for the send method's target into `SendMethodGoneError`. */
const throwIfMethodGone = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (thrown) {
    if (isNotFound(thrown) && !isInboxGone(thrown)) throw new SendMethodGoneError(thrown)
    throw thrown
  }
}

/** Compares the text, ignoring how the platform rewrote the HTML. */
const hasSameText = (there: FetchedDraft, content: DraftContent): boolean =>
  fingerprintText(toDraftContent(there, content.files)) === fingerprintText(content)

/** Idempotency key of the request that prepares the draft. Differs from the key of the send request. */
const keyOfDraft = ({ key }: SendRecord): string => `${key} draft`

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

type PreparedDraft = { readonly draftId: string } | { readonly sent: string }

/** Updates the platform's draft, creating it if needed. */
const prepareDraft = async (
  { platform, drafts, theirs, now }: SendContext,
  draft: OutgoingDraft,
  way: Extract<SendMethod, { readonly kind: 'draft' }>,
  options: CallOptions,
): Promise<PreparedDraft> => {
  const { content, sending } = draft
  const message = { ...assembleMessage(content), to: content.to, cc: content.cc, bcc: content.bcc }
  // The platform's version is someone else's until the user decides.
  if (draft.theirs !== null) throw new UnsendableMessageError(CHANGED_ELSEWHERE)
  const own = draft.platform?.inboxId === way.inboxId ? draft.platform : null
  // Recorded like any save request, so an undo can continue from its result.
  const request = { key: keyOfDraft(sending), inboxId: way.inboxId, content, revision: draft.revision, at: now() }
  if (own === null) {
    const readable = outgoing(drafts, content.files)
    // Delete the copy in the previous sender's inbox.
    if (draft.platform !== null) await theirs.delete(draft.platform, options)
    if (way.answers !== null && isReplyTaken(drafts.all(), draft)) throw new SendMethodGoneError(null)
    drafts.learn(draft.id, { platform: null, request })
    const withKey = { ...options, idempotencyKey: request.key }
    const made = await throwIfMethodGone(platform.createDraft(way.inboxId, message, way.answers, readable, withKey))
    const there = await platform.getDraft(way.inboxId, made, options)
    // An e-mail has at most one unsent reply. If that is another draft, leave it alone (platform facts 3.7).
    const isAnother = way.answers !== null && !hasSameText(there, content)
    if (isAnother || findByPlatformId(drafts.all(), made, draft.id) !== undefined) throw new SendMethodGoneError(null)
    const { inboxId, revision } = request
    const seen = { updatedAt: there.updatedAt, content: toDraftContent(there, content.files) }
    drafts.learn(draft.id, { platform: { id: made, inboxId, revision, seen }, request: null })
    return there.emailId === null ? { draftId: made } : { sent: there.emailId }
  }
  const known = own.id
  const there = await throwIfMethodGone(platform.getDraft(way.inboxId, known, options))
  if (there.emailId !== null) {
    // Text that someone else changed and sent is not this message.
    if (hasSameText(there, content)) return { sent: there.emailId }
    drafts.learn(draft.id, { platform: null, request: null })
    throw new UnsendableMessageError(sending.askedAt === null ? SENT_BY_OTHERS : SENT_OTHERWISE)
  }
  const seen = toDraftContent(there, content.files)
  // The text of an HTML message can differ, too.
  const isSame = fingerprintContent(seen) === fingerprintContent(content) && (there.text ?? '') === message.text
  if (isSame) return { draftId: known }
  // Our own last request without a response is not someone else's change.
  const isOwnWork = draft.request !== null && hasSameText(there, draft.request.content)
  if (own.seen.updatedAt !== there.updatedAt && !isOwnWork) {
    const theirs = { updatedAt: there.updatedAt, content: seen }
    drafts.learn(draft.id, { platform: { ...own, revision: null }, request: null, theirs })
    throw new UnsendableMessageError(CHANGED_ELSEWHERE)
  }
  const local = content.files.filter(({ digest }) => digest !== null)
  if (local.length > 0 && local.length < content.files.length) {
    throw new UnsendableMessageError(LOST_FILE(content.files.find(({ digest }) => digest === null)?.filename ?? ''))
  }
  const files = local.length === 0 && content.files.length > 0 ? null : outgoing(drafts, local)
  drafts.learn(draft.id, { request })
  const before = { ...assembleMessage(seen), to: seen.to, cc: seen.cc, bcc: seen.bcc }
  await throwIfMethodGone(platform.updateDraft(way.inboxId, known, before, message, files, options))
  return { draftId: known }
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
  const { platform, drafts, markInFlight } = context
  const { content, sending } = draft
  const { way } = sending
  const withKey: IdempotentCallOptions = { ...options, idempotencyKey: sending.key }
  const { to, cc, bcc, files } = content
  switch (way.kind) {
    case 'reply': {
      const readable = outgoing(drafts, files)
      markInFlight()
      return throwIfMethodGone(platform.reply(way, { ...assembleMessage(content), cc, bcc }, readable, withKey))
    }
    case 'forward': {
      const readable = outgoing(
        drafts,
        files.filter(({ id }) => !way.originalFiles.includes(id)),
      )
      markInFlight()
      return throwIfMethodGone(platform.forward(way, { ...assembleNote(content), to, cc, bcc }, readable, withKey))
    }
    case 'email': {
      const readable = outgoing(drafts, files)
      markInFlight()
      const { from, headers } = way
      const { scheduledAt } = sending
      return platform.sendEmail(
        { ...assembleMessage(content), from, to, cc, bcc, headers, scheduledAt },
        readable,
        withKey,
      )
    }
    case 'draft': {
      const there = await prepareDraft(context, draft, way, options)
      if ('sent' in there) return there.sent
      markInFlight()
      const send = (how: IdempotentCallOptions) =>
        throwIfMethodGone(platform.sendDraft(way.inboxId, there.draftId, how))
      try {
        return await send(withKey)
      } catch (thrown) {
        if (wantsSubject(thrown) && content.subject !== '') {
          const message = { ...assembleMessage(content), to, cc, bcc }
          await platform.updateDraft(way.inboxId, there.draftId, { ...message, subject: '' }, message, null, options)
          // The first key may replay the rejection.
          return send({ ...withKey, idempotencyKey: `${sending.key}-subject` })
        }
        // Sent by a request whose response was lost, or by someone else.
        const now = isConflict(thrown) ? await platform.getDraft(way.inboxId, there.draftId, options) : null
        const sentAs = now?.emailId ?? null
        if (now === null || sentAs === null) throw thrown
        if (hasSameText(now, content)) return sentAs
        drafts.learn(draft.id, { platform: null, request: null })
        throw new UnsendableMessageError(SENT_OTHERWISE)
      }
    }
  }
}
