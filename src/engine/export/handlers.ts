import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const exportHandlers = ({ current }: AccountAccess): HandlersOf<'export'> => ({
  'export.list': () => current().exports.list(),
  'export.restart': ({ id }) => {
    current().exports.restart(id)
    return null
  },
  'export.cancel': async ({ id }) => {
    await current().exports.cancel(id)
    return null
  },
})
