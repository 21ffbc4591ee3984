import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const templateHandlers = ({ current, asked }: AccountAccess): HandlersOf<'template'> => ({
  'template.list': () => current().templates.list(),
  'template.refresh': async () => {
    await current().templates.refresh(asked())
    return null
  },
  'template.get': ({ id }) => current().templates.get(id, asked()),
})
