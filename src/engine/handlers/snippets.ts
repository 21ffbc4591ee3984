import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'

export const createSnippetHandlers = ({
  current,
  inboxOf,
}: AccountAccess): DomainHandlers<'snippet'> & DomainHandlers<'signature'> & DomainHandlers<'cannedReply'> => ({
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
