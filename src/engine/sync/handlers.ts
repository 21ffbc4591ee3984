import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import type { ViewerActivity } from './viewer-activity.ts'

export const syncHandlers = (
  { current }: AccountAccess,
  watchers: Pick<ViewerActivity, 'see'>,
): HandlersOf<'sync'> & HandlersOf<'window'> => ({
  'sync.status': () => current().status(),
  'sync.now': async () => {
    const { sync, searches } = current()
    // Like other lists, searches are refreshed too.
    searches.invalidateAll()
    await sync.now()
  },
  'window.activity': ({ activity }, { caller }) => watchers.see(caller, activity),
})
