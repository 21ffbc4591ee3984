import { freshnessOf } from '../shared/freshness.ts'
import type { Freshness } from '../shared/model.ts'
import type { OpenAccount } from './account.ts'
import type { CallOptions } from './api/requests.ts'
import { problem } from './saying.ts'
import type { InboxRef } from './store/inboxes.ts'

/** What the handlers of every domain need of the account that is open. */
export interface AccountAccess {
  /** The account as it is now: it may be opened anew between two calls. */
  readonly current: () => OpenAccount
  /** How fresh something is that the platform confirmed at a time; null for never. */
  readonly freshness: (at: number | null) => Freshness
  /** The same of an inbox: of one that the platform does not have any more, nothing is live. */
  readonly inboxFreshness: (inboxId: string, at: number | null) => Freshness
  /** @throws ProblemError `not_found` */
  readonly inboxOf: (inboxId: string) => InboxRef
  /** How the platform is called for what a person waits for. */
  readonly asked: (signal?: AbortSignal) => CallOptions
}

export const createAccountAccess = (current: () => OpenAccount): AccountAccess => {
  const freshness: AccountAccess['freshness'] = (at) => {
    const account = current()
    return freshnessOf(at, account.status().connection, account.clock.now())
  }
  return {
    current,
    freshness,
    inboxFreshness: (inboxId, at) => {
      const { state } = freshness(at)
      const isThere = current().cache.inboxes.get(inboxId)?.onServer === true
      return { state: state === 'live' && !isThere ? 'cached' : state, at }
    },
    inboxOf: (inboxId) => {
      const stored = current().cache.inboxes.get(inboxId)
      if (stored === undefined) throw problem('not_found', 'This account has no such inbox.')
      return { key: stored.key, id: inboxId }
    },
    asked: (signal = current().signal) => ({ priority: 'action', signal }),
  }
}
