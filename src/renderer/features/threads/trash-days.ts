import type { Thread } from '../../../shared/model.ts'
import { countOf } from '../../ui/format-quantity.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The platform deletes a thread so many days after it came to the trash (contract, Thread folders). */
const KEPT_DAYS = 30

/**
 * How long a thread in the trash is still there, in words; null elsewhere, or where that is not known. The platform does
 * has no hold of what is kept here alone, and does not say when a thread came there: it may have been longer ago than this computer has seen it there, and never later.
 */
export const trashWords = (
  { folder, trashedAt, onServer }: Pick<Thread, 'folder' | 'trashedAt' | 'onServer'>,
  now: number,
): string | null => {
  if (folder !== 'trash' || trashedAt === undefined || !onServer) return null
  const left = KEPT_DAYS - Math.floor(Math.max(0, now - trashedAt) / DAY_MS)
  return left <= 1 ? 'deleted within a day' : `deleted within ${countOf(left, 'day')}`
}
