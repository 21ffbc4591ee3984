import type { BodyOwner } from '../../shared/contract.ts'
import type { Cache } from './cache.ts'
import type { CachedEmail } from './emails.ts'

export const findThreadEmail = (cache: Pick<Cache, 'inboxes' | 'emails'>, of: BodyOwner): CachedEmail | undefined => {
  if (of.list !== 'threads') return undefined
  const key = cache.inboxes.get(of.inboxId)?.key
  return key === undefined ? undefined : cache.emails.get({ key, id: of.inboxId }, of.threadId, of.emailId)
}
