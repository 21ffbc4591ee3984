import { isSpamOrTrash } from '../../shared/thread-state.ts'

/** Effects of a write on displayed lists. Becomes the payload of `threads.changed`. */
export interface ThreadListChanges {
  readonly threadIds: ReadonlySet<string>
  /** Folders with an added, removed or moved row. */
  readonly folders: ReadonlySet<string>
  /** Labels whose list has an added, removed or moved row. */
  readonly labelIds: ReadonlySet<string>
  /** True if the list of local-only threads has an added, removed or moved row. */
  readonly localOnly: boolean
  /** True if the inbox's unread count has changed. */
  readonly unread: boolean
  /** Threads that are new or have new activity, with the time of that activity in milliseconds since the epoch. */
  readonly arrived: ReadonlyMap<string, number>
  readonly moved: ReadonlySet<string>
}

export interface ListedThreadState {
  readonly receivedAt: number
  /** Sort key of folder and label lists: latest activity, or the time of an automatic return to the inbox. */
  readonly listedAt: number
  readonly folder: string
  readonly inSent: boolean
  readonly labelIds: readonly string[]
  readonly read: boolean
  readonly onServer: boolean
}

/** Folders that list the thread: its own folder, and `sent` if any of its e-mails was sent (platform.md 8.5). */
const foldersOf = ({ folder, inSent }: Pick<ListedThreadState, 'folder' | 'inSent'>): readonly string[] =>
  inSent && folder !== 'sent' ? [folder, 'sent'] : [folder]

/** Labels whose lists include the thread: all of its labels, or none if it is in spam or trash (platform.md 9.12). */
const listedLabelsOf = ({ folder, labelIds }: Pick<ListedThreadState, 'folder' | 'labelIds'>): readonly string[] =>
  isSpamOrTrash(folder) ? [] : labelIds

/** Returns true if the list of local-only threads includes the thread; spam and trash are excluded. */
const isInLocalOnlyList = ({ onServer, folder }: Pick<ListedThreadState, 'onServer' | 'folder'>): boolean =>
  !onServer && !isSpamOrTrash(folder)

/** Returns true if the thread counts towards the inbox's unread count. */
export const countsAsUnread = ({ read, folder }: Pick<ListedThreadState, 'read' | 'folder'>): boolean =>
  !read && folder === 'inbox'

const changed = (before: readonly string[], after: readonly string[], reordered: boolean): readonly string[] =>
  reordered
    ? [...before, ...after]
    : [...before.filter((name) => !after.includes(name)), ...after.filter((name) => !before.includes(name))]

export class ListChangeCollector implements ThreadListChanges {
  readonly threadIds = new Set<string>()
  readonly folders = new Set<string>()
  readonly labelIds = new Set<string>()
  readonly arrived = new Map<string, number>()
  readonly moved = new Set<string>()
  unread = false
  localOnly = false

  /** @param before null for a new thread @param after null for a removed thread */
  add(threadId: string, before: ListedThreadState | null, after: ListedThreadState | null): void {
    // A removal from the platform counts as a move: some lists hide such threads.
    const reordered =
      before !== null && after !== null && (before.listedAt !== after.listedAt || before.onServer !== after.onServer)
    const wasOnlyHere = before !== null && isInLocalOnlyList(before)
    this.localOnly ||= wasOnlyHere !== (after !== null && isInLocalOnlyList(after)) || (wasOnlyHere && reordered)
    this.threadIds.add(threadId)
    if (after !== null && (before === null || after.receivedAt > before.receivedAt))
      this.arrived.set(threadId, after.receivedAt)
    if (before !== null && after !== null && before.folder !== after.folder) this.moved.add(threadId)
    this.unread ||= (before !== null && countsAsUnread(before)) !== (after !== null && countsAsUnread(after))
    const ofBoth = (of: (place: ListedThreadState) => readonly string[]): readonly string[] =>
      changed(before === null ? [] : of(before), after === null ? [] : of(after), reordered)
    for (const folder of ofBoth(foldersOf)) this.folders.add(folder)
    for (const labelId of ofBoth(listedLabelsOf)) this.labelIds.add(labelId)
  }
}
