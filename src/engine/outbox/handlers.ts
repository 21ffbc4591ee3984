import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem } from '../saying.ts'

export const changeHandlers = ({ current }: AccountAccess): HandlersOf<'change'> => ({
  'change.undo': ({ changeId }) => {
    const undone = current().outbox.undo(changeId)
    if (undone === null) throw problem('not_found', 'This change is too long ago to be undone.')
    return { undone }
  },
})
