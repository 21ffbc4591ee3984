import { isPutAway } from '../../shared/thread-state.ts'

/** What a write did to the lists that screens show: the payload of `threads.changed` in the making. */
export interface TouchedThreads {
  readonly threadIds: ReadonlySet<string>
  /** Folders that lost, gained or reordered a row. */
  readonly folders: ReadonlySet<string>
  /** Labels whose list lost, gained or reordered a row. */
  readonly labelIds: ReadonlySet<string>
  /** Whether the list of what only this computer has lost, gained or reordered a row. */
  readonly onlyHere: boolean
  /** Whether a thread joined or left the unread ones of the inbox: the number beside it is another. */
  readonly unread: boolean
  /** Threads that are new here, or have new activity, with the time of it. Milliseconds since the epoch. */
  readonly arrived: ReadonlyMap<string, number>
  /** Threads that went to another folder. */
  readonly moved: ReadonlySet<string>
}

export interface ThreadPlace {
  readonly receivedAt: number
  /** By which lists of folders and labels are ordered: its activity, or when it came back to the inbox by itself. */
  readonly listedAt: number
  readonly folder: string
  readonly inSent: boolean
  readonly labelIds: readonly string[]
  readonly read: boolean
  readonly onServer: boolean
}

/** The folders whose list holds the thread: its own, and `sent` where one of its e-mails was sent (platform facts 3.2). */
const foldersOf = ({ folder, inSent }: Pick<ThreadPlace, 'folder' | 'inSent'>): readonly string[] =>
  inSent && folder !== 'sent' ? [folder, 'sent'] : [folder]

/** The labels whose list holds the thread: all it carries, unless it lies in spam or trash (contract, "folders"). */
export const listedLabelsOf = ({ folder, labelIds }: Pick<ThreadPlace, 'folder' | 'labelIds'>): readonly string[] =>
  isPutAway(folder) ? [] : labelIds

/** Whether a thread is in the list of what only this computer has: where it was not put away. */
export const isListedOnlyHere = ({ onServer, folder }: Pick<ThreadPlace, 'onServer' | 'folder'>): boolean =>
  !onServer && !isPutAway(folder)

/** Whether a thread counts for the number beside the inbox. */
export const isUnread = ({ read, folder }: Pick<ThreadPlace, 'read' | 'folder'>): boolean => !read && folder === 'inbox'

const changed = (before: readonly string[], after: readonly string[], reordered: boolean): readonly string[] =>
  reordered
    ? [...before, ...after]
    : [...before.filter((name) => !after.includes(name)), ...after.filter((name) => !before.includes(name))]

/** Gathers what the rows of one write do to the lists. */
export class TouchCollector {
  readonly #threadIds = new Set<string>()
  readonly #folders = new Set<string>()
  readonly #labelIds = new Set<string>()
  readonly #arrived = new Map<string, number>()
  readonly #moved = new Set<string>()
  #unread = false
  #onlyHere = false

  /**
   * Notes that a thread goes from one place to another, or changes where it is.
   * @param before null for a thread that is new
   * @param after null for one that is removed
   */
  add(threadId: string, before: ThreadPlace | null, after: ThreadPlace | null): void {
    // A list may leave out what the platform has dropped.
    const reordered =
      before !== null && after !== null && (before.listedAt !== after.listedAt || before.onServer !== after.onServer)
    const wasOnlyHere = before !== null && isListedOnlyHere(before)
    this.#onlyHere ||= wasOnlyHere !== (after !== null && isListedOnlyHere(after)) || (wasOnlyHere && reordered)
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

  touched(): TouchedThreads {
    return {
      threadIds: this.#threadIds,
      folders: this.#folders,
      labelIds: this.#labelIds,
      onlyHere: this.#onlyHere,
      unread: this.#unread,
      arrived: this.#arrived,
      moved: this.#moved,
    }
  }
}
