import type { BodyOwner } from '../../shared/contract.ts'
import type { Cache } from './cache.ts'
import type { KeptEmail } from './emails.ts'

/** The cached e-mail of a thread that is meant; undefined where it is not here, and for an e-mail of another list. */
export const threadEmailOf = (cache: Pick<Cache, 'inboxes' | 'emails'>, of: BodyOwner): KeptEmail | undefined => {
  if (of.list !== 'threads') return undefined
  const key = cache.inboxes.get(of.inboxId)?.key
  return key === undefined ? undefined : cache.emails.get({ key, id: of.inboxId }, of.threadId, of.emailId)
}
