import type { SearchIndex } from '../search-index/search-index.ts'
import { changedState, isInSent, type ThreadState } from '../../shared/thread-state.ts'
import { toTime } from '../api/model-from-wire.ts'
import type { WireThread } from '../api/wire.ts'
import type { SearchableThread } from '../search-index/index-writer.ts'
import type { Backlog } from './backlog.ts'
import type { InboxRef } from './inboxes.ts'
import type { PendingChanges } from './pending-changes.ts'
import { seal, unseal } from './sealed-wire.ts'
import type { ThreadLists } from './thread-lists.ts'
import { completenessOf, placeOf, type ShownThread, type ThreadRow, type ThreadRows } from './thread-rows.ts'
import type { ThreadPlace, TouchCollector } from './touched-threads.ts'

/** What becomes of a row; what is left out stays. */
export interface NextRow {
  readonly wire?: WireThread
  readonly hasOutbound?: boolean
  readonly onServer?: boolean
}

/** Writes what the platform says of threads as a person sees it: with the pending changes laid over it, in every list. */
export interface ThreadProjection {
  /** @returns what the search is to know of it; null where the thread is there already: nothing is written then */
  readonly addIfNew: (
    touch: TouchCollector,
    inbox: InboxRef,
    wire: WireThread,
    wireText: string,
    mayHaveOutbound: boolean,
  ) => SearchableThread | null
  /** Writes what the platform now says of a thread, where that differs from what is there. */
  readonly amend: (
    touch: TouchCollector,
    inbox: InboxRef,
    row: ThreadRow,
    wire: WireThread,
    wireText: string,
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

/** E-mails of a thread, as the platform counts them. */
export const countOf = ({ email_count: count, message_count: formerCount }: WireThread): number =>
  count ?? formerCount ?? 1

/** The platform's own last word on a thread. */
export const serverStateOf = (wire: WireThread): ThreadState => ({
  folder: wire.folder ?? 'inbox',
  read: wire.read ?? true,
  labelIds: (wire.labels ?? []).map(({ id }) => id),
})

/** What the search is to know of a thread. */
export const toSearchable = (
  inbox: InboxRef,
  key: number,
  { inSent, ...place }: ThreadPlace,
  wire: WireThread,
): SearchableThread => ({ key, inboxKey: inbox.key, hasOutbound: inSent, emailCount: countOf(wire), ...place })

export const createThreadProjection = (
  rows: ThreadRows,
  lists: Pick<ThreadLists, 'move'>,
  backlog: Pick<Backlog, 'note'>,
  search: Pick<SearchIndex, 'keepThread'>,
  pending: Pick<PendingChanges, 'overlay'>,
): ThreadProjection => {
  const project = (inbox: InboxRef, wire: WireThread, mayHaveOutbound: boolean): ShownThread => {
    const server = serverStateOf(wire)
    const overlay = pending.overlay(inbox.id, wire.id)
    const state = overlay === undefined ? server : changedState(server, overlay)
    const hasOutbound = mayHaveOutbound || state.folder === 'sent'
    const place = { ...state, receivedAt: toTime(wire.received_at), inSent: isInSent(state.folder, hasOutbound) }
    return { place, hasOutbound, labelIds: JSON.stringify(state.labelIds) }
  }

  const isShown = (row: ThreadRow, { place, hasOutbound, labelIds }: ShownThread): boolean =>
    row.received_at === place.receivedAt &&
    row.folder === place.folder &&
    row.read === Number(place.read) &&
    row.label_ids === labelIds &&
    row.has_outbound === Number(hasOutbound) &&
    row.in_sent === Number(place.inSent)

  const amend: ThreadProjection['amend'] = (touch, inbox, row, wire, wireText, { hasOutbound, onServer }) => {
    const shown = project(inbox, wire, hasOutbound)
    const isSame = unseal(row.wire) === unseal(wireText) && isShown(row, shown) && row.on_server === Number(onServer)
    if (isSame && row.wire === wireText) return
    rows.update(row.key, shown, onServer, wireText)
    const { place } = shown
    backlog.note(inbox.key, completenessOf(row), { receivedAt: place.receivedAt, emailsAt: row.emails_at, onServer })
    // Words of a first version get their checksum: nothing that anybody sees has changed.
    if (isSame) return
    const before = placeOf(row)
    lists.move(inbox, row.key, before, place)
    search.keepThread(toSearchable(inbox, row.key, place, wire))
    touch.add(wire.id, before, place)
  }

  return {
    addIfNew: (touch, inbox, wire, wireText, mayHaveOutbound) => {
      const shown = project(inbox, wire, mayHaveOutbound)
      const key = rows.insertIfNew(inbox, wire.id, shown, wireText)
      if (key === null) return null
      const { place } = shown
      backlog.note(inbox.key, null, { receivedAt: place.receivedAt, emailsAt: null, onServer: true })
      lists.move(inbox, key, null, place)
      touch.add(wire.id, null, place)
      return toSearchable(inbox, key, place, wire)
    },
    amend,
    rewrite: (touch, inbox, threadId, next) => {
      const row = rows.find(inbox, threadId)
      if (row === undefined) return
      const { wire, hasOutbound = row.has_outbound === 1, onServer = row.on_server === 1 } = next(row)
      const wireText = wire === undefined ? row.wire : seal(wire)
      amend(touch, inbox, row, wire ?? rows.readWire(inbox, row), wireText, { hasOutbound, onServer })
    },
  }
}
