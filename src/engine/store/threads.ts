import type Database from 'better-sqlite3'
import { createPlaceholderLabel } from '../platform/resources/labels.ts'
import type { FetchedEmail } from '../platform/resources/thread-emails.ts'
import {
  withStateOf,
  withEmailHeaders,
  mergeThread,
  withOwnState,
  withState,
  type FetchedThread,
  type FetchedThreadState,
} from '../platform/resources/threads.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import type { Label, Thread } from '../../shared/model.ts'
import type { ThreadMarks } from '../../shared/thread-marks.ts'
import { applyStateChange, isInSent, type ThreadStateChange, type ThreadState } from '../../shared/thread-state.ts'
import type { OnBrokenRow } from './broken-row.ts'
import type { InboxRef, InboxStore } from './inboxes.ts'
import type { LabelStore } from './labels.ts'
import { runInTransaction } from './watch-database.ts'
import type { StoredMarks, PendingChanges } from './pending-changes.ts'
import { parseChecksummedThread, addChecksum } from './checksummed-payload.ts'
import type { ThreadLists, ListWindow, StoredList } from './thread-lists.ts'
import { differsInState, projectThread, toSearchableThread, toServerState, type RowState } from './thread-projection.ts'
import {
  dashboardAssigneeOf,
  labelIdsOf,
  toListedThreadState,
  ThreadRows,
  rebuildThreadFromColumns,
  type DerivedThreadDetails,
  type ThreadRow,
  listThreadSenders,
} from './thread-rows.ts'
import { ListChangeCollector, type ThreadListChanges } from './thread-list-changes.ts'
import type { WebhookEventStore } from './webhook-events.ts'
import type { Clock } from '../timing/clock.ts'

export interface CurrentThreadState {
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly receivedAt: number
  readonly hasOutbound: boolean
  readonly onServer: boolean
  readonly marks?: ThreadMarks
  readonly dashboardAssignee?: string
}

/** Leaves out deleted labels. */
const labelsOf = (
  ids: readonly string[],
  own: ReadonlyMap<string, Label>,
  known: ReadonlyMap<string, Label | null>,
): readonly Label[] =>
  ids.flatMap((id) => {
    const label = known.get(id)
    return label === null ? [] : [label ?? own.get(id) ?? createPlaceholderLabel(id)]
  })

const shownMarks = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: StoredMarks): ThreadMarks => ({
  ...{ isStarred, isMuted, snoozedUntil, remindAt, back },
})

/** A thread as shown to the user: the platform's thread, with the row's columns taking precedence. */
const toThread = (
  row: ThreadRow,
  { subject, from, to, cc, bcc, labels, emailCount, hasAttachment, hasDraft }: FetchedThread,
  inboxId: string,
  known: ReadonlyMap<string, Label | null>,
  ownAddresses: ReadonlySet<string>,
  marks: StoredMarks | undefined,
): Thread => {
  const own = new Map(labels.map((label) => [label.id, label]))
  const [read, hasOutbound] = [row.read === 1, row.has_outbound === 1]
  const isCurrent = row.emails_at === row.received_at || row.on_server === 0
  const writers = listThreadSenders(row.writers, { from, read, hasOutbound }, isCurrent, ownAddresses)
  const isWaiting = row.waits === 1 && row.folder === 'inbox' && writers[0]?.isMe === false
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
    writers,
    hasOutbound,
    onServer: row.on_server === 1,
    ...(row.trashed_at !== null && { trashedAt: row.trashed_at }),
    ...(marks !== undefined && { marks: shownMarks(marks) }),
    ...dashboardAssigneeOf(row),
    ...(row.listed_at !== row.received_at && { listedAt: row.listed_at }),
    ...(isWaiting && { isWaiting }),
  }
}

interface ThreadStoreParts {
  readonly database: Database.Database
  readonly labels: Pick<LabelStore, 'byId' | 'isGone'>
  readonly inboxes: Pick<InboxStore, 'ownAddresses'>
  readonly lists: Pick<ThreadLists, 'page'>
  readonly search: Pick<SearchIndex, 'write' | 'isFromPerson'>
  readonly pending: PendingChanges
  readonly events: Pick<WebhookEventStore, 'assigneeOf'>
  readonly onBroken: OnBrokenRow
  readonly clock: Clock
}

/** Changes to a row. Omitted fields keep their values. */
interface ThreadRowUpdate {
  readonly thread?: FetchedThread
  readonly hasOutbound?: boolean
  readonly onServer?: boolean
}

interface PageOrigin {
  /** Request time (`Clock.elapsed`). */
  readonly askedAt: number
  /** True for a page of the list `sent`, whose threads may be in any folder. */
  readonly inSent: boolean
}

/** An impossible activity time, which marks that the thread's e-mails have to be fetched again. */
const NO_ACTIVITY = -1

const nameOf = (inbox: InboxRef, threadId: string): string => `${inbox.key} ${threadId}`

/** The cached threads: their lists, their state on the platform, and which of their e-mails are stored. */
export class ThreadStore {
  readonly #parts: ThreadStoreParts
  readonly #rows: ThreadRows
  /** Removal times by thread (`Clock.elapsed`). */
  readonly #removedAt = new Map<string, number>()

  constructor(parts: ThreadStoreParts) {
    const { database, onBroken } = parts
    this.#parts = parts
    this.#rows = new ThreadRows(database, onBroken)
  }

  /** Threads in a list, in its order. */
  list(inbox: InboxRef, list: StoredList, window: ListWindow): readonly Thread[] {
    const [known, own] = [this.#parts.labels.byId(inbox.key), this.#parts.inboxes.ownAddresses()]
    return this.#parts.lists.page(inbox, list, window).map((row) => this.#toThread(inbox, row, known, own))
  }

  countGone(): number {
    return this.#rows.countGone()
  }

  get(inbox: InboxRef, threadId: string): Thread | undefined {
    const row = this.#rows.find(inbox, threadId)
    if (row === undefined) return undefined
    const [known, own] = [this.#parts.labels.byId(inbox.key), this.#parts.inboxes.ownAddresses()]
    return this.#toThread(inbox, row, known, own)
  }

  /** Reads a thread's state without parsing the payload. */
  currentState(inbox: InboxRef, threadId: string): CurrentThreadState | undefined {
    const row = this.#rows.currentState(inbox, threadId)
    if (row === undefined) return undefined
    const { folder, received_at: receivedAt, on_server: onServer } = row
    const marks = this.#parts.pending.marks(inbox.id, threadId)
    return {
      ...{ folder, read: row.read === 1, labelIds: labelIdsOf(row), receivedAt },
      ...{ hasOutbound: row.has_outbound === 1, onServer: onServer === 1 },
      ...(marks !== undefined && { marks: shownMarks(marks) }),
      ...dashboardAssigneeOf(row),
    }
  }

  /** The platform's latest state of a thread, without pending changes. */
  serverState(inbox: InboxRef, threadId: string): ThreadState | undefined {
    const { overlay, marks } = this.#parts.pending
    // Without pending changes and marks, the columns have the platform's state, and the payload needn't be parsed.
    if (overlay(inbox.id, threadId) === undefined && marks(inbox.id, threadId) === undefined) {
      const known = this.#rows.currentState(inbox, threadId)
      return known && { folder: known.folder, read: known.read === 1, labelIds: labelIdsOf(known) }
    }
    const row = this.#rows.find(inbox, threadId)
    return row === undefined ? undefined : toServerState(this.#rows.read(inbox, row))
  }

  emailsComplete(inbox: InboxRef, threadId: string): boolean {
    const row = this.#rows.find(inbox, threadId)
    return row !== undefined && (row.emails_at === row.received_at || (row.on_server === 0 && row.emails_at !== null))
  }

  /** Stores a page of threads. Omitted fields keep their values, and the user's pending changes stay in effect. */
  storePage(inbox: InboxRef, threads: readonly FetchedThread[], about: PageOrigin): ThreadListChanges {
    const removedAt = this.#removedAt
    return this.#transact((touch) => {
      for (const incoming of threads) {
        if (removedAt.size > 0 && (removedAt.get(nameOf(inbox, incoming.id)) ?? -1) >= about.askedAt) continue
        const sealed = addChecksum(incoming)
        // Nearly all threads of a first sync are new, so try to add each one. Checking first would double the cost.
        if (!this.#addIfNew(touch, inbox, incoming, sealed, about.inSent)) {
          this.#amendListed(touch, inbox, incoming, sealed, about)
        }
      }
      this.#storeTieOrder(inbox, threads)
    })
  }

  /** Stores a thread's folder, labels and read state from the platform. Ignores unknown threads. */
  storeState(inbox: InboxRef, threadId: string, state: FetchedThreadState, askedAt: number): ThreadListChanges {
    return this.#rewrite(inbox, threadId, (row) => {
      const known = this.#rows.read(inbox, row)
      const isOld = this.#parts.pending.confirmedSince(inbox.id, threadId, askedAt)
      return { thread: isOld ? known : withState(known, state), onServer: true }
    })
  }

  /**
   * Applies the user's change to a thread that the platform has removed, since its state is now purely local.
   * @returns null if the platform has the thread, or if it doesn't exist
   */
  storeLocally(inbox: InboxRef, threadId: string, change: ThreadStateChange): ThreadListChanges | null {
    if (this.#rows.find(inbox, threadId)?.on_server !== 0) return null
    const known = this.#parts.labels.byId(inbox.key)
    return this.#rewrite(inbox, threadId, (row) => {
      const thread = this.#rows.read(inbox, row)
      const own = new Map(thread.labels.map((label) => [label.id, label]))
      const { folder, read, labelIds } = applyStateChange(toServerState(thread), change)
      // A label that the platform deleted may exist again under another ID.
      const there = labelIds.filter((id) => !this.#parts.labels.isGone(inbox.key, id))
      const carried = there.map((id) => own.get(id) ?? known.get(id) ?? createPlaceholderLabel(id))
      return { thread: withOwnState(thread, { folder, read, labels: carried }) }
    })
  }

  /** Applies pending changes to the platform's state again. */
  project(inbox: InboxRef, threadIds: readonly string[]): ThreadListChanges {
    return this.#transact((touch) => {
      for (const threadId of threadIds) this.#rewriteRow(touch, inbox, threadId, () => ({}))
    })
  }

  /** Marks a thread as removed from the platform. It stays readable. */
  markGone(inbox: InboxRef, threadId: string): ThreadListChanges {
    return this.#rewrite(inbox, threadId, () => ({ onServer: false }))
  }

  /**
   * Removes a local-only thread. Its e-mails must already be removed. Only a response to a later request can bring it
   * back.
   * @returns null if the platform has the thread, or if it doesn't exist
   */
  remove(inbox: InboxRef, threadId: string): ThreadListChanges | null {
    const row = this.#rows.find(inbox, threadId)
    if (row?.on_server !== 0) return null
    return this.#transact((touch) => {
      const before = toListedThreadState(row)
      this.#parts.search.write((index) => index.dropThread(row.key))
      this.#rows.remove(row.key)
      touch.add(threadId, before, null)
      this.#removedAt.set(nameOf(inbox, threadId), this.#parts.clock.elapsed())
    })
  }

  leaveSent(inbox: InboxRef, threadId: string): ThreadListChanges {
    return this.#rewrite(inbox, threadId, () => ({ hasOutbound: false }))
  }

  /** Records that a thread's e-mails are stored up to a certain activity. */
  storeReading(inbox: InboxRef, threadId: string, reading: DerivedThreadDetails): ThreadListChanges {
    return this.#transact((touch) => {
      const row = this.#rows.find(inbox, threadId)
      if (row === undefined) return
      const { snippet, hasOutbound } = reading
      const before = toListedThreadState(row)
      const after = { ...before, inSent: isInSent(row.folder, hasOutbound) }
      const writers = this.#rows.gatherWriters(row.key)
      const waits = this.#waits(row.key, writers, hasOutbound)
      this.#rows.updateReading(row, reading, { writers, waits })
      if (before.inSent !== after.inSent) {
        const thread = toSearchableThread(inbox, row.key, after, this.#rows.read(inbox, row))
        this.#parts.search.write((index) => index.indexThread(thread))
      }
      const isOtherwise =
        row.snippet !== snippet || row.writers !== writers || row.waits !== waits || before.inSent !== after.inSent
      if (isOtherwise) touch.add(threadId, before, after)
    })
  }

  /** Call when headers have shown that another kind of author wrote one of the thread's e-mails. */
  reclassify(inbox: InboxRef, threadId: string): ThreadListChanges {
    return this.#transact((touch) => {
      const row = this.#rows.find(inbox, threadId)
      if (row?.emails_at === undefined || row.emails_at === null) return
      const { emails_at: emailsAt, snippet, writers } = row
      const hasOutbound = row.has_outbound === 1
      const waits = this.#waits(row.key, writers, hasOutbound)
      if (waits === row.waits) return
      this.#rows.updateReading(row, { emailsAt, snippet, hasOutbound }, { writers, waits })
      const place = toListedThreadState(row)
      touch.add(threadId, place, place)
    })
  }

  /** Records that the thread's e-mails have to be fetched again because one was damaged. */
  markEmailsMissing(inbox: InboxRef, threadId: string): void {
    runInTransaction(this.#parts.database, () => this.#forgetEmails(inbox, threadId))
  }

  /** Replaces a damaged payload with data from the other columns and, if one is cached, the newest e-mail. */
  repair(inbox: InboxRef, threadId: string, newest: FetchedEmail | undefined): ThreadListChanges {
    return this.#rewrite(inbox, threadId, (row) => {
      const kept = parseChecksummedThread(row.wire, row.id)?.thing
      if (kept !== undefined) return { thread: kept }
      const thread = rebuildThreadFromColumns(row)
      return { thread: newest === undefined ? thread : withEmailHeaders(thread, newest) }
    })
  }

  #toThread(
    inbox: InboxRef,
    row: ThreadRow,
    known: ReadonlyMap<string, Label | null>,
    ownAddresses: ReadonlySet<string>,
  ): Thread {
    const marks = this.#parts.pending.marks(inbox.id, row.id)
    return toThread(row, this.#rows.read(inbox, row), inbox.id, known, ownAddresses, marks)
  }

  /** @returns 1 if a person outside the account wrote last */
  #waits(key: number, writers: string | null, hasOutbound: boolean): number {
    const own = this.#parts.inboxes.ownAddresses()
    const [last] = listThreadSenders(writers, { from: null, read: true, hasOutbound }, true, own)
    const newest = last === undefined || last.isMe ? undefined : this.#rows.newestEmail(key)
    if (newest === undefined || typeof newest.from !== 'string') return 0
    const { id, messageId, from, subject } = newest
    const email = { id, messageId, from: [from], subject: typeof subject === 'string' ? subject : null }
    return Number(this.#parts.search.isFromPerson(email))
  }

  #transact(work: (touch: ListChangeCollector) => void): ThreadListChanges {
    const touch = new ListChangeCollector()
    runInTransaction(this.#parts.database, () => work(touch))
    return touch
  }

  #rewrite(inbox: InboxRef, threadId: string, next: (row: ThreadRow) => ThreadRowUpdate): ThreadListChanges {
    return this.#transact((touch) => this.#rewriteRow(touch, inbox, threadId, next))
  }

  /** Adds a thread unless it exists. @returns true if it was added */
  #addIfNew(
    touch: ListChangeCollector,
    inbox: InboxRef,
    thread: FetchedThread,
    sealed: string,
    mayHaveOutbound: boolean,
  ): boolean {
    const shown = projectThread(this.#parts, inbox, thread, { hasOutbound: mayHaveOutbound, onServer: true })
    const key = this.#rows.insertIfNew(inbox, thread.id, shown, sealed)
    if (key === null) return false
    touch.add(thread.id, null, shown.place)
    this.#parts.search.write((index) => index.indexThread(toSearchableThread(inbox, key, shown.place, thread)))
    return true
  }

  #amend(
    touch: ListChangeCollector,
    inbox: InboxRef,
    row: ThreadRow,
    thread: FetchedThread,
    sealed: string,
    about: RowState,
  ): void {
    const shown = projectThread(this.#parts, inbox, thread, about)
    const { place } = shown
    const isStateOnly = row.wire === sealed && differsInState(row, shown)
    if (isStateOnly && row.folder === place.folder && row.read === Number(place.read)) return
    const searchable = toSearchableThread(inbox, row.key, place, thread)
    if (isStateOnly) {
      this.#rows.updateState(row.key, place)
      this.#parts.search.write((index) => index.indexState(searchable))
    } else {
      this.#rows.update(row.key, shown, sealed)
      this.#parts.search.write((index) => index.indexThread(searchable))
    }
    touch.add(thread.id, toListedThreadState(row), place)
  }

  /** Rewrites an existing thread; does nothing if it doesn't exist. */
  #rewriteRow(
    touch: ListChangeCollector,
    inbox: InboxRef,
    threadId: string,
    next: (row: ThreadRow) => ThreadRowUpdate,
  ): void {
    const row = this.#rows.find(inbox, threadId)
    if (row === undefined) return
    const { thread, hasOutbound = row.has_outbound === 1, onServer = row.on_server === 1 } = next(row)
    const sealed = thread === undefined ? row.wire : addChecksum(thread)
    this.#amend(touch, inbox, row, thread ?? this.#rows.read(inbox, row), sealed, { hasOutbound, onServer })
  }

  /** Merges a list response into an existing thread. */
  #amendListed(
    touch: ListChangeCollector,
    inbox: InboxRef,
    incoming: FetchedThread,
    sealed: string,
    { askedAt, inSent }: PageOrigin,
  ): void {
    const row = this.#rows.find(inbox, incoming.id)
    if (row === undefined) return
    const about = { hasOutbound: inSent || row.has_outbound === 1, onServer: true }
    if (row.wire === sealed) {
      this.#amend(touch, inbox, row, incoming, sealed, about)
      return
    }
    const before = this.#rows.read(inbox, row)
    const merged = mergeThread(before, incoming)
    const isOlderThanChange = this.#parts.pending.confirmedSince(inbox.id, incoming.id, askedAt)
    const thread = isOlderThanChange ? withStateOf(merged, before) : merged
    this.#amend(touch, inbox, row, thread, addChecksum(thread), about)
    // The platform has removed some e-mails. Fetching the thread again shows which ones.
    const isShorter = thread.emailCount < before.emailCount && thread.receivedAt === row.received_at
    if (isShorter && row.emails_at === row.received_at) this.#forgetEmails(inbox, incoming.id)
  }

  /** Has the thread's e-mails fetched again. Runs in a transaction. */
  #forgetEmails(inbox: InboxRef, threadId: string): void {
    const row = this.#rows.find(inbox, threadId)
    if (row === undefined) return
    const { snippet, has_outbound: hasOutbound } = row
    this.#rows.updateReading(row, { emailsAt: NO_ACTIVITY, snippet, hasOutbound: hasOutbound === 1 }, row)
  }

  /** Stores the order of threads with equal times, which only the platform's lists reveal. */
  #storeTieOrder(inbox: InboxRef, threads: readonly FetchedThread[]): void {
    for (let start = 0; start < threads.length;) {
      const time = threads[start]?.receivedAt
      let end = start + 1
      while (end < threads.length && threads[end]?.receivedAt === time) end += 1
      if (end - start > 1) {
        const keys = threads.slice(start, end).flatMap(({ id }) => this.#rows.find(inbox, id)?.key ?? [])
        this.#parts.search.write((index) => index.recordOrder(keys))
      }
      start = end
    }
  }
}
