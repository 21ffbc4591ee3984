import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { createProblem } from '../platform/problem.ts'

export const createChangeHandlers = ({ current }: AccountAccess): DomainHandlers<'change'> => ({
  'change.undo': async ({ changeId }) => {
    const inverse = await current().outbox.undo(changeId)
    if (inverse === null) throw createProblem('not_found', 'This change is too old to undo.')
    return inverse === 'nothing' ? { undone: false } : { undone: true, changeId: inverse.changeId }
  },
  'change.cancel': async ({ changeId }) => {
    const threads = await current().outbox.cancel(changeId)
    if (threads === null)
      throw createProblem('not_found', 'This change is already done, so it can’t be cancelled. Use Undo instead.')
    return { threads }
  },
  'change.underWay': () => current().outbox.unfinished(),
})
