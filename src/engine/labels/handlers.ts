import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const labelHandlers = ({ current, inboxOf }: AccountAccess): HandlersOf<'label'> => ({
  'label.list': ({ inboxId }) => current().cache.labels.all(inboxOf(inboxId).key),
})
