import { freshnessNow } from '../../../shared/freshness.ts'
import type { Freshness } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Session, Shell } from '../../kernel/session.ts'

/** What of a list its freshness hangs on. */
interface ListReading {
  /** As it was when the list was read; null before that. */
  readonly read: Freshness | null
  /** When the platform last confirmed the list, where that is told. */
  readonly toldAt: number | null
  /** Whether the platform has what the list is of. */
  readonly isThere?: boolean
  /** Why the last look at the list failed. */
  readonly failure?: Problem | undefined
}

/** How fresh a list is now: call it within a derived value, and events and time keep that true. */
export const listFreshness = (
  { clock }: Pick<Shell, 'clock'>,
  { sync }: Pick<Session, 'sync'>,
  { read, toldAt, isThere, failure }: ListReading,
): Freshness | null => {
  if (read === null) return null
  // The clock of the screens stands still between its ticks.
  const now = Math.max(clock.now, toldAt ?? 0, read.at ?? 0)
  return freshnessNow(read, toldAt, sync.status?.connection ?? 'online', now, isThere, failure ?? null)
}
