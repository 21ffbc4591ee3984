import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'

/** Drafts, and the texts that are inserted into them. */
export const createWritingHandlers = ({
  current,
  inboxOf,
}: AccountAccess): DomainHandlers<'draft'> &
  DomainHandlers<'snippet'> &
  DomainHandlers<'signature'> &
  DomainHandlers<'cannedReply'> => ({
  'draft.list': ({ inboxId, cacheOnly = false }) => current().drafts.list(inboxId, cacheOnly),
  'draft.open': ({ draftId }) => current().drafts.open(draftId),
  'draft.create': ({ inboxId, kind, target, content, isUntouched }) =>
    current().drafts.create(inboxId, kind, target, content, isUntouched),
  'draft.save': ({ draftId, revision, content, inboxId }) => ({
    revision: current().drafts.save(draftId, revision, content, inboxId),
  }),
  'draft.remind': ({ draftId, remindAt }) => current().drafts.remind(draftId, remindAt),
  'draft.discard': ({ draftId }) => current().drafts.discard(draftId),
  'draft.restore': ({ draftId }) => current().drafts.restore(draftId),
  'draft.send': ({ draftId, revision, ...how }) => {
    current().drafts.takeOver(draftId)
    return { state: current().sending.send(draftId, revision, how) }
  },
  'draft.elsewhere': ({ draftId, cacheOnly = false, isSeen = false }) =>
    current().drafts.elsewhere(draftId, cacheOnly, isSeen),
  'draft.sendAgain': ({ draftId }) => ({ state: current().sending.sendAgain(draftId) }),
  'draft.cancelSending': async ({ draftId }) => {
    await current().sending.cancel(draftId)
    return current().drafts.open(draftId)
  },
  'draft.reschedule': ({ draftId, scheduledAt }) => current().sending.reschedule(draftId, scheduledAt),
  'draft.settle': ({ draftId, keep }) => current().drafts.resolveConflict(draftId, keep),
  'draft.addFile': ({ base64, ...piece }) =>
    current().drafts.attachments.addPiece({ ...piece, bytes: Buffer.from(base64, 'base64') }),
  'draft.addFrom': ({ draftId, of }) => current().drafts.attachments.addFrom(draftId, of),
  'draft.readFile': ({ draftId, fileId, place }) => {
    const piece = current().drafts.attachments.readPiece(draftId, fileId, place)
    return piece === null ? null : Buffer.from(piece).toString('base64')
  },
  'snippet.list': () => {
    const { snippets, cache } = current()
    return {
      signatures: snippets.signatures().map(({ inboxId, html }) => ({
        inboxId,
        address: cache.inboxes.get(inboxId)?.inbox.emailAddress ?? null,
        html,
      })),
      cannedReplies: snippets.cannedReplies(),
    }
  },
  'snippet.import': (given) => {
    const { snippets, cache } = current()
    const byAddress = new Map(
      cache.inboxes.all().map(({ inbox }) => [canonicalizeAddress(inbox.emailAddress), inbox.id] as const),
    )
    return snippets.importSnippets(given, (address) => byAddress.get(canonicalizeAddress(address)) ?? null)
  },
  'signature.set': ({ inboxId, html }) => current().snippets.setSignature(inboxOf(inboxId).id, html),
  'cannedReply.save': (reply) => current().snippets.save(reply),
  'cannedReply.remove': ({ id }) => current().snippets.remove(id),
})
