import type { DomainHandlers } from '../../shared/contract.ts'
import type { MailPart } from '../account-mail.ts'
import type { OwnPart } from '../account-own.ts'
import { findInboxId } from '../own/inbox-lookups.ts'

/** Drafts, and the texts that are inserted into them. */
export const createWritingHandlers = (
  { cache, snippets }: OwnPart,
  { writing: { drafts, sending } }: MailPart,
): DomainHandlers<'draft'> &
  DomainHandlers<'snippet'> &
  DomainHandlers<'signature'> &
  DomainHandlers<'cannedReply'> => ({
  'draft.list': ({ inboxId, cacheOnly = false }) => drafts.list(inboxId, cacheOnly),
  'draft.open': ({ draftId }) => drafts.open(draftId),
  'draft.create': ({ inboxId, kind, target, content, isUntouched }) =>
    drafts.create(inboxId, kind, target, content, isUntouched),
  'draft.save': ({ draftId, revision, content, inboxId }) => ({
    revision: drafts.save(draftId, revision, content, inboxId),
  }),
  'draft.remind': ({ draftId, remindAt }) => drafts.remind(draftId, remindAt),
  'draft.discard': ({ draftId }) => drafts.discard(draftId),
  'draft.restore': ({ draftId }) => drafts.restore(draftId),
  'draft.send': ({ draftId, revision, ...how }) => {
    drafts.takeOver(draftId)
    return { state: sending.send(draftId, revision, how) }
  },
  'draft.elsewhere': ({ draftId, cacheOnly = false, isSeen = false }) => drafts.elsewhere(draftId, cacheOnly, isSeen),
  'draft.sendAgain': ({ draftId }) => ({ state: sending.sendAgain(draftId) }),
  'draft.cancelSending': async ({ draftId }) => {
    await sending.cancel(draftId)
    return drafts.open(draftId)
  },
  'draft.reschedule': ({ draftId, scheduledAt }) => sending.reschedule(draftId, scheduledAt),
  'draft.settle': ({ draftId, keep }) => drafts.resolveConflict(draftId, keep),
  'draft.addFile': ({ base64, ...piece }) =>
    drafts.attachments.addPiece({ ...piece, bytes: Buffer.from(base64, 'base64') }),
  'draft.addFrom': ({ draftId, of }) => drafts.attachments.addFrom(draftId, of),
  'draft.readFile': ({ draftId, fileId, place }) => {
    const piece = drafts.attachments.readPiece(draftId, fileId, place)
    return piece === null ? null : Buffer.from(piece).toString('base64')
  },
  'snippet.list': () => ({
    signatures: snippets.signatures().map((signature) => ({
      ...signature,
      address: cache.inboxes.get(signature.inboxId)?.inbox.emailAddress ?? null,
    })),
    cannedReplies: snippets.cannedReplies(),
  }),
  'snippet.import': (given) => snippets.importSnippets(given, (address) => findInboxId(cache, address)),
  'signature.set': ({ inboxId, html }) => snippets.setSignature(cache.inboxes.require(inboxId).id, html),
  'cannedReply.save': (reply) => snippets.save(reply),
  'cannedReply.remove': ({ id }) => snippets.remove(id),
})
