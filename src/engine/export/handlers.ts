import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const exportHandlers = ({ current }: AccountAccess): HandlersOf<'export'> => ({
  'export.list': () => current().exports.list(),
  'export.pause': async ({ id }) => {
    await current().exports.pause(id)
    return null
  },
  'export.resume': ({ id }) => {
    current().exports.resume(id)
    return null
  },
  'export.cancel': async ({ id }) => {
    await current().exports.cancel(id)
    return null
  },
})
