import type Database from 'better-sqlite3'
import { bareLabel } from '../api/labels.ts'
import type { FetchedEmail } from '../api/thread-emails.ts'
import {
  inStateOf,
  withHeadOf,
  withNews,
  withOwnState,
  withState,
  type FetchedThread,
  type FetchedThreadState,
} from '../api/threads.ts'
import type { SearchableThread } from '../search-index/index-writer.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Label, Thread } from '../../shared/model.ts'
import { changedState, type StateChange, type ThreadState } from '../../shared/thread-state.ts'
import type { Backlog } from './backlog.ts'
import { createBodyProgress, type BodyProgress } from './body-progress.ts'
import type { OnBroken } from './broken-row.ts'
import type { InboxRef, InboxStore } from './inboxes.ts'
import type { LabelStore } from './labels.ts'
import type { ListIndex } from './list-index.ts'
import type { PendingChanges } from './pending-changes.ts'
import { readSealedThread, seal } from './sealed-words.ts'
import { createThreadLists, type ThreadLists } from './thread-lists.ts'
import { createThreadProjection, serverStateOf } from './thread-projection.ts'
import { createThreadRows, labelIdsOf, placeOf, threadOfColumns, type Reading, type ThreadRow } from './thread-rows.ts'
import { writersOf } from './thread-writers.ts'
import { createTouchCollector, type TouchCollector, type TouchedThreads } from './touched-threads.ts'
import type { Clock } from '../timing/clock.ts'

/** What of a thread decides whether a change makes sense. */
export interface ThreadStanding {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly receivedAt: number
  readonly onServer: boolean
}

/** The threads of the cache: their lists, what the platform says of them, and how far their e-mails are here. */
export interface ThreadStore extends Pick<
  ThreadLists,
  | 'idsWithLabel'
  | 'after'
  | 'count'
  | 'countSince'
  | 'times'
  | 'marks'
  | 'countUnread'
  | 'countOnlyHere'
  | 'countUnreadOnlyHere'
  | 'rowsBetween'
  | 'rowsAbove'
> {
  /** Latest activity first. */
  readonly list: (...place: Parameters<ThreadLists['page']>) => readonly Thread[]
  readonly get: (inbox: InboxRef, threadId: string) => Thread | undefined
  /** Where a thread stands, without a look at the platform's words. */
  readonly standing: (inbox: InboxRef, threadId: string) => ThreadStanding | undefined
  /** The platform's own last word on a thread, without the changes that are pending. */
  readonly serverState: (inbox: InboxRef, threadId: string) => ThreadState | undefined
  /**
   * Keeps a page of threads. What a field left out says stays as it was; nothing that a person changed flickers.
   * @param askedAt when the page was asked for, `Clock.elapsed`
   * @param inSent whether the page is of the list `sent`, whose threads may lie in any folder
   */
  readonly storePage: (
    inbox: InboxRef,
    threads: readonly FetchedThread[],
    about: { readonly askedAt: number; readonly inSent: boolean },
  ) => TouchedThreads
  /** Keeps what the platform says of one thread's folder, labels and read state; unknown threads are left alone. */
  readonly storeState: (inbox: InboxRef, threadId: string, state: FetchedThreadState, askedAt: number) => TouchedThreads
  /**
   * Keeps what a person made of a thread that the platform no longer holds: nobody else has a word on it any more.
   * @returns null where the platform holds it after all, or it is not here: nothing is written then
   */
  readonly storeHere: (inbox: InboxRef, threadId: string, change: StateChange) => TouchedThreads | null
  /** Lays the pending changes anew over what the platform last said. */
  readonly project: (inbox: InboxRef, threadIds: readonly string[]) => TouchedThreads
  /** Marks a thread that the platform no longer holds; it stays readable. */
  readonly markGone: (inbox: InboxRef, threadId: string) => TouchedThreads
  /**
   * Removes a thread that only this computer has, whose e-mails are removed already. An answer that was asked for before
   * does not bring it back; one that was asked for later does, as the platform then has it after all.
   * @returns null where the platform holds it, or it is not here: nothing is removed then
   */
  readonly remove: (inbox: InboxRef, threadId: string) => TouchedThreads | null
  /** The platform's list of sent e-mails does not hold the thread any more. */
  readonly leaveSent: (inbox: InboxRef, threadId: string) => TouchedThreads
  /** The e-mails of a thread are here up to an activity. */
  readonly storeReading: (inbox: InboxRef, threadId: string, reading: Reading) => TouchedThreads
  /**
   * Puts words in the place of those that were damaged: what the other columns say, and the thread's newest e-mail where
   * the cache has it.
   */
  readonly mend: (inbox: InboxRef, threadId: string, newest: FetchedEmail | undefined) => TouchedThreads
  /** The e-mails of a thread are not all in the cache, as one of them was damaged. */
  readonly lackEmails: (inbox: InboxRef, threadId: string) => void
  readonly emailsComplete: BodyProgress['isComplete']
  /** How many threads the platform no longer holds, in all inboxes. */
  readonly countGone: () => number
}

/**
 * Labels by their IDs, each once: while threads still go by a label's former ID, two of them may mean the same label.
 * @param own what the thread's own words say of its labels
 */
const labelsOf = (
  ids: readonly string[],
  own: ReadonlyMap<string, Label>,
  known: ReadonlyMap<string, Label | null>,
): readonly Label[] => {
  const labels = new Map<string, Label>()
  for (const id of ids) {
    const label = known.get(id)
    if (label === null) continue
    const shown = label ?? own.get(id) ?? bareLabel(id)
    labels.set(shown.id, shown)
  }
  return [...labels.values()]
}

/** A thread as a person sees it: what the platform said of it, where the row does not know better. */
const toThread = (
  row: ThreadRow,
  { subject, from, to, cc, bcc, labels, emailCount, hasAttachment, hasDraft }: FetchedThread,
  inboxId: string,
  known: ReadonlyMap<string, Label | null>,
  ownAddresses: ReadonlySet<string>,
): Thread => {
  const own = new Map(labels.map((label) => [label.id, label]))
  const [read, hasOutbound] = [row.read === 1, row.has_outbound === 1]
  const isCurrent = row.emails_at === row.received_at || row.on_server === 0
  return {
    id: row.id,
    inboxId,
    subject,
    from,
    to,
    cc,
    bcc,
    labels: labelsOf(labelIdsOf(row), own, known),
    emailCount,
    hasAttachment,
    hasDraft,
    read,
    receivedAt: row.received_at,
    folder: row.folder,
    snippet: row.snippet,
    writers: writersOf(row.writers, { from, read, hasOutbound }, isCurrent, ownAddresses),
    hasOutbound,
    onServer: row.on_server === 1,
    ...(row.trashed_at !== null && { trashedAt: row.trashed_at }),
  }
}

export const createThreadStore = (
  database: Database.Database,
  labels: LabelStore,
  inboxes: Pick<InboxStore, 'ownAddresses'>,
  index: ListIndex,
  backlog: Pick<Backlog, 'note'>,
  search: Pick<SearchIndex, 'keepThread' | 'addThreads' | 'keepOrder' | 'dropThread'>,
  pending: PendingChanges,
  onBroken: OnBroken,
  clock: Clock,
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

  /** When threads were removed, `Clock.elapsed`. */
  const removedAt = new Map<string, number>()
  const nameOf = (inbox: InboxRef, threadId: string): string => `${inbox.key} ${threadId}`

  const isOlderThanChange = (inbox: InboxRef, threadId: string, askedAt: number): boolean =>
    pending.confirmedSince(inbox.id, threadId, askedAt)

  /** Keeps what a list says of a thread that is there already. */
  const amendListed = (
    touch: TouchCollector,
    inbox: InboxRef,
    incoming: FetchedThread,
    sealed: string,
    { askedAt, inSent }: { readonly askedAt: number; readonly inSent: boolean },
  ): void => {
    const row = rows.find(inbox, incoming.id)
    if (row === undefined) return
    const about = { hasOutbound: inSent || row.has_outbound === 1, onServer: true }
    if (row.wire === sealed) {
      amend(touch, inbox, row, incoming, sealed, about)
      return
    }
    const before = rows.read(inbox, row)
    const merged = withNews(before, incoming)
    const thread = isOlderThanChange(inbox, incoming.id, askedAt) ? inStateOf(merged, before) : merged
    amend(touch, inbox, row, thread, seal(thread), about)
    // The platform has dropped e-mails of it: which, is found out where they are read.
    const isShorter = thread.emailCount < before.emailCount && thread.receivedAt === row.received_at
    if (isShorter && row.emails_at === row.received_at) progress.fallBack(inbox, incoming.id)
  }

  /** The order of threads with one time is told by the platform's lists alone. */
  const keepOrderOfEquals = (inbox: InboxRef, threads: readonly FetchedThread[]): void => {
    for (let start = 0; start < threads.length;) {
      const time = threads[start]?.receivedAt
      let end = start + 1
      while (end < threads.length && threads[end]?.receivedAt === time) end += 1
      if (end - start > 1) {
        search.keepOrder(threads.slice(start, end).flatMap(({ id }) => rows.find(inbox, id)?.key ?? []))
      }
      start = end
    }
  }

  return {
    count: lists.count,
    countSince: lists.countSince,
    times: lists.times,
    marks: lists.marks,
    after: lists.after,
    standing: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      if (row === undefined) return undefined
      const { folder, received_at: receivedAt, on_server: onServer } = row
      return { folder, read: row.read === 1, labelIds: labelIdsOf(row), receivedAt, onServer: onServer === 1 }
    },
    countUnread: lists.countUnread,
    countOnlyHere: lists.countOnlyHere,
    countUnreadOnlyHere: lists.countUnreadOnlyHere,
    rowsBetween: lists.rowsBetween,
    rowsAbove: lists.rowsAbove,
    list: (inbox, list, window) => {
      const [known, own] = [labels.byId(inbox.key), inboxes.ownAddresses()]
      return lists.page(inbox, list, window).map((row) => toThread(row, rows.read(inbox, row), inbox.id, known, own))
    },
    get: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      if (row === undefined) return undefined
      return toThread(row, rows.read(inbox, row), inbox.id, labels.byId(inbox.key), inboxes.ownAddresses())
    },
    idsWithLabel: lists.idsWithLabel,
    serverState: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      return row === undefined ? undefined : serverStateOf(rows.read(inbox, row))
    },
    storePage: (inbox, threads, about) =>
      transact((touch) => {
        const added: SearchableThread[] = []
        const known: (readonly [FetchedThread, string])[] = []
        for (const incoming of threads) {
          if (removedAt.size > 0 && (removedAt.get(nameOf(inbox, incoming.id)) ?? -1) >= about.askedAt) continue
          const sealed = seal(incoming)
          // Nearly all threads of a first sync are new: asking first whether they are would cost as much again.
          const searchableThread = addIfNew(touch, inbox, incoming, sealed, about.inSent)
          if (searchableThread === null) known.push([incoming, sealed])
          else added.push(searchableThread)
        }
        search.addThreads(inbox.key, added)
        for (const [incoming, sealed] of known) amendListed(touch, inbox, incoming, sealed, about)
        keepOrderOfEquals(inbox, threads)
      }),
    storeState: (inbox, threadId, state, askedAt) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => {
          const known = rows.read(inbox, row)
          const isOld = isOlderThanChange(inbox, threadId, askedAt)
          return { thread: isOld ? known : withState(known, state), onServer: true }
        }),
      ),
    storeHere: (inbox, threadId, change) => {
      if (rows.find(inbox, threadId)?.on_server !== 0) return null
      const known = labels.byId(inbox.key)
      return transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => {
          const thread = rows.read(inbox, row)
          const own = new Map(thread.labels.map((label) => [label.id, label]))
          const { folder, read, labelIds } = changedState(serverStateOf(thread), change)
          // One that the platform has no more may have come back by another ID.
          const there = labelIds.filter((id) => !labels.isGone(inbox.key, id))
          const carried = there.map((id) => own.get(id) ?? known.get(id) ?? bareLabel(id))
          return { thread: withOwnState(thread, { folder, read, labels: carried }) }
        }),
      )
    },
    project: (inbox, threadIds) =>
      transact((touch) => {
        for (const threadId of threadIds) rewrite(touch, inbox, threadId, () => ({}))
      }),
    markGone: (inbox, threadId) => transact((touch) => rewrite(touch, inbox, threadId, () => ({ onServer: false }))),
    remove: (inbox, threadId) => {
      const row = rows.find(inbox, threadId)
      if (row?.on_server !== 0) return null
      return transact((touch) => {
        const before = placeOf(row)
        lists.move(inbox, row.key, before, null)
        search.dropThread(row.key)
        rows.remove(row.key)
        touch.add(threadId, before, null)
        removedAt.set(nameOf(inbox, threadId), clock.elapsed())
      })
    },
    leaveSent: (inbox, threadId) =>
      transact((touch) => rewrite(touch, inbox, threadId, () => ({ hasOutbound: false }))),
    storeReading: (inbox, threadId, reading) => transact((touch) => progress.advance(touch, inbox, threadId, reading)),
    mend: (inbox, threadId, newest) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => {
          const kept = readSealedThread(row.wire, row.id)?.thing
          if (kept !== undefined) return { thread: kept }
          const thread = threadOfColumns(row)
          return { thread: newest === undefined ? thread : withHeadOf(thread, newest) }
        }),
      ),
    lackEmails: (inbox, threadId) => index.write(() => progress.fallBack(inbox, threadId)),
    emailsComplete: progress.isComplete,
    countGone: rows.countGone,
  }
}
