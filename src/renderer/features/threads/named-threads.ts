import type { Thread } from '../../../shared/model.ts'
import { countOf } from '../../ui/format-quantity.ts'
import { subjectOf } from './correspondent.ts'

/** Of a subject that is too long for a sentence about it. */
const BEGINNING = /^(.{58}).{3}/su

/** A subject within a sentence: `“Berth four”`. */
export const quotedSubject = (subject: string | null): string => {
  const text = subjectOf(subject)
  const beginning = BEGINNING.exec(text)?.[1]
  return beginning === undefined ? `“${text}”` : `“${beginning.trimEnd()}…”`
}

/** Threads within a sentence: one by its subject, several by how many there are. */
export const namedThreads = (threads: readonly Thread[], count: number): string => {
  const [only] = threads
  return count === 1 && threads.length === 1 && only !== undefined
    ? quotedSubject(only.subject)
    : countOf(count, 'thread')
}
