import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const unsubscribeHandlers = ({ current }: AccountAccess): HandlersOf<'unsubscribe'> => ({
  'unsubscribe.of': ({ of }) => current().unsubscribing.offer(of),
  'unsubscribe.post': ({ of, url }) => current().unsubscribing.post(of, url),
  'unsubscribe.begun': async ({ of, draftId }) => {
    await current().unsubscribing.begun(of, draftId)
    return null
  },
})
