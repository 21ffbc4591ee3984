import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { canonicalAddress } from '../store/canonical-address.ts'

export const snippetHandlers = ({
  current,
  inboxOf,
}: AccountAccess): HandlersOf<'snippet'> & HandlersOf<'signature'> & HandlersOf<'cannedReply'> => ({
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
      cache.inboxes.all().map(({ inbox }) => [canonicalAddress(inbox.emailAddress), inbox.id] as const),
    )
    return snippets.importSnippets(given, (address) => byAddress.get(canonicalAddress(address)) ?? null)
  },
  'signature.set': ({ inboxId, html }) => current().snippets.setSignature(inboxOf(inboxId).id, html),
  'cannedReply.save': (reply) => current().snippets.save(reply),
  'cannedReply.remove': ({ id }) => current().snippets.remove(id),
})
