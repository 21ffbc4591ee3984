import type { Confirmations, ListFailures, SyncStatus } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import { ALL_INBOXES } from './unified-ids.ts'
import type { OpenAccounts } from './open-accounts.ts'
import { mapResult, sum } from './results.ts'

const oldest = (times: readonly (number | null)[]): number | null =>
  times.length === 0 || times.includes(null) ? null : Math.min(...times.filter((time) => time !== null))

const latest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** Combines the accounts' list failures. One stale list makes the combined list stale. */
const joinFailures = (all: readonly SyncStatus[]): ListFailures | undefined => {
  const failures = all.flatMap((status) => status.failures ?? [])
  if (failures.length === 0) return undefined
  const [threads] = failures.flatMap((each) => Object.values(each.threads))
  return failures.reduce((joined, each) => ({ ...each, ...joined }), {
    threads: threads === undefined ? {} : { [ALL_INBOXES]: threads },
  })
}

/**
 * Sync status of all accounts: as fresh as the stalest, online if any is. An account's own problems appear next to its
 * name.
 */
export const mergeSyncStatus = (all: readonly SyncStatus[]): SyncStatus => {
  const working = all.flatMap(({ progress }) => (progress === null ? [] : [progress]))
  const confirmed = (list: Exclude<keyof Confirmations, 'threads'>): number | null =>
    oldest(all.map(({ confirmedAt }) => confirmedAt[list]))
  const failures = joinFailures(all)
  const signInPage = all.find((status) => status.signInPage !== undefined)?.signInPage
  const proxyNeedingLogin = all.find((status) => status.proxyNeedingLogin !== undefined)?.proxyNeedingLogin
  return {
    ...(failures !== undefined && { failures }),
    ...(signInPage !== undefined && { signInPage }),
    ...(proxyNeedingLogin !== undefined && { proxyNeedingLogin }),
    connection: all.some(({ connection }) => connection === 'online') ? 'online' : (all[0]?.connection ?? 'offline'),
    progress:
      working.length === 0
        ? null
        : {
            done: sum(working.map(({ done }) => done)),
            total: sum(working.map(({ total }) => total)),
          },
    lastSyncAt: oldest(all.map(({ lastSyncAt }) => lastSyncAt)),
    pendingChanges: sum(all.map(({ pendingChanges }) => pendingChanges)),
    problem: all.find(({ problem }) => problem !== null)?.problem ?? null,
    confirmedAt: {
      inboxes: confirmed('inboxes'),
      received: confirmed('received'),
      sent: confirmed('sent'),
      contacts: confirmed('contacts'),
      threads: { [ALL_INBOXES]: oldest(all.flatMap(({ confirmedAt }) => Object.values(confirmedAt.threads))) },
    },
    waitingUntil: latest(all.map(({ waitingUntil }) => waitingUntil)),
  }
}

export class UnifiedSync {
  readonly #accounts: OpenAccounts
  readonly #last = new Map<string, SyncStatus>()

  constructor(accounts: OpenAccounts) {
    this.#accounts = accounts
  }

  async read(): Promise<Result<SyncStatus>> {
    const any = await this.#accounts.gather(async (account, accountId) => {
      const result = await account.call('sync.status', {})
      if (result.ok) this.#last.set(accountId, result.data)
      return result
    })
    return mapResult(any, mergeSyncStatus)
  }

  changed(accountId: string, status: SyncStatus): SyncStatus {
    this.#last.set(accountId, status)
    return mergeSyncStatus(this.#accounts.ids().flatMap((id) => this.#last.get(id) ?? []))
  }
}
