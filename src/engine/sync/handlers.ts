import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const syncHandlers = ({
  current,
}: AccountAccess): Omit<HandlersOf<'sync'>, 'sync.depth' | 'sync.setDepth'> & HandlersOf<'window'> => ({
  'sync.status': () => current().status(),
  'sync.now': async () => {
    const { sync, searches } = current()
    // A search is a list like others: who asks for what is new asks for it as well.
    searches.askAllAgain()
    await sync.now()
    return null
  },
  'window.activity': ({ activity }) => {
    current().sync.setActivity(activity)
    return null
  },
})
