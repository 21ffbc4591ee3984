import type { SearchIndex } from '../search-index/search-index.ts'
import { changedState, isInSent, type ThreadState } from '../../shared/thread-state.ts'
import type { FetchedThread } from '../api/threads.ts'
import type { SearchableThread } from '../search-index/index-writer.ts'
import type { Backlog } from './backlog.ts'
import type { InboxRef } from './inboxes.ts'
import type { PendingChanges } from './pending-changes.ts'
import { seal } from './sealed-words.ts'
import type { ThreadLists } from './thread-lists.ts'
import { completenessOf, placeOf, type ShownThread, type ThreadRow, type ThreadRows } from './thread-rows.ts'
import type { ThreadPlace, TouchCollector } from './touched-threads.ts'

/** What becomes of a row; what is left out stays. */
export interface NextRow {
  readonly thread?: FetchedThread
  readonly hasOutbound?: boolean
  readonly onServer?: boolean
}

/** Writes what the platform says of threads as a person sees it: with the pending changes laid over it, in every list. */
export interface ThreadProjection {
  /** @returns what the search is to know of it; null where the thread is there already: nothing is written then */
  readonly addIfNew: (
    touch: TouchCollector,
    inbox: InboxRef,
    thread: FetchedThread,
    sealed: string,
    mayHaveOutbound: boolean,
  ) => SearchableThread | null
  /** Writes what the platform now says of a thread, where that differs from what is there. */
  readonly amend: (
    touch: TouchCollector,
    inbox: InboxRef,
    row: ThreadRow,
    thread: FetchedThread,
    sealed: string,
    about: { readonly hasOutbound: boolean; readonly onServer: boolean },
  ) => void
  /** Writes a thread that is there anew; one that is not is left alone. */
  readonly rewrite: (
    touch: TouchCollector,
    inbox: InboxRef,
    threadId: string,
    next: (row: ThreadRow) => NextRow,
  ) => void
}

/** The platform's own last word on a thread. */
export const serverStateOf = ({ folder, read, labels }: FetchedThread): ThreadState => ({
  folder,
  read,
  labelIds: labels.map(({ id }) => id),
})

/** What the search is to know of a thread. */
export const toSearchable = (
  inbox: InboxRef,
  key: number,
  { inSent, onServer: _onServer, ...place }: ThreadPlace,
  { emailCount }: Pick<FetchedThread, 'emailCount'>,
): SearchableThread => ({ key, inboxKey: inbox.key, hasOutbound: inSent, emailCount, ...place })

export const createThreadProjection = (
  rows: ThreadRows,
  lists: Pick<ThreadLists, 'move'>,
  backlog: Pick<Backlog, 'note'>,
  search: Pick<SearchIndex, 'keepThread'>,
  pending: Pick<PendingChanges, 'overlay'>,
): ThreadProjection => {
  const project = (
    inbox: InboxRef,
    thread: FetchedThread,
    { mayHaveOutbound, onServer }: { readonly mayHaveOutbound: boolean; readonly onServer: boolean },
  ): ShownThread => {
    const server = serverStateOf(thread)
    const overlay = pending.overlay(inbox.id, thread.id)
    const state = overlay === undefined ? server : changedState(server, overlay)
    const hasOutbound = mayHaveOutbound || state.folder === 'sent'
    const place = { ...state, receivedAt: thread.receivedAt, inSent: isInSent(state.folder, hasOutbound), onServer }
    return { place, hasOutbound, labelIds: JSON.stringify(state.labelIds) }
  }

  const isShown = (row: ThreadRow, { place, hasOutbound, labelIds }: ShownThread): boolean =>
    row.received_at === place.receivedAt &&
    row.folder === place.folder &&
    row.read === Number(place.read) &&
    row.label_ids === labelIds &&
    row.has_outbound === Number(hasOutbound) &&
    row.in_sent === Number(place.inSent)

  const amend: ThreadProjection['amend'] = (touch, inbox, row, thread, sealed, { hasOutbound, onServer }) => {
    const shown = project(inbox, thread, { mayHaveOutbound: hasOutbound, onServer })
    if (row.wire === sealed && isShown(row, shown) && row.on_server === Number(onServer)) return
    rows.update(row.key, shown, onServer, sealed)
    const { place } = shown
    backlog.note(inbox.key, completenessOf(row), { receivedAt: place.receivedAt, emailsAt: row.emails_at, onServer })
    const before = placeOf(row)
    lists.move(inbox, row.key, before, place)
    search.keepThread(toSearchable(inbox, row.key, place, thread))
    touch.add(thread.id, before, place)
  }

  return {
    addIfNew: (touch, inbox, thread, sealed, mayHaveOutbound) => {
      const shown = project(inbox, thread, { mayHaveOutbound, onServer: true })
      const key = rows.insertIfNew(inbox, thread.id, shown, sealed)
      if (key === null) return null
      const { place } = shown
      backlog.note(inbox.key, null, { receivedAt: place.receivedAt, emailsAt: null, onServer: true })
      lists.move(inbox, key, null, place)
      touch.add(thread.id, null, place)
      return toSearchable(inbox, key, place, thread)
    },
    amend,
    rewrite: (touch, inbox, threadId, next) => {
      const row = rows.find(inbox, threadId)
      if (row === undefined) return
      const { thread, hasOutbound = row.has_outbound === 1, onServer = row.on_server === 1 } = next(row)
      const sealed = thread === undefined ? row.wire : seal(thread)
      amend(touch, inbox, row, thread ?? rows.read(inbox, row), sealed, { hasOutbound, onServer })
    },
  }
}
