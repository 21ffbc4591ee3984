import type { SyncStatus } from '../../shared/model.ts'
import { formatAgo, formatTimeWithSeconds, type DateStyle } from '../ui/format-date.ts'
import { formatCount, formatNumber } from '../ui/format-quantity.ts'
import type { ConnectedAccount } from '../../shared/contract.ts'
import type { PartCrashes } from '../../shared/run-state.ts'

export interface SyncSummary {
  readonly tone: 'online' | 'busy' | 'offline'
  /** `Online`, `Offline`, `Syncing 1,240 of 5,000`. */
  readonly connection: string
  readonly facts: readonly string[]
  readonly problem: string | null
}

const hasKeyProblem = ({ connection }: SyncStatus): boolean => connection === 'needsKey' || connection === 'refused'

const describeConnection = (status: SyncStatus, isChecking: boolean): Pick<SyncSummary, 'tone' | 'connection'> => {
  if (isChecking && status.progress === null && !hasKeyProblem(status)) {
    return { tone: 'busy', connection: 'Checking for new mail…' }
  }
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

/**
 * The status line's text. During sync, its progress replaces the time of the last sync.
 * @param isChecking true until a check that the user asked for is answered
 */
export const describeSync = (status: SyncStatus, now: number, style: DateStyle, isChecking = false): SyncSummary => ({
  ...describeConnection(status, isChecking),
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

interface KeyProblem {
  readonly words: string
  /** Label of the button, or null if the user can only wait. */
  readonly action: string | null
}

export const describeKeyProblem = (
  { connection, problem }: Pick<SyncStatus, 'connection' | 'problem'>,
  account: Pick<ConnectedAccount, 'isKeyTested' | 'isSignedIn' | 'problem'>,
): KeyProblem | null => {
  if (connection === 'needsKey') {
    return { words: account.problem?.message ?? 'Sign in or enter an API key to sync.', action: 'Connect' }
  }
  if (connection === 'refused') {
    return account.isSignedIn
      ? { words: problem ?? 'You were signed out.', action: 'Sign in again' }
      : { words: problem ?? 'The platform does not accept this API key.', action: 'Enter a new key' }
  }
  if (connection === 'offline' && !account.isKeyTested) {
    return { words: 'Your API key has not been verified yet: the platform cannot be reached.', action: null }
  }
  return null
}

const PARTS = { window: 'The window', engine: 'The mail engine' } as const

export const describeCrash = ({ part, count, isOutOfMemory, isRestarted }: PartCrashes): string => {
  const often = count === 1 ? '' : count === 2 ? ' twice' : ` ${count} times`
  const why = isOutOfMemory ? ' (out of memory)' : ''
  const then = isRestarted ? 'and is running again' : 'and was not restarted because it keeps crashing'
  return `${PARTS[part]} crashed${often}${why} ${then}. Nothing is lost.`
}

/** Smaller syncs finish before they could be announced. */
const MIN_ITEMS = 50
/** Minimum milliseconds between two announcements that sync has started. */
const MIN_INTERVAL_MS = 60_000

const CONNECTIONS: Readonly<Record<SyncStatus['connection'], string>> = {
  online: 'Online again.',
  offline: 'You are offline.',
  refused: 'The platform refused the sign-in.',
  needsKey: 'Not signed in.',
}

/** Announces the start and end of a long sync, connection changes and problems. Numbers stay in the status line. */
export class SyncAnnouncer {
  #before: SyncStatus | null = null
  #isLong = false
  #startedAt = -Infinity

  /** Returns the sentence to announce, or null. @param now milliseconds of a monotonic clock */
  next(status: SyncStatus, now: number): string | null {
    const before = this.#before
    this.#before = status
    const isOther = before !== null && before.connection !== status.connection
    if (isOther || (before === null && status.connection !== 'online')) {
      const why = status.connection === 'offline' && status.problem !== null ? ` ${status.problem}` : ''
      return `${CONNECTIONS[status.connection]}${why}`
    }
    if (status.problem !== null && status.problem !== before?.problem) return status.problem
    const left = status.progress === null ? 0 : status.progress.total - status.progress.done
    if (!this.#isLong && left >= MIN_ITEMS && now - this.#startedAt >= MIN_INTERVAL_MS) {
      this.#isLong = true
      this.#startedAt = now
      return `Downloading ${formatNumber(left)} items.`
    }
    if (this.#isLong && status.progress === null) {
      this.#isLong = false
      return 'All mail has been downloaded.'
    }
    return null
  }
}
