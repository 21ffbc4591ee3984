import { updateFreshness } from '../../../shared/freshness.ts'
import type { Freshness } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Session, Shell } from '../../kernel/session.ts'

interface ListReading {
  /** Freshness when the list was read, or null before. */
  readonly read: Freshness | null
  /** Last confirmation by the platform, if known. */
  readonly confirmedAt: number | null
  /** False if the inbox or folder is gone from the platform. */
  readonly existsOnPlatform?: boolean
  /** Reason the last check failed. */
  readonly failure?: Problem | undefined
}

/** Current freshness of a list. Call inside `$derived` to follow events and time. */
export const listFreshness = (
  { clock }: Pick<Shell, 'clock'>,
  { sync }: Pick<Session, 'sync'>,
  { read, confirmedAt, existsOnPlatform, failure }: ListReading,
): Freshness | null => {
  if (read === null) return null
  // The shared clock only advances at each tick, so it can be older than these times.
  const now = Math.max(clock.now, confirmedAt ?? 0, read.at ?? 0)
  return updateFreshness(read, confirmedAt, sync.status?.connection ?? 'online', now, existsOnPlatform, failure ?? null)
}
