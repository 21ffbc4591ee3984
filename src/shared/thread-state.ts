/** What a person can change of a thread, and what a change makes of it: the same rules before and behind the contract. */
import { marksOf, NO_MARKS, SNOOZED, type ThreadMarks } from './thread-marks.ts'

export interface ThreadState {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  /** Left out for none. */
  readonly marks?: ThreadMarks | undefined
}

/** A change of that state: a person's, or one on its way to the platform, or the reverse of one, which may name any folder. */
export interface StateChange {
  readonly folder?: string | undefined
  readonly read?: boolean | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
  readonly star?: boolean | undefined
  readonly mute?: boolean | undefined
  /** Milliseconds since the epoch; null ends it. */
  readonly snoozedUntil?: number | null | undefined
  /** When the thread comes back unless somebody answers; null for never. */
  readonly remindAt?: number | null | undefined
}

/** The marks after a change. Whoever moves a thread has dealt with it: it is snoozed no more, and not back. */
const changedMarks = (marks: ThreadMarks, { folder, star, mute, snoozedUntil, remindAt }: StateChange): ThreadMarks => {
  const isDealtWith = folder !== undefined || typeof snoozedUntil === 'number'
  return {
    isStarred: star ?? marks.isStarred,
    // Whoever fetches a thread back into the inbox wants to hear of it.
    isMuted: mute ?? (marks.isMuted && folder !== 'inbox'),
    snoozedUntil: snoozedUntil !== undefined ? snoozedUntil : folder === undefined ? marks.snoozedUntil : null,
    remindAt: remindAt === undefined ? marks.remindAt : remindAt,
    back: isDealtWith ? null : marks.back,
  }
}

/** What a change does besides: a thread that is muted leaves the inbox, or does not come back to it. */
export const withConsequences = (state: Pick<ThreadState, 'folder'>, change: StateChange): StateChange =>
  change.mute === true && change.folder === undefined && (state.folder === 'inbox' || state.folder === SNOOZED)
    ? { ...change, folder: 'archive' }
    : change

/** Where a thread is seen after a change: a snoozed one is out of sight. */
const changedFolder = (folder: string, change: StateChange): string => {
  if (typeof change.snoozedUntil === 'number') return SNOOZED
  if (change.folder !== undefined) return change.folder
  return change.snoozedUntil === null && folder === SNOOZED ? 'inbox' : folder
}

/** The state after a change. Labels that were there keep their places. */
export const changedState = <State extends ThreadState>(state: State, wanted: StateChange): State => {
  const change = withConsequences(state, wanted)
  const { read, addLabels = [], removeLabels = [] } = change
  const marks = changedMarks(state.marks ?? NO_MARKS, change)
  return {
    ...state,
    ...((state.marks !== undefined || marksOf(marks).length > 0) && { marks }),
    folder: changedFolder(state.folder, change),
    read: read ?? state.read,
    labelIds: [
      ...state.labelIds.filter((id) => !removeLabels.includes(id) || addLabels.includes(id)),
      ...addLabels.filter((id) => !state.labelIds.includes(id)),
    ],
  }
}

/** Whether a change makes any difference to a thread. */
export const isChangedBy = (state: ThreadState, change: StateChange): boolean => {
  const { folder, read, labelIds, marks = NO_MARKS } = changedState(state, change)
  return (
    folder !== state.folder ||
    read !== state.read ||
    labelIds.join() !== state.labelIds.join() ||
    JSON.stringify(marks) !== JSON.stringify({ ...NO_MARKS, ...state.marks })
  )
}

const reverseOfMarks = (marks: ThreadMarks, folder: string, change: StateChange): StateChange => ({
  star: change.star === undefined ? undefined : marks.isStarred,
  mute: change.mute === undefined ? undefined : marks.isMuted,
  remindAt: change.remindAt === undefined ? undefined : marks.remindAt,
  snoozedUntil: change.snoozedUntil === undefined && folder !== SNOOZED ? undefined : marks.snoozedUntil,
})

export const reverseOf = (state: ThreadState, change: StateChange): StateChange => ({
  read: change.read === undefined ? undefined : state.read,
  folder: withConsequences(state, change).folder === undefined || state.folder === SNOOZED ? undefined : state.folder,
  addLabels: change.removeLabels?.filter((id) => state.labelIds.includes(id)),
  removeLabels: change.addLabels?.filter((id) => !state.labelIds.includes(id)),
  ...reverseOfMarks(state.marks ?? NO_MARKS, state.folder, change),
})

/** By which a list has a thread. */
export const listTimeOf = ({
  receivedAt,
  listedAt = receivedAt,
}: {
  readonly receivedAt: number
  readonly listedAt?: number | undefined
}): number => listedAt

/** Folders that are shown only when they are named (contract, Search threads, `folders`). */
export const isPutAway = (folder: string): boolean => folder === 'spam' || folder === 'trash'

/**
 * Whether the list of sent threads holds a thread: one of its e-mails was sent, and it does not lie in spam or trash,
 * which are shown only when they are named (contract, "folders"; platform facts 3.2).
 */
export const isInSent = (folder: string, hasOutbound: boolean): boolean => hasOutbound && !isPutAway(folder)
