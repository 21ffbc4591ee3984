/** What a person can change of a thread, and what a change makes of it: the same rules before and behind the contract. */

export interface ThreadState {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
}

/** A change of that state: a person's, or one on its way to the platform, or the reverse of one, which may name any folder. */
export interface StateChange {
  readonly folder?: string | undefined
  readonly read?: boolean | undefined
  readonly addLabels?: readonly string[] | undefined
  readonly removeLabels?: readonly string[] | undefined
}

/** The state after a change. Labels that were there keep their places. */
export const changedState = <State extends ThreadState>(
  state: State,
  { folder, read, addLabels = [], removeLabels = [] }: StateChange,
): State => ({
  ...state,
  folder: folder ?? state.folder,
  read: read ?? state.read,
  labelIds: [
    ...state.labelIds.filter((id) => !removeLabels.includes(id) || addLabels.includes(id)),
    ...addLabels.filter((id) => !state.labelIds.includes(id)),
  ],
})

/** Whether a change makes any difference to a thread. */
export const isChangedBy = (state: ThreadState, change: StateChange): boolean => {
  const { folder, read, labelIds } = changedState(state, change)
  return folder !== state.folder || read !== state.read || labelIds.join() !== state.labelIds.join()
}

/** The change that brings a thread back to the state that it is in now. */
export const reverseOf = (state: ThreadState, change: StateChange): StateChange => ({
  read: change.read === undefined ? undefined : state.read,
  folder: change.folder === undefined ? undefined : state.folder,
  addLabels: change.removeLabels?.filter((id) => state.labelIds.includes(id)),
  removeLabels: change.addLabels?.filter((id) => !state.labelIds.includes(id)),
})

/** Folders that are shown only when they are named (contract, Search threads, `folders`). */
export const isPutAway = (folder: string): boolean => folder === 'spam' || folder === 'trash'

/**
 * Whether the list of sent threads holds a thread: one of its e-mails was sent, and it does not lie in spam or trash,
 * which are shown only when they are named (contract, "folders"; platform facts 3.2).
 */
export const isInSent = (folder: string, hasOutbound: boolean): boolean => hasOutbound && !isPutAway(folder)
