import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { saying } from '../saying.ts'

export const shareLinkHandlers = ({ current, asked }: AccountAccess): HandlersOf<'shareLink'> => ({
  'shareLink.create': async ({ emailId, expiresIn }) => {
    try {
      return await current().platform.createShareLink(emailId, expiresIn, asked())
    } catch (thrown) {
      throw saying(thrown, {
        unreachable: 'You are offline. Go online to create a share link.',
        not_found: 'The platform does not have this e-mail any more, so it cannot be shared.',
      })
    }
  },
})
