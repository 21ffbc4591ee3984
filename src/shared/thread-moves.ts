import type { Thread } from './model.ts'

/**
 * False for the current folder, and for moving sent threads to the inbox or spam, where sent mail doesn't belong
 * (platform.md 7.2).
 */
export const canMoveTo = ({ folder: from }: Pick<Thread, 'folder'>, folder: string): boolean =>
  folder !== from && (from !== 'sent' || (folder !== 'inbox' && folder !== 'spam'))
