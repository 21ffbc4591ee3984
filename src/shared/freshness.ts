import type { Freshness, SyncStatus } from './model.ts'
import type { Problem } from './result.ts'

/** A list is live for two polling intervals after it was last checked. */
const LIVE_MS = 60_000

/**
 * A time in the future is never live; it occurs when the clock was set back. @param at when the list was confirmed,
 * milliseconds since the epoch, or null
 */
export const toFreshness = (at: number | null, connection: SyncStatus['connection'], now: number): Freshness => {
  if (at === null) return { state: 'never', at: null }
  return { state: connection === 'online' && now >= at && now - at < LIVE_MS ? 'live' : 'cached', at }
}

/**
 * Recomputes the freshness of a list as time passes, and applies later confirmations. Without its inbox (`isThere`), or
 * after a failure, a list is not live.
 * @param confirmedAt when the platform last confirmed the list, from `sync.changed`; null if it hasn't
 */
export const updateFreshness = (
  read: Freshness,
  confirmedAt: number | null,
  connection: SyncStatus['connection'],
  now: number,
  isThere = true,
  failure: Problem | null = null,
): Freshness => {
  const isNewer = confirmedAt !== null && (read.at === null || confirmedAt > read.at)
  const { state, at } = toFreshness(isNewer ? confirmedAt : read.at, connection, now)
  const isLive = state === 'live' && isThere && failure === null
  return { state: state === 'live' && !isLive ? 'cached' : state, at, ...(failure !== null && { failure }) }
}
