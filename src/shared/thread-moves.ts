import type { MoveTarget, Thread } from './model.ts'

/**
 * False for the current folder, and for moving sent threads to the inbox or spam, where sent mail doesn't belong
 * (platform.md 7.2).
 */
export const canMoveTo = ({ folder: from }: Pick<Thread, 'folder'>, folder: string): boolean =>
  folder !== from && (from !== 'sent' || (folder !== 'inbox' && folder !== 'spam'))

/** Sentences that name threads: `“Berth four”`, `3 threads`. */
export interface ThreadSentences {
  readonly done: (threads: string) => string
  readonly undone: (threads: string) => string
}

/** @returns a function that puts the threads in the place of `#` */
const sentence = (pattern: string) => (threads: string) => pattern.replace('#', () => threads)

const sentences = (todo: string, done: string, undone: string) => ({
  todo: sentence(todo),
  done: sentence(done),
  undone: sentence(undone),
})

/** Sentences for moves. `todo` is a proposal. */
export const MOVE_SENTENCES: Readonly<Record<MoveTarget, ThreadSentences & { todo: ThreadSentences['done'] }>> = {
  inbox: sentences('Move # to the inbox', 'Moved # to inbox', 'Moved # back'),
  archive: sentences('Archive #', 'Archived #', 'Restored #'),
  trash: sentences('Move # to trash', 'Moved # to trash', 'Restored #'),
  spam: sentences('Mark # as spam', 'Marked # as spam', 'Restored #'),
}
