import { isSpamOrTrash } from '../../shared/thread-state.ts'

/** Effects of a write on the lists on screen; becomes the payload of `threads.changed`. */
export interface ThreadListChanges {
  readonly threadIds: ReadonlySet<string>
  /** Folders with an added, removed or reordered row. */
  readonly folders: ReadonlySet<string>
  /** Labels whose list has an added, removed or reordered row. */
  readonly labelIds: ReadonlySet<string>
  /** True if the list of local-only threads has an added, removed or reordered row. */
  readonly localOnly: boolean
  /** True if the inbox's unread count has changed. */
  readonly unread: boolean
  /** New threads and those with new activity, with its time in milliseconds since the epoch. */
  readonly arrived: ReadonlyMap<string, number>
  readonly moved: ReadonlySet<string>
}

export interface ThreadPlace {
  readonly receivedAt: number
  /** Sort key of folder and label lists: latest activity, or the time of an automatic return to the inbox. */
  readonly listedAt: number
  readonly folder: string
  readonly inSent: boolean
  readonly labelIds: readonly string[]
  readonly read: boolean
  readonly onServer: boolean
}

/** Folders that list the thread: its own, and `sent` if any of its e-mails was sent (platform facts 3.2). */
const foldersOf = ({ folder, inSent }: Pick<ThreadPlace, 'folder' | 'inSent'>): readonly string[] =>
  inSent && folder !== 'sent' ? [folder, 'sent'] : [folder]

/** Labels that list the thread: all it has, or none in spam or trash (contract, "folders"). */
export const listedLabelsOf = ({ folder, labelIds }: Pick<ThreadPlace, 'folder' | 'labelIds'>): readonly string[] =>
  isSpamOrTrash(folder) ? [] : labelIds

/** Returns true if the list of local-only threads includes the thread; spam and trash are excluded. */
export const isListedOnlyHere = ({ onServer, folder }: Pick<ThreadPlace, 'onServer' | 'folder'>): boolean =>
  !onServer && !isSpamOrTrash(folder)

/** Returns true if the thread counts towards the inbox's unread count. */
export const isUnread = ({ read, folder }: Pick<ThreadPlace, 'read' | 'folder'>): boolean => !read && folder === 'inbox'

const changed = (before: readonly string[], after: readonly string[], reordered: boolean): readonly string[] =>
  reordered
    ? [...before, ...after]
    : [...before.filter((name) => !after.includes(name)), ...after.filter((name) => !before.includes(name))]

export class ListChangeCollector {
  readonly #threadIds = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #labelIds = new Set<string>()
  readonly #arrived = new Map<string, number>()
  readonly #moved = new Set<string>()
  #unread = false
  #localOnly = false

  /** @param before null for a new thread @param after null for a removed thread */
  add(threadId: string, before: ThreadPlace | null, after: ThreadPlace | null): void {
    // Lists may hide threads that the platform has removed.
    const reordered =
      before !== null && after !== null && (before.listedAt !== after.listedAt || before.onServer !== after.onServer)
    const wasOnlyHere = before !== null && isListedOnlyHere(before)
    this.#localOnly ||= wasOnlyHere !== (after !== null && isListedOnlyHere(after)) || (wasOnlyHere && reordered)
    this.#threadIds.add(threadId)
    if (after !== null && (before === null || after.receivedAt > before.receivedAt))
      this.#arrived.set(threadId, after.receivedAt)
    if (before !== null && after !== null && before.folder !== after.folder) this.#moved.add(threadId)
    this.#unread ||= (before !== null && isUnread(before)) !== (after !== null && isUnread(after))
    const ofBoth = (of: (place: ThreadPlace) => readonly string[]): readonly string[] =>
      changed(before === null ? [] : of(before), after === null ? [] : of(after), reordered)
    for (const folder of ofBoth(foldersOf)) this.#folders.add(folder)
    for (const labelId of ofBoth(listedLabelsOf)) this.#labelIds.add(labelId)
  }

  touched(): ThreadListChanges {
    return {
      threadIds: this.#threadIds,
      folders: this.#folders,
      labelIds: this.#labelIds,
      localOnly: this.#localOnly,
      unread: this.#unread,
      arrived: this.#arrived,
      moved: this.#moved,
    }
  }
}
