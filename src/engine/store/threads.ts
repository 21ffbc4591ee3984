import type Database from 'better-sqlite3'
import { toLabel, toTime } from '../api/model-from-wire.ts'
import type { WireEmail, WireLabel, WireThread, WireThreadSummary } from '../api/wire.ts'
import type { SearchableThread } from '../search-index/index-writer.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Label, Thread } from '../../shared/model.ts'
import type { ThreadState } from '../../shared/thread-state.ts'
import type { Backlog } from './backlog.ts'
import { createBodyProgress, type BodyProgress } from './body-progress.ts'
import type { OnBroken } from './broken-row.ts'
import type { InboxRef } from './inboxes.ts'
import type { LabelStore } from './labels.ts'
import type { ListIndex } from './list-index.ts'
import type { PendingChanges } from './pending-changes.ts'
import { readSealedThread, seal, unseal } from './sealed-wire.ts'
import { createThreadLists, type ThreadLists } from './thread-lists.ts'
import { countOf, createThreadProjection, serverStateOf } from './thread-projection.ts'
import { createThreadRows, labelIdsOf, wireOfColumns, type Reading, type ThreadRow } from './thread-rows.ts'
import { createTouchCollector, type TouchCollector, type TouchedThreads } from './touched-threads.ts'

/** The threads of the cache: their lists, what the platform says of them, and how far their e-mails are here. */
export interface ThreadStore extends Pick<ThreadLists, 'count' | 'countUnread' | 'rowsBetween' | 'rowsAbove'> {
  /** Latest activity first. */
  readonly list: (...place: Parameters<ThreadLists['page']>) => readonly Thread[]
  readonly get: (inbox: InboxRef, threadId: string) => Thread | undefined
  /** The platform's own last word on a thread, without the changes that are pending. */
  readonly serverState: (inbox: InboxRef, threadId: string) => ThreadState | undefined
  /**
   * Keeps a page of threads. What a field left out says stays as it was; nothing that a person changed flickers.
   * @param askedAt when the page was asked for, `performance.now()`
   * @param inSent whether the page is of the list `sent`, whose threads may lie in any folder
   */
  readonly storePage: (
    inbox: InboxRef,
    wires: readonly WireThread[],
    about: { readonly askedAt: number; readonly inSent: boolean },
  ) => TouchedThreads
  /** Keeps what the platform says of one thread's folder, labels and read state; unknown threads are left alone. */
  readonly storeState: (
    inbox: InboxRef,
    threadId: string,
    state: Pick<WireThreadSummary, 'folder' | 'read' | 'labels'>,
    askedAt: number,
  ) => TouchedThreads
  /** Lays the pending changes anew over what the platform last said. */
  readonly project: (inbox: InboxRef, threadIds: readonly string[]) => TouchedThreads
  /** Marks a thread that the platform no longer holds; it stays readable. */
  readonly markGone: (inbox: InboxRef, threadId: string) => TouchedThreads
  /** The platform's list of sent e-mails does not hold the thread any more. */
  readonly leaveSent: (inbox: InboxRef, threadId: string) => TouchedThreads
  /** The e-mails of a thread are here up to an activity. */
  readonly storeReading: (inbox: InboxRef, threadId: string, reading: Reading) => TouchedThreads
  /**
   * Puts words in the place of those that were damaged: what the other columns say, and the thread's newest e-mail where
   * the cache has it.
   */
  readonly mend: (inbox: InboxRef, threadId: string, newest: WireEmail | undefined) => TouchedThreads
  /** The e-mails of a thread are not all in the cache, as one of them was damaged. */
  readonly lackEmails: (inbox: InboxRef, threadId: string) => void
  readonly emailsComplete: BodyProgress['isComplete']
}

/** What is known stays where the platform leaves a field out. */
const merge = (before: WireThread, after: Partial<WireThread>): WireThread => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
})

const withState = (
  wire: WireThread,
  { folder, read, labels }: Pick<WireThread, 'folder' | 'read' | 'labels'>,
): WireThread => ({
  ...wire,
  folder,
  read,
  labels,
})

const toThread = (row: ThreadRow, wire: WireThread, inboxId: string, known: ReadonlyMap<string, Label>): Thread => {
  const own = new Map((wire.labels ?? []).map((label: WireLabel) => [label.id, label]))
  return {
    id: row.id,
    inboxId,
    subject: wire.subject ?? null,
    from: wire.from ?? null,
    to: wire.to ?? [],
    cc: wire.cc ?? [],
    bcc: wire.bcc ?? [],
    labels: labelIdsOf(row).map((id) => known.get(id) ?? toLabel(own.get(id) ?? { id })),
    emailCount: countOf(wire),
    hasAttachment: wire.has_attachment ?? false,
    hasDraft: wire.has_draft ?? false,
    read: row.read === 1,
    receivedAt: row.received_at,
    folder: row.folder,
    snippet: row.snippet,
    hasOutbound: row.has_outbound === 1,
    onServer: row.on_server === 1,
  }
}

export const createThreadStore = (
  database: Database.Database,
  labels: LabelStore,
  index: ListIndex,
  backlog: Pick<Backlog, 'note'>,
  search: Pick<SearchIndex, 'keepThread' | 'addThreads' | 'keepOrder'>,
  pending: PendingChanges,
  onBroken: OnBroken,
): ThreadStore => {
  const rows = createThreadRows(database, onBroken)
  const lists = createThreadLists(database, index)
  const { addIfNew, amend, rewrite } = createThreadProjection(rows, lists, backlog, search, pending)
  const progress = createBodyProgress(rows, lists, backlog, search)

  const transact = (work: (touch: TouchCollector) => void): TouchedThreads => {
    const touch = createTouchCollector()
    index.write(() => work(touch))
    return touch.touched()
  }

  const isOlderThanChange = (inbox: InboxRef, threadId: string, askedAt: number): boolean =>
    pending.confirmedSince(inbox.id, threadId, askedAt)

  /** Keeps what a list says of a thread that is there already. */
  const amendListed = (
    touch: TouchCollector,
    inbox: InboxRef,
    incoming: WireThread,
    incomingText: string,
    { askedAt, inSent }: { readonly askedAt: number; readonly inSent: boolean },
  ): void => {
    const row = rows.find(inbox, incoming.id)
    if (row === undefined) return
    const about = { hasOutbound: inSent || row.has_outbound === 1, onServer: true }
    if (unseal(row.wire) === unseal(incomingText)) {
      amend(touch, inbox, row, incoming, incomingText, about)
      return
    }
    const before = rows.readWire(inbox, row)
    const merged = merge(before, incoming)
    const wire = isOlderThanChange(inbox, incoming.id, askedAt) ? withState(merged, before) : merged
    amend(touch, inbox, row, wire, seal(wire), about)
  }

  /** The order of threads with one time is told by the platform's lists alone. */
  const keepOrderOfEquals = (inbox: InboxRef, wires: readonly WireThread[]): void => {
    for (let start = 0; start < wires.length;) {
      const time = toTime(wires[start]?.received_at)
      let end = start + 1
      while (end < wires.length && toTime(wires[end]?.received_at) === time) end += 1
      if (end - start > 1) {
        search.keepOrder(wires.slice(start, end).flatMap(({ id }) => rows.find(inbox, id)?.key ?? []))
      }
      start = end
    }
  }

  return {
    count: lists.count,
    countUnread: lists.countUnread,
    rowsBetween: lists.rowsBetween,
    rowsAbove: lists.rowsAbove,
    list: (inbox, list, window) => {
      const known = labels.byId(inbox.key)
      return lists.page(inbox, list, window).map((row) => toThread(row, rows.readWire(inbox, row), inbox.id, known))
    },
    get: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      return row === undefined ? undefined : toThread(row, rows.readWire(inbox, row), inbox.id, labels.byId(inbox.key))
    },
    serverState: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      return row === undefined ? undefined : serverStateOf(rows.readWire(inbox, row))
    },
    storePage: (inbox, wires, about) =>
      transact((touch) => {
        const added: SearchableThread[] = []
        const known: (readonly [WireThread, string])[] = []
        for (const incoming of wires) {
          const incomingText = seal(incoming)
          // Nearly all threads of a first sync are new: asking first whether they are would cost as much again.
          const searchableThread = addIfNew(touch, inbox, incoming, incomingText, about.inSent)
          if (searchableThread === null) known.push([incoming, incomingText])
          else added.push(searchableThread)
        }
        search.addThreads(inbox.key, added)
        for (const [incoming, incomingText] of known) amendListed(touch, inbox, incoming, incomingText, about)
        keepOrderOfEquals(inbox, wires)
      }),
    storeState: (inbox, threadId, { folder, read, labels: labelsNow }, askedAt) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => ({
          wire: isOlderThanChange(inbox, threadId, askedAt)
            ? rows.readWire(inbox, row)
            : merge(rows.readWire(inbox, row), { folder, read, labels: labelsNow }),
          onServer: true,
        })),
      ),
    project: (inbox, threadIds) =>
      transact((touch) => {
        for (const threadId of threadIds) rewrite(touch, inbox, threadId, () => ({}))
      }),
    markGone: (inbox, threadId) => transact((touch) => rewrite(touch, inbox, threadId, () => ({ onServer: false }))),
    leaveSent: (inbox, threadId) =>
      transact((touch) => rewrite(touch, inbox, threadId, () => ({ hasOutbound: false }))),
    storeReading: (inbox, threadId, reading) => transact((touch) => progress.advance(touch, inbox, threadId, reading)),
    mend: (inbox, threadId, newest) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => {
          const kept = readSealedThread(row.wire, row.id)?.wire
          const { from, to, cc, bcc, subject } = newest ?? {}
          return { wire: kept ?? merge(wireOfColumns(row), { from, to, cc, bcc, subject }) }
        }),
      ),
    lackEmails: (inbox, threadId) => index.write(() => progress.fallBack(inbox, threadId)),
    emailsComplete: progress.isComplete,
  }
}
