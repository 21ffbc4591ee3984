import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import type { ViewerActivity } from '../sync/viewer-activity.ts'

export const createSyncHandlers = (
  { current }: AccountAccess,
  watchers: Pick<ViewerActivity, 'see'>,
): DomainHandlers<'sync'> & DomainHandlers<'window'> => ({
  'sync.status': () => current().status(),
  'sync.now': async () => {
    const { sync, searches } = current()
    // Like other lists, searches are refreshed too.
    searches.invalidateAll()
    await sync.now()
  },
  'window.activity': ({ activity }, { caller }) => watchers.see(caller, activity),
})
