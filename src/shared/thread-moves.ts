import type { Thread } from './model.ts'

/**
 * Whether moving a thread to a folder makes sense: never to where it is, and what you sent yourself is neither received
 * mail nor spam (contract, Thread folders).
 */
export const canMoveTo = ({ folder: from }: Pick<Thread, 'folder'>, folder: string): boolean =>
  folder !== from && (from !== 'sent' || (folder !== 'inbox' && folder !== 'spam'))
