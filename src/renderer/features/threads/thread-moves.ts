import type { MoveTarget, Thread } from '../../../shared/model.ts'

/** A folder that a thread can be moved to, in the words of its button and of what is said afterwards. */
export interface ThreadMove {
  readonly folder: MoveTarget
  readonly label: string
  readonly said: string
}

const MOVES: readonly ThreadMove[] = [
  { folder: 'inbox', label: 'Move to inbox', said: 'Moved to inbox.' },
  { folder: 'archive', label: 'Archive', said: 'Archived.' },
  { folder: 'trash', label: 'Move to trash', said: 'Moved to trash.' },
  { folder: 'spam', label: 'Mark as spam', said: 'Marked as spam.' },
]

/**
 * The moves that make sense for a thread: never to where it is, and what you sent yourself is neither received mail nor
 * spam (contract, Thread folders).
 */
export const movesOf = ({ folder }: Thread): readonly ThreadMove[] =>
  MOVES.filter((move) => move.folder !== folder && (folder !== 'sent' || !['inbox', 'spam'].includes(move.folder)))
