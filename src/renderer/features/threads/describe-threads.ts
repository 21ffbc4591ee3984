import type { Thread } from '../../../shared/model.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { formatSubject } from './correspondent.ts'

const BEGINNING = /^(.{58}).{3}/su

/** Subject for use in a sentence: `“Berth four”`. */
export const quoteSubject = (subject: string | null): string => {
  const text = formatSubject(subject)
  const beginning = BEGINNING.exec(text)?.[1]
  return beginning === undefined ? `“${text}”` : `“${beginning.trimEnd()}…”`
}

/** Names one thread by its subject, several by their number. */
export const describeThreads = (threads: readonly Thread[], count: number): string => {
  const [only] = threads
  return count === 1 && threads.length === 1 && only !== undefined
    ? quoteSubject(only.subject)
    : formatCount(count, 'thread')
}
