import type { SyncStatus } from '../../shared/model.ts'
import { formatAgo, formatTimeWithSeconds, type DateStyle } from '../ui/format-date.ts'
import { formatCount, formatNumber } from '../ui/format-quantity.ts'

export interface SyncSummary {
  readonly tone: 'online' | 'busy' | 'offline'
  /** `Online`, `Offline`, `Syncing 1,240 of 5,000`. */
  readonly connection: string
  readonly facts: readonly string[]
  readonly problem: string | null
}

const hasKeyProblem = ({ connection }: SyncStatus): boolean => connection === 'needsKey' || connection === 'refused'

const describeConnection = (status: SyncStatus): Pick<SyncSummary, 'tone' | 'connection'> => {
  if (status.connection === 'offline') return { tone: 'offline', connection: 'Offline' }
  if (status.connection === 'needsKey') return { tone: 'offline', connection: 'Not signed in' }
  if (status.connection === 'refused') return { tone: 'offline', connection: 'Sign-in refused' }
  if (status.progress !== null) {
    const { done, total } = status.progress
    return { tone: 'busy', connection: `Syncing ${formatNumber(done)} of ${formatNumber(total)}` }
  }
  return { tone: 'online', connection: 'Online' }
}

const describeLastSync = ({ lastSyncAt }: SyncStatus, now: number, style: DateStyle): string =>
  lastSyncAt === null ? 'Not synced yet' : `Synced ${formatAgo(lastSyncAt, now, style)}`

/** The status line's text. During sync, its progress replaces the time of the last sync. */
export const describeSync = (status: SyncStatus, now: number, style: DateStyle): SyncSummary => ({
  ...describeConnection(status),
  facts: [
    ...(status.connection === 'online' && status.progress !== null ? [] : [describeLastSync(status, now, style)]),
    ...(status.waitingUntil === null
      ? []
      : [`Waiting for the platform until ${formatTimeWithSeconds(status.waitingUntil, style)}`]),
    ...(status.pendingChanges === 0 ? [] : [`${formatCount(status.pendingChanges, 'change')} waiting to be sent`]),
  ],
  // A missing or rejected key has its own banner with the reason and the remedy.
  problem: hasKeyProblem(status) ? null : status.problem,
})
