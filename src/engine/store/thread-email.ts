import type { BodyOwner } from '../../shared/contract.ts'
import type { Cache } from './cache.ts'
import type { CachedEmail } from './emails.ts'

export const findThreadEmail = (cache: Pick<Cache, 'inboxes' | 'emails'>, of: BodyOwner): CachedEmail | undefined => {
  if (of.list !== 'threads') return undefined
  const inbox = cache.inboxes.get(of.inboxId)
  return inbox && cache.emails.get(inbox, of.threadId, of.emailId)
}
