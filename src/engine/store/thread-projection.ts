import { toAssignmentLabelId, toMarkLabelId, listThreadMarks, SNOOZED_FOLDER } from '../../shared/thread-marks.ts'
import { applyStateChange, isInSent, isSpamOrTrash, type ThreadState } from '../../shared/thread-state.ts'
import type { FetchedThread } from '../platform/resources/threads.ts'
import type { SearchableThread } from './search-index/index-writer.ts'
import type { InboxRef } from './inboxes.ts'
import type { StoredMarks, PendingChanges } from './pending-changes.ts'
import type { WebhookEventStore } from './webhook-events.ts'
import type { ShownThread, ThreadRow } from './thread-rows.ts'
import type { ListedThreadState } from './thread-list-changes.ts'

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

interface ProjectionSources {
  readonly pending: Pick<PendingChanges, 'overlay' | 'marks'>
  readonly events: Pick<WebhookEventStore, 'assigneeOf'>
}

export interface RowState {
  readonly hasOutbound: boolean
  readonly onServer: boolean
}

/** True if the row differs from what it should show at most by its folder and read state. */
export const differsInState = (row: ThreadRow, { place, hasOutbound, labelIds }: ShownThread): boolean =>
  row.received_at === place.receivedAt &&
  row.listed_at === place.listedAt &&
  row.label_ids === labelIds &&
  row.has_outbound === Number(hasOutbound) &&
  row.in_sent === Number(place.inSent) &&
  row.on_server === Number(place.onServer)

/**
 * A thread's state with pending changes, marks and the dashboard's assignee applied. @param about `hasOutbound` is ignored in the folder `sent`,
 * where it is always true
 */
export const projectThread = (
  { pending, events }: ProjectionSources,
  inbox: InboxRef,
  thread: FetchedThread,
  about: RowState,
): ShownThread => {
  const server = toServerState(thread)
  const overlay = pending.overlay(inbox.id, thread.id)
  const waiting = overlay === undefined ? server : applyStateChange(server, overlay)
  const marks = pending.marks(inbox.id, thread.id)
  const { listedAt, ...state } = withMarks(waiting, marks, thread.receivedAt)
  const hasOutbound = about.hasOutbound || waiting.folder === 'sent'
  const inSent = isInSent(state.folder, hasOutbound)
  const assignee = events.assigneeOf(inbox.id, thread.id)
  const labelIds = assignee === null ? state.labelIds : [...state.labelIds, toAssignmentLabelId(assignee)]
  const place = { ...state, labelIds, receivedAt: thread.receivedAt, listedAt, inSent, onServer: about.onServer }
  return { place, hasOutbound, labelIds: JSON.stringify(labelIds) }
}
