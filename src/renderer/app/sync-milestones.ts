import type { SyncStatus } from '../../shared/model.ts'
import { formatNumber } from '../ui/format-quantity.ts'

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
