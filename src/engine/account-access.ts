import { toFreshness } from '../shared/freshness.ts'
import type { Freshness } from '../shared/model.ts'
import type { OpenAccount } from './account.ts'
import type { CallOptions } from './platform/requests.ts'
import { createProblem } from './platform/problem.ts'
import type { InboxRef } from './store/inboxes.ts'

/** Shared dependencies of all domains' handlers. */
export interface AccountAccess {
  /** Returns the open account. Call it each time, as the account may be reopened in between. */
  readonly current: () => OpenAccount
  /** Freshness of data that the platform confirmed at this time; null for never. */
  readonly freshness: (at: number | null) => Freshness
  /** Freshness of an inbox's data. Never live if the platform no longer has the inbox. */
  readonly inboxFreshness: (inboxId: string, at: number | null) => Freshness
  readonly inboxOf: (inboxId: string) => InboxRef
  /** Call options for requests that the user is waiting for. */
  readonly callOptions: (signal?: AbortSignal) => CallOptions
}

export const createAccountAccess = (current: () => OpenAccount): AccountAccess => {
  const freshness: AccountAccess['freshness'] = (at) => {
    const account = current()
    return toFreshness(at, account.connection(), account.clock.now())
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
      if (stored === undefined) throw createProblem('not_found', 'This account has no such inbox.')
      return { key: stored.key, id: inboxId }
    },
    callOptions: (signal = current().signal) => ({ priority: 'action', signal }),
  }
}
