/** Changes that a user can make to a thread, and their effects. Windows and the engine apply the same rules. */
import type { ThreadChange } from './model.ts'
import { listThreadMarks, NO_THREAD_MARKS, SNOOZED_FOLDER, type ThreadMarks } from './thread-marks.ts'

export interface ThreadState {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly marks?: ThreadMarks | undefined
}

/** A change by the user, a change being sent to the platform, or the reverse of a change, which may name any folder. */
export interface ThreadStateChange extends Omit<ThreadChange, 'folder'> {
  readonly folder?: string | undefined
}

/** Marks after a change. Moving a thread ends its snooze and clears `back`. */
const changedMarks = (
  marks: ThreadMarks,
  { folder, star, mute, snoozedUntil, remindAt }: ThreadStateChange,
): ThreadMarks => {
  const isDealtWith = folder !== undefined || typeof snoozedUntil === 'number'
  return {
    isStarred: star ?? marks.isStarred,
    // Moving a thread back to the inbox unmutes it.
    isMuted: mute ?? (marks.isMuted && folder !== 'inbox'),
    snoozedUntil: snoozedUntil !== undefined ? snoozedUntil : folder === undefined ? marks.snoozedUntil : null,
    remindAt: remindAt === undefined ? marks.remindAt : remindAt,
    back: isDealtWith ? null : marks.back,
  }
}

/** Adds side effects to a change: muting a thread moves it out of the inbox, or keeps it from returning there. */
export const withSideEffects = (state: Pick<ThreadState, 'folder'>, change: ThreadStateChange): ThreadStateChange =>
  change.mute === true && change.folder === undefined && (state.folder === 'inbox' || state.folder === SNOOZED_FOLDER)
    ? { ...change, folder: 'archive' }
    : change

/** Folder that shows the thread after a change. Snoozing moves the thread to the local folder for snoozed threads. */
const changedFolder = (folder: string, change: ThreadStateChange): string => {
  if (typeof change.snoozedUntil === 'number') return SNOOZED_FOLDER
  if (change.folder !== undefined) return change.folder
  return change.snoozedUntil === null && folder === SNOOZED_FOLDER ? 'inbox' : folder
}

/** The state of a thread after a change. Existing labels keep their order. */
export const applyStateChange = <State extends ThreadState>(state: State, wanted: ThreadStateChange): State => {
  const change = withSideEffects(state, wanted)
  const { read, addLabels = [], removeLabels = [] } = change
  const marks = changedMarks(state.marks ?? NO_THREAD_MARKS, change)
  return {
    ...state,
    ...((state.marks !== undefined || listThreadMarks(marks).length > 0) && { marks }),
    folder: changedFolder(state.folder, change),
    read: read ?? state.read,
    labelIds: [
      ...state.labelIds.filter((id) => !removeLabels.includes(id) || addLabels.includes(id)),
      ...addLabels.filter((id) => !state.labelIds.includes(id)),
    ],
  }
}

export const isChangedBy = (state: ThreadState, change: ThreadStateChange): boolean => {
  const { folder, read, labelIds, marks = NO_THREAD_MARKS } = applyStateChange(state, change)
  return (
    folder !== state.folder ||
    read !== state.read ||
    labelIds.join() !== state.labelIds.join() ||
    JSON.stringify(marks) !== JSON.stringify({ ...NO_THREAD_MARKS, ...state.marks })
  )
}

const reverseOfMarks = (marks: ThreadMarks, folder: string, change: ThreadStateChange): ThreadStateChange => ({
  star: change.star === undefined ? undefined : marks.isStarred,
  mute: change.mute === undefined ? undefined : marks.isMuted,
  remindAt: change.remindAt === undefined ? undefined : marks.remindAt,
  snoozedUntil: change.snoozedUntil === undefined && folder !== SNOOZED_FOLDER ? undefined : marks.snoozedUntil,
})

export const reverseStateChange = (state: ThreadState, change: ThreadStateChange): ThreadStateChange => ({
  read: change.read === undefined ? undefined : state.read,
  folder:
    withSideEffects(state, change).folder === undefined || state.folder === SNOOZED_FOLDER ? undefined : state.folder,
  addLabels: change.removeLabels?.filter((id) => state.labelIds.includes(id)),
  removeLabels: change.addLabels?.filter((id) => !state.labelIds.includes(id)),
  ...reverseOfMarks(state.marks ?? NO_THREAD_MARKS, state.folder, change),
})

export const getListTime = ({
  receivedAt,
  listedAt = receivedAt,
}: {
  readonly receivedAt: number
  readonly listedAt?: number | undefined
}): number => listedAt

/** True for folders that are shown only if a query names them (platform.md 9.12). */
export const isSpamOrTrash = (folder: string): boolean => folder === 'spam' || folder === 'trash'

/**
 * True if the sent list shows a thread: one of its e-mails was sent, and it isn't in spam or trash, which are shown
 * only if a query names them (platform.md 9.12 and 8.5).
 */
export const isInSent = (folder: string, hasOutbound: boolean): boolean => hasOutbound && !isSpamOrTrash(folder)
