import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const problemHandlers = ({ current }: AccountAccess): HandlersOf<'problem'> => ({
  'problem.list': () => current().problems.list(),
  'problem.dismiss': ({ id }) => {
    current().problems.clear(id)
    return null
  },
})
