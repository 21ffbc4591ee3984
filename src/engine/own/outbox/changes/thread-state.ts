import type { ThreadStateChange } from '../../../../shared/thread-state.ts'
import type { Change, WaitingChange } from '../change.ts'
import { COMMON_RULES, describeMissing, type ChangeTypeRules, type ChangeType } from '../change-type.ts'
import { callOptionsFor, type ChangeDependencies } from './change-dependencies.ts'
import { THREAD_GONE, threadSubject, type ThreadChangeBase } from './thread-change-base.ts'

/** Folder and read state of a thread: one request changes both (platform.md 8.7). */
export const threadStateRules: ChangeTypeRules = {
  ...COMMON_RULES,
  kind: 'thread',
  owns: ({ kind, field }) => kind === 'thread' && (field === 'read' || field === 'folder'),
  batch: (_first, candidates) => candidates,
  // `sent` can't be chosen (platform.md 7.2). If the platform has already moved the thread out of `sent`, undo moves it
  // to the inbox, and the platform files it under `sent` again.
  inverse: ({ field, before }, server, isSending) =>
    field === 'folder' && before === 'sent' && (isSending || server !== 'sent') ? 'inbox' : before,
}

export const buildThreadStateOverlay = (
  waiting: readonly WaitingChange[],
): { readonly read?: boolean; readonly folder?: string } => {
  const read = waiting.find(({ field }) => field === 'read')?.wanted
  const folder = waiting.find(({ field }) => field === 'folder')?.wanted
  return { ...(read !== undefined && { read: read === 'true' }), ...(folder !== undefined && { folder }) }
}

export const createThreadStateChangeType = (
  { platform }: Pick<ChangeDependencies, 'platform'>,
  thread: ThreadChangeBase,
): ChangeType => ({
  ...threadStateRules,
  ...thread.common,
  show: thread.show,
  describeMissing: describeMissing(THREAD_GONE),
  // A local-only thread returns to its old folder: the platform's state doesn't matter.
  inverse: (made, server, isSending) => {
    const inverse = threadStateRules.inverse(made, server, isSending)
    return inverse !== made.before && thread.existsOnlyLocally(made) ? made.before : inverse
  },
  deliver: async (subject, changes, signal) => {
    const change = buildThreadStateOverlay(changes)
    const here = thread.deliverHere(subject, change)
    if (here !== null) return here
    // The thread exists on the platform again, where `sent` can't be chosen.
    const there = change.folder === 'sent' ? { ...change, folder: 'inbox' } : change
    return thread.store(
      subject,
      await platform.updateThread(subject.scope, subject.id, there, callOptionsFor(changes, signal)),
    )
  },
  findMissing: (subject, changes, signal) =>
    thread.findMissing(subject, callOptionsFor(changes, signal), () => Promise.resolve('nothing')),
})

export const buildThreadStateChanges = (
  inboxId: string,
  threadId: string,
  { read, folder }: Pick<ThreadStateChange, 'read' | 'folder'>,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    ...(read === undefined ? [] : [{ ...thread, field: 'read', wanted: String(read) }]),
    ...(folder === undefined ? [] : [{ ...thread, field: 'folder', wanted: folder }]),
  ]
}
