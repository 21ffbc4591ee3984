import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem } from '../saying.ts'

export const changeHandlers = ({ current }: AccountAccess): HandlersOf<'change'> => ({
  'change.undo': ({ changeId }) => {
    const inverse = current().outbox.undo(changeId)
    if (inverse === null) throw problem('not_found', 'This change is too long ago to be undone.')
    return inverse === 'nothing' ? { undone: false } : { undone: true, changeId: inverse.changeId }
  },
})
