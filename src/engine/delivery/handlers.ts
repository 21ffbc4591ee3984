import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const deliveryHandlers = ({ current, inboxOf }: AccountAccess): HandlersOf<'delivery'> => ({
  'delivery.ofThread': ({ inboxId, threadId, mayAsk }) =>
    current().deliveries.ofThread(inboxOf(inboxId).id, threadId, mayAsk),
})
