import type { SyncStatus } from '../../shared/model.ts'
import { formatNumber } from '../ui/format-quantity.ts'

/** Fewer than this are here before they could be spoken of. */
const MANY = 50
/** Milliseconds between two announcements that sync has begun. */
const REST = 60_000

const CONNECTIONS: Readonly<Record<SyncStatus['connection'], string>> = {
  online: 'Online again.',
  offline: 'You are offline.',
  refused: 'The platform refuses the sign-in.',
  needsKey: 'Not signed in.',
}

/**
 * What a person who listens is told of sync: that it has begun and ended where it is long, that the connection has
 * changed, and what went wrong. The numbers on the status line are theirs to ask for.
 */
export class SyncMilestones {
  #before: SyncStatus | null = null
  #isLong = false
  #begunAt = -Infinity

  /**
   * @param now milliseconds on any clock that only grows
   * @returns the sentence to say; null for the many steps in between
   */
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
    if (!this.#isLong && left >= MANY && now - this.#begunAt >= REST) {
      this.#isLong = true
      this.#begunAt = now
      return `Downloading ${formatNumber(left)} items.`
    }
    if (this.#isLong && status.progress === null) {
      this.#isLong = false
      return 'All mail is here.'
    }
    return null
  }
}
