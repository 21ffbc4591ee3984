import type { StateChange } from '../../../shared/thread-state.ts'
import type { Change, WaitingChange } from '../change.ts'
import type { ChangeRules, ChangeType } from '../change-type.ts'
import { asNeeded, type ChangeParts } from './change-parts.ts'
import { threadGoneWords, threadSubject, type ThreadAnswers } from './thread-answers.ts'

/** Where a thread lies, and whether it is read: one request changes both (platform facts 3.3). */
export const threadStateRules: ChangeRules = {
  owns: ({ kind, field }) => kind === 'thread' && (field === 'read' || field === 'folder'),
  valueIn: (state, field) => state.get(field),
  together: (_first, candidates) => candidates,
  // `sent` cannot be chosen (contract, "Thread folders"): once the platform has moved such a thread, the way back is the
  // inbox, and the platform files it again as it sees fit.
  inverse: ({ field, before }, server, isSending) =>
    field === 'folder' && before === 'sent' && (isSending || server !== 'sent') ? 'inbox' : before,
}

export const createThreadState = ({ platform }: Pick<ChangeParts, 'platform'>, thread: ThreadAnswers): ChangeType => ({
  ...threadStateRules,
  serverState: thread.serverState,
  look: thread.look,
  show: thread.show,
  words: thread.words,
  isGone: thread.isGone,
  staysHere: thread.staysHere,
  isDeleted: thread.isDeleted,
  goneWords: threadGoneWords('the platform does not offer it.'),
  // Of a thread that is kept here alone the way back is where it lay: the platform has no say in it.
  inverse: (made, server, isSending) =>
    thread.isOnlyHere(made) ? made.before : threadStateRules.inverse(made, server, isSending),
  deliver: async (subject, changes, signal) => {
    const read = changes.find(({ field }) => field === 'read')?.wanted
    const folder = changes.find(({ field }) => field === 'folder')?.wanted
    const change = { ...(read !== undefined && { read: read === 'true' }), ...(folder !== undefined && { folder }) }
    const here = thread.deliverHere(subject, change)
    if (here !== null) return here
    // It has come back to the platform since, where `sent` cannot be chosen.
    const there = folder === 'sent' ? { ...change, folder: 'inbox' } : change
    return thread.keep(
      subject,
      await platform.updateThread(subject.scope, subject.id, there, asNeeded(changes, signal)),
    )
  },
  inquire: (subject, changes, signal) =>
    thread.inquire(subject, asNeeded(changes, signal), () => Promise.resolve('nothing')),
})

export const threadStateChanges = (
  inboxId: string,
  threadId: string,
  { read, folder }: Pick<StateChange, 'read' | 'folder'>,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    ...(read === undefined ? [] : [{ ...thread, field: 'read', wanted: String(read) }]),
    ...(folder === undefined ? [] : [{ ...thread, field: 'folder', wanted: folder }]),
  ]
}

/** How a thread is seen with what waits of it. */
export const threadStateOverlay = (waiting: readonly WaitingChange[]): Pick<StateChange, 'read' | 'folder'> => {
  const read = waiting.find(({ field }) => field === 'read')?.wanted
  const folder = waiting.find(({ field }) => field === 'folder')?.wanted
  return { ...(read !== undefined && { read: read === 'true' }), ...(folder !== undefined && { folder }) }
}
