import type { Thread } from '../../../shared/model.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { formatSubject } from './correspondent.ts'

const BEGINNING = /^(.{58}).{3}/su

/** Beginning of a text, short enough to leave room for the rest of a sentence. */
export const shorten = (text: string): string => {
  const beginning = BEGINNING.exec(text)?.[1]
  return beginning === undefined ? text : `${beginning.trimEnd()}…`
}

/** Subject for use in a sentence: `“Berth four”`. */
export const quoteSubject = (subject: string | null): string => `“${shorten(formatSubject(subject))}”`

/** Names one thread by its subject, several by their number. */
export const describeThreads = (threads: readonly Thread[], count: number): string => {
  const [only] = threads
  return count === 1 && threads.length === 1 && only !== undefined
    ? quoteSubject(only.subject)
    : formatCount(count, 'thread')
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Days until the platform deletes a thread from the trash (platform.md 7.3). */
const RETENTION_DAYS = 30

/**
 * Time left before the platform deletes a thread from the trash; null outside the trash or if unknown. The platform
 * can't delete local-only mail, and it doesn't report when a thread entered the trash. The thread may have been there
 * before it was first seen here, never after, so the time left is an upper bound.
 */
export const describeTrashTimeLeft = (
  { folder, trashedAt, onServer }: Pick<Thread, 'folder' | 'trashedAt' | 'onServer'>,
  now: number,
): string | null => {
  if (folder !== 'trash' || trashedAt === undefined || !onServer) return null
  const left = RETENTION_DAYS - Math.floor(Math.max(0, now - trashedAt) / DAY_MS)
  return left <= 1 ? 'deleted within a day' : `deleted within ${formatCount(left, 'day')}`
}
