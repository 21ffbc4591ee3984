import type Database from 'better-sqlite3'
import { toLabel, toTime } from '../api/model-from-wire.ts'
import type { WireEmail, WireLabel, WireThread, WireThreadSummary } from '../api/wire.ts'
import type { SearchableThread } from '../search-index/index-writer.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { Label, Thread } from '../../shared/model.ts'
import type { KeptThreadList } from '../../shared/thread-query.ts'
import { changedState, isInSent, type ThreadState } from '../../shared/thread-state.ts'
import type { Backlog, Completeness } from './backlog.ts'
import { readKeptIds, toWireTime, type OnBroken } from './broken-row.ts'
import type { LabelStore } from './labels.ts'
import { createListNames, type KeptList, type ListIndex } from './list-index.ts'
import { readSealedThread, seal, unseal } from './sealed-wire.ts'
import type { PendingChanges } from './pending-changes.ts'
import {
  createTouchCollector,
  isUnread,
  listedLabelsOf,
  type ThreadPlace,
  type TouchCollector,
  type TouchedThreads,
} from './touched-threads.ts'

/** An inbox, by both its names. */
export interface InboxRef {
  readonly key: number
  readonly id: string
}

/** Where a thread stands in a list. */
export interface ListedRow {
  readonly id: string
  readonly time: number
}

export interface ThreadStore {
  /** Latest activity first. */
  readonly list: (inbox: InboxRef, list: KeptThreadList, window: { offset: number; limit: number }) => readonly Thread[]
  readonly count: (inbox: InboxRef, list: KeptThreadList) => number
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
  /** Marks the e-mails of a thread as complete up to an activity. */
  readonly storeReading: (
    inbox: InboxRef,
    threadId: string,
    reading: { readonly emailsAt: number; readonly snippet: string | null; readonly hasOutbound: boolean },
  ) => TouchedThreads
  /**
   * Puts words in the place of those that were damaged: what the other columns say, and the thread's newest e-mail where
   * the cache has it.
   */
  readonly mend: (inbox: InboxRef, threadId: string, newest: WireEmail | undefined) => TouchedThreads
  /** The e-mails of a thread are not all in the cache, as one of them was damaged. */
  readonly lackEmails: (inbox: InboxRef, threadId: string) => void
  readonly emailsComplete: (inbox: InboxRef, threadId: string) => boolean
  /** The threads that a folder's list should hold with `after < time <= upTo`, newest first. */
  readonly rowsBetween: (inbox: InboxRef, folder: string, after: number, upTo: number) => readonly ListedRow[]
  /** The folder's threads that the platform has, from a time on upwards, the nearest first. */
  readonly rowsAbove: (inbox: InboxRef, folder: string, time: number, limit: number) => readonly ListedRow[]
  /** Threads in the folder inbox that are unread. */
  readonly countUnread: (inbox: InboxRef) => number
}

interface Row {
  readonly key: number
  readonly id: string
  readonly received_at: number
  readonly folder: string
  readonly read: number
  readonly label_ids: string
  readonly has_outbound: number
  readonly in_sent: number
  readonly on_server: number
  readonly snippet: string | null
  readonly emails_at: number | null
  readonly wire: string
}

/** A thread as a person sees it, and what only the lists need to know of it. */
interface Shown {
  readonly place: ThreadPlace
  readonly hasOutbound: boolean
  /** JSON. */
  readonly labelIds: string
}

const COLUMNS =
  'key, id, received_at, folder, read, label_ids, has_outbound, in_sent, on_server, snippet, emails_at, wire'

const parseIds = (text: string): readonly string[] => readKeptIds(text) ?? []

/** What a row says of its thread where the platform's words are damaged. */
const wireOfColumns = (row: Row): WireThread => ({
  id: row.id,
  received_at: toWireTime(row.received_at),
  folder: row.folder,
  read: row.read === 1,
  labels: parseIds(row.label_ids).map((id) => ({ id })),
})

const serverStateOf = (wire: WireThread): ThreadState => ({
  folder: wire.folder ?? 'inbox',
  read: wire.read ?? true,
  labelIds: (wire.labels ?? []).map(({ id }) => id),
})

const placeOf = (row: Row): ThreadPlace => ({
  receivedAt: row.received_at,
  folder: row.folder,
  inSent: row.in_sent === 1,
  labelIds: parseIds(row.label_ids),
  read: row.read === 1,
})

const completenessOf = (row: Row): Completeness => ({
  receivedAt: row.received_at,
  emailsAt: row.emails_at,
  onServer: row.on_server === 1,
})

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

const countOf = ({ email_count: count, message_count: formerCount }: WireThread): number => count ?? formerCount ?? 1

const toThread = (row: Row, wire: WireThread, inboxId: string, known: ReadonlyMap<string, Label>): Thread => {
  const own = new Map((wire.labels ?? []).map((label: WireLabel) => [label.id, label]))
  return {
    id: row.id,
    inboxId,
    subject: wire.subject ?? null,
    from: wire.from ?? null,
    to: wire.to ?? [],
    cc: wire.cc ?? [],
    bcc: wire.bcc ?? [],
    labels: parseIds(row.label_ids).map((id) => known.get(id) ?? toLabel(own.get(id) ?? { id })),
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

const searchable = (
  inboxKey: number,
  key: number,
  { inSent, ...place }: ThreadPlace,
  wire: WireThread,
): SearchableThread => ({ key, inboxKey, hasOutbound: inSent, emailCount: countOf(wire), ...place })

export const createThreadStore = (
  database: Database.Database,
  labels: LabelStore,
  lists: ListIndex,
  backlog: Pick<Backlog, 'note'>,
  search: Pick<SearchIndex, 'keepThread' | 'addThreads' | 'keepOrder'>,
  pending: PendingChanges,
  onBroken: OnBroken,
): ThreadStore => {
  const selectOne = database.prepare<[number, string], Row>(
    `SELECT ${COLUMNS} FROM threads WHERE inbox_key = ? AND id = ?`,
  )
  const insertIfNew = database.prepare<[number, string, number, string, number, string, number, number, string]>(
    `INSERT INTO threads (inbox_key, id, received_at, folder, read, label_ids, has_outbound, in_sent, on_server, wire)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (inbox_key, id) DO NOTHING`,
  )
  const update = database.prepare<[number, string, number, string, number, number, number, string, number]>(
    `UPDATE threads SET received_at = ?, folder = ?, read = ?, label_ids = ?, has_outbound = ?, in_sent = ?,
       on_server = ?, wire = ?
     WHERE key = ?`,
  )
  const updateReading = database.prepare<[number, string | null, number, number, number]>(
    'UPDATE threads SET emails_at = ?, snippet = ?, has_outbound = ?, in_sent = ? WHERE key = ?',
  )
  const insertLabel = database.prepare<[number, string, number, number]>(
    'INSERT OR IGNORE INTO thread_labels (inbox_key, label_id, received_at, thread_key) VALUES (?, ?, ?, ?)',
  )
  const deleteLabel = database.prepare<[number, string, number, number]>(
    'DELETE FROM thread_labels WHERE inbox_key = ? AND label_id = ? AND received_at = ? AND thread_key = ?',
  )
  const selectFolder = database.prepare<[number, string, number, number, number], Row>(
    `SELECT ${COLUMNS} FROM threads WHERE inbox_key = ? AND folder = ? AND received_at < ?
     ORDER BY received_at DESC, id DESC LIMIT ? OFFSET ?`,
  )
  const selectSent = database.prepare<[number, number, number, number], Row>(
    `SELECT ${COLUMNS} FROM threads WHERE inbox_key = ? AND in_sent = 1 AND received_at < ?
     ORDER BY received_at DESC, id DESC LIMIT ? OFFSET ?`,
  )
  const selectLabel = database.prepare<[number, string, number, number, number], Row>(
    `SELECT ${COLUMNS.replace(/\w+/g, 'threads.$&')}
     FROM (SELECT received_at, thread_key FROM thread_labels
           WHERE inbox_key = ? AND label_id = ? AND received_at < ?
           ORDER BY received_at DESC, thread_key DESC LIMIT ? OFFSET ?) AS page
     JOIN threads ON threads.key = page.thread_key
     ORDER BY page.received_at DESC, page.thread_key DESC`,
  )
  const selectBetween = database.prepare<[number, string, number, number], ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = ? AND folder = ? AND received_at > ? AND received_at <= ? AND on_server = 1
     ORDER BY received_at DESC`,
  )
  const selectSentBetween = database.prepare<[number, number, number], ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = ? AND in_sent = 1 AND received_at > ? AND received_at <= ? AND on_server = 1
     ORDER BY received_at DESC`,
  )
  const selectAbove = database.prepare<[number, string, number, number], ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = ? AND folder = ? AND received_at >= ? AND on_server = 1
     ORDER BY received_at, id LIMIT ?`,
  )

  const readWire = (inbox: InboxRef, row: Row): WireThread => {
    const read = readSealedThread(row.wire, row.id)
    if (read?.isSound !== true || readKeptIds(row.label_ids) === null) {
      onBroken({ kind: 'thread', inboxId: inbox.id, threadId: row.id })
    }
    return read?.wire ?? wireOfColumns(row)
  }

  const inFolder = createListNames('folder')
  const labelList = createListNames('label')
  const sentList = createListNames('sent')
  const unreadList = createListNames('unread')
  const folderList = (inboxKey: number, folder: string): KeptList =>
    folder === 'sent' ? sentList(inboxKey) : inFolder(inboxKey, folder)
  const keptList = (inboxKey: number, list: KeptThreadList): KeptList =>
    'labelId' in list ? labelList(inboxKey, list.labelId) : folderList(inboxKey, list.folder)

  const transact = (work: (touch: TouchCollector) => void): TouchedThreads => {
    const touch = createTouchCollector()
    lists.write(() => work(touch))
    return touch.touched()
  }

  /** Keeps the lists of labels, and the numbers of all lists, true to where a thread now stands. */
  const relist = (inboxKey: number, threadKey: number, before: ThreadPlace | null, after: ThreadPlace): void => {
    const labelsBefore = before === null ? [] : listedLabelsOf(before)
    const labelsAfter = listedLabelsOf(after)
    const moved = before?.receivedAt !== after.receivedAt
    for (const labelId of labelsBefore) {
      if (before === null || (!moved && labelsAfter.includes(labelId))) continue
      const { changes } = deleteLabel.run(inboxKey, labelId, before.receivedAt, threadKey)
      if (changes > 0) lists.move(labelList(inboxKey, labelId), before.receivedAt, null)
    }
    for (const labelId of labelsAfter) {
      if (!moved && labelsBefore.includes(labelId)) continue
      const { changes } = insertLabel.run(inboxKey, labelId, after.receivedAt, threadKey)
      if (changes > 0) lists.move(labelList(inboxKey, labelId), null, after.receivedAt)
    }
    const move = (list: KeptList, isIn: (place: ThreadPlace) => boolean): void =>
      lists.move(
        list,
        before !== null && isIn(before) ? before.receivedAt : null,
        isIn(after) ? after.receivedAt : null,
      )
    const moveIn = (folder: string): void => {
      if (folder !== 'sent') move(inFolder(inboxKey, folder), (place) => place.folder === folder)
    }
    moveIn(after.folder)
    if (before !== null && before.folder !== after.folder) moveIn(before.folder)
    move(sentList(inboxKey), ({ inSent }) => inSent)
    move(unreadList(inboxKey), isUnread)
  }

  /** How a person sees what the platform says: with the pending changes laid over it. */
  const shownOf = (inbox: InboxRef, wire: WireThread, mayHaveOutbound: boolean): Shown => {
    const server = serverStateOf(wire)
    const overlay = pending.overlay(inbox.id, wire.id)
    const state = overlay === undefined ? server : changedState(server, overlay)
    const hasOutbound = mayHaveOutbound || state.folder === 'sent'
    const place = { ...state, receivedAt: toTime(wire.received_at), inSent: isInSent(state.folder, hasOutbound) }
    return { place, hasOutbound, labelIds: JSON.stringify(state.labelIds) }
  }

  /** @returns what the search is to know of it; null where the thread is there already: nothing is written then */
  const addIfNew = (
    touch: TouchCollector,
    inbox: InboxRef,
    wire: WireThread,
    wireText: string,
    mayHaveOutbound: boolean,
  ): SearchableThread | null => {
    const { place, hasOutbound, labelIds } = shownOf(inbox, wire, mayHaveOutbound)
    const { changes, lastInsertRowid } = insertIfNew.run(
      inbox.key,
      wire.id,
      place.receivedAt,
      place.folder,
      Number(place.read),
      labelIds,
      Number(hasOutbound),
      Number(place.inSent),
      wireText,
    )
    if (changes === 0) return null
    backlog.note(inbox.key, null, { receivedAt: place.receivedAt, emailsAt: null, onServer: true })
    relist(inbox.key, Number(lastInsertRowid), null, place)
    touch.add(wire.id, null, place)
    return searchable(inbox.key, Number(lastInsertRowid), place, wire)
  }

  /** Writes what the platform now says of a thread, where that differs from what is there. */
  const amend = (
    touch: TouchCollector,
    inbox: InboxRef,
    row: Row,
    wire: WireThread,
    wireText: string,
    about: { readonly hasOutbound: boolean; readonly onServer: boolean },
  ): void => {
    const { place, hasOutbound, labelIds } = shownOf(inbox, wire, about.hasOutbound)
    const isSame =
      unseal(row.wire) === unseal(wireText) &&
      row.received_at === place.receivedAt &&
      row.folder === place.folder &&
      row.read === Number(place.read) &&
      row.label_ids === labelIds &&
      row.has_outbound === Number(hasOutbound) &&
      row.in_sent === Number(place.inSent) &&
      row.on_server === Number(about.onServer)
    if (isSame && row.wire === wireText) return
    update.run(
      place.receivedAt,
      place.folder,
      Number(place.read),
      labelIds,
      Number(hasOutbound),
      Number(place.inSent),
      Number(about.onServer),
      wireText,
      row.key,
    )
    backlog.note(inbox.key, completenessOf(row), {
      receivedAt: place.receivedAt,
      emailsAt: row.emails_at,
      onServer: about.onServer,
    })
    // Words of a first version get their checksum: nothing that anybody sees has changed.
    if (isSame) return
    const before = placeOf(row)
    relist(inbox.key, row.key, before, place)
    search.keepThread(searchable(inbox.key, row.key, place, wire))
    touch.add(wire.id, before, place)
  }

  /** Writes a thread that is there anew; one that is not is left alone. */
  const rewrite = (
    touch: TouchCollector,
    inbox: InboxRef,
    threadId: string,
    next: (row: Row) => { readonly wire?: WireThread; readonly hasOutbound?: boolean; readonly onServer?: boolean },
  ): void => {
    const row = selectOne.get(inbox.key, threadId)
    if (row === undefined) return
    const { wire, hasOutbound = row.has_outbound === 1, onServer = row.on_server === 1 } = next(row)
    amend(touch, inbox, row, wire ?? readWire(inbox, row), wire === undefined ? row.wire : seal(wire), {
      hasOutbound,
      onServer,
    })
  }

  /** The order of threads with one time is told by the platform's lists alone. */
  const keepOrderOfEquals = (inbox: InboxRef, wires: readonly WireThread[]): void => {
    for (let start = 0; start < wires.length;) {
      const time = toTime(wires[start]?.received_at)
      let end = start + 1
      while (end < wires.length && toTime(wires[end]?.received_at) === time) end += 1
      if (end - start > 1) {
        search.keepOrder(wires.slice(start, end).flatMap(({ id }) => selectOne.get(inbox.key, id)?.key ?? []))
      }
      start = end
    }
  }

  const isOlderThanChange = (inbox: InboxRef, threadId: string, askedAt: number): boolean =>
    pending.confirmedSince(inbox.id, threadId, askedAt)

  return {
    list: (inbox, list, { offset, limit }) => {
      const known = labels.byId(inbox.key)
      const { before, skip } = lists.seek(keptList(inbox.key, list), offset)
      const rows =
        'labelId' in list
          ? selectLabel.all(inbox.key, list.labelId, before, limit, skip)
          : list.folder === 'sent'
            ? selectSent.all(inbox.key, before, limit, skip)
            : selectFolder.all(inbox.key, list.folder, before, limit, skip)
      return rows.map((row) => toThread(row, readWire(inbox, row), inbox.id, known))
    },
    count: (inbox, list) => lists.count(keptList(inbox.key, list)),
    get: (inbox, threadId) => {
      const row = selectOne.get(inbox.key, threadId)
      return row === undefined ? undefined : toThread(row, readWire(inbox, row), inbox.id, labels.byId(inbox.key))
    },
    serverState: (inbox, threadId) => {
      const row = selectOne.get(inbox.key, threadId)
      return row === undefined ? undefined : serverStateOf(readWire(inbox, row))
    },
    storePage: (inbox, wires, { askedAt, inSent }) =>
      transact((touch) => {
        const added: SearchableThread[] = []
        const known: (readonly [WireThread, string])[] = []
        for (const incoming of wires) {
          const incomingText = seal(incoming)
          // Nearly all threads of a first sync are new: asking first whether they are would cost as much again.
          const searchableThread = addIfNew(touch, inbox, incoming, incomingText, inSent)
          if (searchableThread === null) known.push([incoming, incomingText])
          else added.push(searchableThread)
        }
        search.addThreads(inbox.key, added)
        for (const [incoming, incomingText] of known) {
          const row = selectOne.get(inbox.key, incoming.id)
          if (row === undefined) continue
          const about = { hasOutbound: inSent || row.has_outbound === 1, onServer: true }
          if (unseal(row.wire) === unseal(incomingText)) {
            amend(touch, inbox, row, incoming, incomingText, about)
            continue
          }
          const before = readWire(inbox, row)
          const merged = merge(before, incoming)
          const wire = isOlderThanChange(inbox, incoming.id, askedAt) ? withState(merged, before) : merged
          amend(touch, inbox, row, wire, seal(wire), about)
        }
        keepOrderOfEquals(inbox, wires)
      }),
    storeState: (inbox, threadId, { folder, read, labels: labelsNow }, askedAt) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => ({
          wire: isOlderThanChange(inbox, threadId, askedAt)
            ? readWire(inbox, row)
            : merge(readWire(inbox, row), { folder, read, labels: labelsNow }),
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
    storeReading: (inbox, threadId, { emailsAt, snippet, hasOutbound }) =>
      transact((touch) => {
        const row = selectOne.get(inbox.key, threadId)
        if (row === undefined) return
        const before = placeOf(row)
        const after = { ...before, inSent: isInSent(row.folder, hasOutbound) }
        updateReading.run(emailsAt, snippet, Number(hasOutbound), Number(after.inSent), row.key)
        backlog.note(inbox.key, completenessOf(row), { ...completenessOf(row), emailsAt })
        relist(inbox.key, row.key, before, after)
        if (before.inSent !== after.inSent)
          search.keepThread(searchable(inbox.key, row.key, after, readWire(inbox, row)))
        if (row.snippet !== snippet || before.inSent !== after.inSent) touch.add(threadId, before, after)
      }),
    mend: (inbox, threadId, newest) =>
      transact((touch) =>
        rewrite(touch, inbox, threadId, (row) => {
          const kept = readSealedThread(row.wire, row.id)?.wire
          const { from, to, cc, bcc, subject } = newest ?? {}
          return { wire: kept ?? merge(wireOfColumns(row), { from, to, cc, bcc, subject }) }
        }),
      ),
    lackEmails: (inbox, threadId) => {
      transact(() => {
        const row = selectOne.get(inbox.key, threadId)
        // No activity has this time: what the row says of its e-mails is true of none.
        if (row === undefined) return
        updateReading.run(-1, row.snippet, row.has_outbound, row.in_sent, row.key)
        backlog.note(inbox.key, completenessOf(row), { ...completenessOf(row), emailsAt: -1 })
      })
    },
    emailsComplete: (inbox, threadId) => {
      const row = selectOne.get(inbox.key, threadId)
      return row !== undefined && (row.emails_at === row.received_at || (row.on_server === 0 && row.emails_at !== null))
    },
    rowsBetween: (inbox, folder, after, upTo) =>
      folder === 'sent'
        ? selectSentBetween.all(inbox.key, after, upTo)
        : selectBetween.all(inbox.key, folder, after, upTo),
    rowsAbove: (inbox, folder, time, limit) => selectAbove.all(inbox.key, folder, time, limit),
    countUnread: (inbox) => lists.count(unreadList(inbox.key)),
  }
}
