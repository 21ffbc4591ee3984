import type { SearchIndex } from './search-index/search-index.ts'
import { toMarkLabelId, listThreadMarks, SNOOZED_FOLDER } from '../../shared/thread-marks.ts'
import { applyStateChange, isInSent, isSpamOrTrash, type ThreadState } from '../../shared/thread-state.ts'
import type { FetchedThread } from '../platform/resources/threads.ts'
import type { SearchableThread } from './search-index/index-writer.ts'
import type { InboxRef } from './inboxes.ts'
import type { StoredMarks, PendingChanges } from './pending-changes.ts'
import { addChecksum } from './checksummed-payload.ts'
import { toListedThreadState, type ShownThread, type ThreadRow, type ThreadRows } from './thread-rows.ts'
import type { ListedThreadState, ListChangeCollector } from './thread-list-changes.ts'

/** Changes to a row. Omitted fields keep their values. */
export interface ThreadRowUpdate {
  readonly thread?: FetchedThread
  readonly hasOutbound?: boolean
  readonly onServer?: boolean
}

export const toServerState = ({ folder, read, labels }: FetchedThread): ThreadState => ({
  folder,
  read,
  labelIds: labels.map(({ id }) => id),
})

export const toSearchableThread = (
  inbox: InboxRef,
  key: number,
  { inSent, onServer: _onServer, listedAt: _listedAt, ...place }: ListedThreadState,
  { emailCount }: Pick<FetchedThread, 'emailCount'>,
): SearchableThread => ({ key, inboxKey: inbox.key, hasOutbound: inSent, emailCount, ...place })

/**
 * Applies local marks. A snoozed thread leaves the inbox; when it returns, it is unread and at the top of the list.
 * Threads in spam or trash stay there.
 */
const withMarks = (
  state: ThreadState,
  marks: StoredMarks | undefined,
  receivedAt: number,
): ThreadState & { readonly listedAt: number } => {
  if (marks === undefined) return { ...state, listedAt: receivedAt }
  const { snoozedUntil, back, isReturnSeen } = marks
  const labelIds = [...state.labelIds, ...listThreadMarks(marks).map(toMarkLabelId)]
  if (isSpamOrTrash(state.folder)) return { ...state, labelIds, listedAt: receivedAt }
  if (snoozedUntil !== null) return { ...state, labelIds, folder: SNOOZED_FOLDER, listedAt: receivedAt }
  if (back === null) return { ...state, labelIds, listedAt: receivedAt }
  return {
    labelIds,
    folder: 'inbox',
    read: state.read && isReturnSeen,
    listedAt: Math.max(receivedAt, back.at),
  }
}

interface RowState {
  readonly hasOutbound: boolean
  readonly onServer: boolean
}

/** True if the row differs from what it should show at most by its folder and read state. */
const differsInState = (row: ThreadRow, { place, hasOutbound, labelIds }: ShownThread): boolean =>
  row.received_at === place.receivedAt &&
  row.listed_at === place.listedAt &&
  row.label_ids === labelIds &&
  row.has_outbound === Number(hasOutbound) &&
  row.in_sent === Number(place.inSent) &&
  row.on_server === Number(place.onServer)

interface ProjectionParts {
  readonly rows: Pick<ThreadRows, 'find' | 'read' | 'insertIfNew' | 'update' | 'updateState'>
  readonly search: Pick<SearchIndex, 'indexThread' | 'indexState'>
  readonly pending: Pick<PendingChanges, 'overlay' | 'marks'>
}

/** Writes the platform's threads to the cache with pending changes applied, and updates all lists. */
export class ThreadProjection {
  readonly #parts: ProjectionParts

  constructor(parts: ProjectionParts) {
    this.#parts = parts
  }

  /** Adds a thread unless it exists. @returns the thread for the search index; null if it exists */
  addIfNew(
    touch: ListChangeCollector,
    inbox: InboxRef,
    thread: FetchedThread,
    sealed: string,
    mayHaveOutbound: boolean,
  ): SearchableThread | null {
    const shown = this.#project(inbox, thread, { hasOutbound: mayHaveOutbound, onServer: true })
    const key = this.#parts.rows.insertIfNew(inbox, thread.id, shown, sealed)
    if (key === null) return null
    const { place } = shown
    touch.add(thread.id, null, place)
    return toSearchableThread(inbox, key, place, thread)
  }

  amend(
    touch: ListChangeCollector,
    inbox: InboxRef,
    row: ThreadRow,
    thread: FetchedThread,
    sealed: string,
    about: RowState,
  ): void {
    const shown = this.#project(inbox, thread, about)
    const { place } = shown
    const isStateOnly = row.wire === sealed && differsInState(row, shown)
    if (isStateOnly && row.folder === place.folder && row.read === Number(place.read)) return
    const before = toListedThreadState(row)
    const searchable = toSearchableThread(inbox, row.key, place, thread)
    if (isStateOnly) {
      this.#parts.rows.updateState(row.key, place)
      this.#parts.search.indexState(searchable)
    } else {
      this.#parts.rows.update(row.key, shown, place.onServer, sealed)
      this.#parts.search.indexThread(searchable)
    }
    touch.add(thread.id, before, place)
  }

  /** Rewrites an existing thread; does nothing if it doesn't exist. */
  rewrite(
    touch: ListChangeCollector,
    inbox: InboxRef,
    threadId: string,
    next: (row: ThreadRow) => ThreadRowUpdate,
  ): void {
    const row = this.#parts.rows.find(inbox, threadId)
    if (row === undefined) return
    const { thread, hasOutbound = row.has_outbound === 1, onServer = row.on_server === 1 } = next(row)
    const sealed = thread === undefined ? row.wire : addChecksum(thread)
    this.amend(touch, inbox, row, thread ?? this.#parts.rows.read(inbox, row), sealed, { hasOutbound, onServer })
  }

  /**
   * The row's state with pending changes and marks applied. @param about `hasOutbound` is ignored in the folder `sent`,
   * where it is always true
   */
  #project(inbox: InboxRef, thread: FetchedThread, about: RowState): ShownThread {
    const server = toServerState(thread)
    const overlay = this.#parts.pending.overlay(inbox.id, thread.id)
    const waiting = overlay === undefined ? server : applyStateChange(server, overlay)
    const marks = this.#parts.pending.marks(inbox.id, thread.id)
    const { listedAt, ...state } = withMarks(waiting, marks, thread.receivedAt)
    const hasOutbound = about.hasOutbound || waiting.folder === 'sent'
    const inSent = isInSent(state.folder, hasOutbound)
    const place = { ...state, receivedAt: thread.receivedAt, listedAt, inSent, onServer: about.onServer }
    return { place, hasOutbound, labelIds: JSON.stringify(state.labelIds) }
  }
}
