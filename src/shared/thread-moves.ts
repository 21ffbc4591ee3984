import type { Thread } from './model.ts'

/** False for the current folder, and for sent mail to inbox or spam: it's neither (contract, Thread folders). */
export const canMoveTo = ({ folder: from }: Pick<Thread, 'folder'>, folder: string): boolean =>
  folder !== from && (from !== 'sent' || (folder !== 'inbox' && folder !== 'spam'))
