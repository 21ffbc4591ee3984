import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const syncHandlers = ({
  current,
}: AccountAccess): Omit<HandlersOf<'sync'>, 'sync.depth' | 'sync.setDepth'> & HandlersOf<'window'> => ({
  'sync.status': () => current().status(),
  'sync.now': async () => {
    await current().sync.now()
    return null
  },
  'window.activity': ({ activity }) => {
    current().sync.setActivity(activity)
    return null
  },
})
