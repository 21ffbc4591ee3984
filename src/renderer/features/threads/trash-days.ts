import type { Thread } from '../../../shared/model.ts'
import { countOf } from '../../ui/format-quantity.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Days until the platform deletes a thread from the trash (contract, Thread folders). */
const KEPT_DAYS = 30

/**
 * Time left for a thread in the trash; null elsewhere or if unknown. The platform can't delete local-only mail and
 * doesn't report when a thread entered the trash: it may be earlier than first seen here, never later.
 */
export const describeTrashAge = (
  { folder, trashedAt, onServer }: Pick<Thread, 'folder' | 'trashedAt' | 'onServer'>,
  now: number,
): string | null => {
  if (folder !== 'trash' || trashedAt === undefined || !onServer) return null
  const left = KEPT_DAYS - Math.floor(Math.max(0, now - trashedAt) / DAY_MS)
  return left <= 1 ? 'deleted within a day' : `deleted within ${countOf(left, 'day')}`
}
