import type { Freshness, SyncStatus } from './model.ts'
import type { Problem } from './result.ts'

/** A list is live while the last look at it is not older than two looks. */
const LIVE_MS = 60_000

/**
 * How fresh something is that the platform confirmed at a time. A time in the future, after the clock was put back, says
 * nothing.
 * @param at milliseconds since the epoch; null for never
 */
export const freshnessOf = (at: number | null, connection: SyncStatus['connection'], now: number): Freshness => {
  if (at === null) return { state: 'never', at: null }
  return { state: connection === 'online' && now >= at && now - at < LIVE_MS ? 'live' : 'cached', at }
}

/**
 * How fresh a list is now that was read a while ago: it ages, and it is confirmed again without being read again. How
 * fresh it was when it was read says nothing about now.
 * @param confirmedAt when the platform last confirmed the list, as `sync.changed` tells; null where it does not
 * @param isThere whether the platform still has what the list is of: of an inbox that is gone nothing is live
 * @param failure why the last look at it failed: what cannot be looked at is not live, however lately it was
 */
export const freshnessNow = (
  read: Freshness,
  confirmedAt: number | null,
  connection: SyncStatus['connection'],
  now: number,
  isThere = true,
  failure: Problem | null = null,
): Freshness => {
  const isNewer = confirmedAt !== null && (read.at === null || confirmedAt > read.at)
  const { state, at } = freshnessOf(isNewer ? confirmedAt : read.at, connection, now)
  const isLive = state === 'live' && isThere && failure === null
  return { state: state === 'live' && !isLive ? 'cached' : state, at, ...(failure !== null && { failure }) }
}
