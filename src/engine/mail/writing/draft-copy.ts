import { randomUUID } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import type { DraftFile } from '../../../shared/drafts.ts'
import type { FetchedDraft } from '../../platform/resources/drafts.ts'
import type { MailPlatform } from '../../platform/mail-platform.ts'
import type { OutgoingFile } from '../../platform/outgoing-body.ts'
import { isNotFound, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { CallOptions } from '../../platform/requests.ts'
import type { Clock } from '../../timing/clock.ts'
import { assembleMessage } from './assemble-message.ts'
import type { DraftStore } from '../../own/drafts/draft-store.ts'
import { isDraftEditable, isSavedOnPlatform, type LocalDraft, type SeenVersion } from '../../own/drafts/local-draft.ts'
import { fingerprintContent, haveSameFiles, haveSameText, toDraftContent } from './platform-content.ts'
import { UnsendableMessageError } from './sending-refusal.ts'
import { findByPlatformId, findReplyTarget, isReplyTaken } from './unsent-reply.ts'

/** True if a 404 concerns the inbox itself. */
export const isInboxGone = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError &&
  thrown.status === 404 &&
  /inbox/i.test(String(thrown.problem.details?.platform ?? ''))

/** The platform keeps idempotency keys for a day (platform.md 1.10); stop relying on them an hour earlier. */
export const KEY_LIFETIME_MS = 23 * 60 * 60_000

export interface CopyContext {
  readonly files: DraftStore
  readonly platform: MailPlatform
  readonly clock: Pick<Clock, 'now'>
}

type PlatformCopy = NonNullable<LocalDraft['platform']>

const seenOf = (there: FetchedDraft, files: readonly DraftFile[]): SeenVersion => ({
  updatedAt: there.updatedAt,
  content: toDraftContent(there, files),
})

/** @throws UnsendableMessageError for a file that is only on the platform, or that changed since it was added */
export const toOutgoingFiles = ({ bytes }: DraftStore, files: readonly DraftFile[]): readonly OutgoingFile[] =>
  files.map(({ filename, contentType, contentId, size, digest }) => {
    const path = bytes.path(digest ?? '')
    if (digest === null || statSync(path, { throwIfNoEntry: false })?.size !== size) {
      const message = `“${filename}” is not on this computer. Remove it, or attach it again.`
      throw new UnsendableMessageError({ field: 'files', message })
    }
    return { filename, contentType, contentId, size, read: () => createReadStream(path) }
  })

/** Null for a 404. Other errors, also of platforms without the operation, are thrown. */
export const nullIfNotFound = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (thrown) {
    if (isNotFound(thrown)) return null
    throw thrown
  }
}

/**
 * Writes the request that creates a draft's copy, so that a retry after a lost response uses the same key and creates
 * no duplicate. @throws UnsendableMessageError for a missing file: an incomplete message must not be sent
 */
export const planCopy = ({ files, clock }: CopyContext, draft: LocalDraft): void => {
  const { id, inboxId, content, revision } = draft
  toOutgoingFiles(files, content.files)
  files.learn(id, {
    request: { key: `draft-${randomUUID()}`, inboxId, content, revision, at: clock.now() },
    standsAlone: draft.standsAlone || isReplyTaken(files.all(), draft),
  })
}

/**
 * Makes the planned request, maybe again. If the platform returns somebody else's draft instead, an editable draft gets
 * a conflict, and a message being sent will stand alone.
 * @returns the copy; null if there is none
 */
export const createCopy = async (
  { files, platform, clock }: CopyContext,
  draft: LocalDraft,
  options: CallOptions,
): Promise<FetchedDraft | null> => {
  const { id, request } = draft
  if (request === null) return null
  const { key, inboxId, content, revision, at } = request
  const none = (learned: Partial<LocalDraft> = {}): null => {
    files.learn(id, { request: null, ...learned })
    return null
  }
  // An expired key would create a second draft.
  if (clock.now() - at > KEY_LIFETIME_MS) return none()
  const attached = toOutgoingFiles(files, content.files)
  const answers = findReplyTarget(draft)
  let made: string
  try {
    const withKey = { ...options, idempotencyKey: key }
    made = await platform.createDraft(inboxId, assembleMessage(content), answers, attached, withKey)
  } catch (thrown) {
    // The e-mail being answered isn't in this inbox, or no longer exists.
    if (answers !== null && isNotFound(thrown) && !isInboxGone(thrown)) return none({ standsAlone: true })
    throw thrown
  }
  const there = await nullIfNotFound(platform.getDraft(inboxId, made, options))
  if (there === null) return none()
  const seen = seenOf(there, content.files)
  const copy = { id: made, inboxId, revision, seen }
  const now = files.get(id)
  const isSending = now !== undefined && !isDraftEditable(now)
  // For a reply, the platform returns an existing draft, whoever created it (platform.md 14.5).
  const isHeld = findByPlatformId(files.all(), made, id) !== undefined
  if (!isHeld && (haveSameText(seen.content, content) || (isSending && answers === null))) {
    files.learn(id, { request: null, platform: copy, broken: undefined })
    return there
  }
  // The user can't choose between drafts while the message is being sent, so leave the other one alone.
  if (isSending || isHeld) return none({ standsAlone: true })
  return none({ platform: { ...copy, revision: null }, theirs: seen })
}

/**
 * Brings a draft's copy up to date, unless it was changed elsewhere: then both versions are kept until the user
 * chooses.
 * @returns the copy, which may have been sent or changed elsewhere; null if it is gone
 */
export const updateCopy = async (
  { files, platform, clock }: CopyContext,
  draft: LocalDraft,
  known: PlatformCopy,
  options: CallOptions,
): Promise<FetchedDraft | null> => {
  const { id, state, request, content, revision } = draft
  const there = await nullIfNotFound(platform.getDraft(known.inboxId, known.id, options))
  if (there?.emailId !== null) return there
  const seen = seenOf(there, [...content.files, ...known.seen.content.files])
  const isAsSeen =
    (seen.updatedAt !== null && seen.updatedAt === known.seen.updatedAt) ||
    fingerprintContent(seen.content) === fingerprintContent(known.seen.content)
  // If the last response was lost, this may be our own change.
  const isOwn = request !== null && haveSameText(seen.content, request.content)
  if (!isAsSeen && !isOwn) {
    files.learn(id, { platform: { ...known, revision: null }, theirs: seen, request: null })
    return there
  }
  // The platform has no digests, so its files are those of the version it holds: a new one may have the same name and size.
  const held = isAsSeen ? known.seen.content : (request?.content ?? known.seen.content)
  const revisionThere = isAsSeen ? known.revision : (request?.revision ?? null)
  const copy = { ...known, seen: seenOf(there, held.files), revision: revisionThere }
  const now = files.get(id)
  const isSending = state.kind === 'sending'
  // A message being sent may differ from its saved copy, if the platform derived its text part.
  const isToDo = now?.revision === revision && now.state.kind === state.kind
  if (!isToDo || (!isSending && isSavedOnPlatform({ ...now, platform: copy }))) {
    files.learn(id, { request: null, platform: copy })
    return there
  }
  const attached = haveSameFiles(content, copy.seen.content) ? null : toOutgoingFiles(files, content.files)
  // Learned together: if this request fails, the copy is still as it was just seen, not as before.
  files.learn(id, {
    request: { key: randomUUID(), inboxId: known.inboxId, content, revision, at: clock.now() },
    platform: copy,
  })
  const [before, after] = [assembleMessage(seen.content), assembleMessage(content)]
  await platform.updateDraft(known.inboxId, known.id, before, after, attached, options)
  // The next request sends the message.
  if (isSending) return there
  const updated = await nullIfNotFound(platform.getDraft(known.inboxId, known.id, options))
  if (updated?.emailId === null) {
    const platformNow = { ...known, revision, seen: seenOf(updated, content.files) }
    files.learn(id, { request: null, platform: platformNow, broken: undefined })
  }
  return updated
}

/** A draft whose copy was sent or deleted elsewhere. If all of it was saved there, it is discarded here, too. */
export const withoutCopy = (draft: LocalDraft, at: number): LocalDraft => {
  const wasWhole = isDraftEditable(draft) && isSavedOnPlatform(draft) && draft.request === null
  return { ...draft, platform: null, request: null, ...(wasWhole && { discardedAt: at }) }
}
