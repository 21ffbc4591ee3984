import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const usageHandlers = ({ current }: AccountAccess): HandlersOf<'usage'> => ({
  'usage.get': ({ maxAge, patience }) => current().usage.get({ maxAge, patience }),
})
