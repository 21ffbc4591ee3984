import type Database from 'better-sqlite3'
import { isInSent } from '../../shared/thread-state.ts'
import { bareThread, type FetchedThread } from '../api/threads.ts'
import { readKeptIds, type OnBroken } from './broken-row.ts'
import type { Completeness } from './backlog.ts'
import type { InboxRef } from './inboxes.ts'
import { readSealedThread } from './sealed-words.ts'
import { keepWriters, SELECT_SENDERS } from './thread-writers.ts'
import type { ThreadPlace } from './touched-threads.ts'

/** A thread as it is kept: what a person sees of it in columns, and beside them the platform's own words. */
export interface ThreadRow {
  readonly key: number
  readonly id: string
  readonly received_at: number
  readonly folder: string
  readonly read: number
  /** JSON. */
  readonly label_ids: string
  readonly has_outbound: number
  readonly in_sent: number
  readonly on_server: number
  readonly snippet: string | null
  /** JSON: `keepWriters`. */
  readonly writers: string | null
  readonly emails_at: number | null
  readonly trashed_at: number | null
  /** The platform's own words behind their checksum: `seal`. */
  readonly wire: string
}

/** The columns of a `ThreadRow`, for a SELECT. */
export const THREAD_COLUMNS = [
  ...['key', 'id', 'received_at', 'folder', 'read', 'label_ids', 'has_outbound', 'in_sent', 'on_server', 'snippet'],
  ...['writers', 'emails_at', 'trashed_at', 'wire'],
]
  .map((column) => `threads.${column}`)
  .join(', ')

/** A thread as a person sees it, and what only the lists need to know of it. */
export interface ShownThread {
  readonly place: ThreadPlace
  readonly hasOutbound: boolean
  /** JSON. */
  readonly labelIds: string
}

/** What the e-mails of a thread say of it once they are here. */
export interface Reading {
  /** The activity up to which they are here. */
  readonly emailsAt: number
  /** The beginning of the newest one's text. */
  readonly snippet: string | null
  readonly hasOutbound: boolean
}

export const labelIdsOf = (row: ThreadRow): readonly string[] => readKeptIds(row.label_ids) ?? []

export const placeOf = (row: ThreadRow): ThreadPlace => ({
  receivedAt: row.received_at,
  folder: row.folder,
  inSent: row.in_sent === 1,
  labelIds: labelIdsOf(row),
  read: row.read === 1,
  onServer: row.on_server === 1,
})

export const completenessOf = (row: ThreadRow): Completeness => ({
  receivedAt: row.received_at,
  emailsAt: row.emails_at,
  onServer: row.on_server === 1,
})

/** What a row says of its thread where the platform's words are damaged. */
export const threadOfColumns = (row: ThreadRow): FetchedThread => bareThread(row.id, placeOf(row))

/** The table of threads: one row at a time. The lists that rows stand in are kept by `ThreadLists`. */
export interface ThreadRows {
  readonly find: (inbox: InboxRef, threadId: string) => ThreadRow | undefined
  /** What the platform said of a thread; where that is damaged, what the columns say, and it is told that it is. */
  readonly read: (inbox: InboxRef, row: ThreadRow) => FetchedThread
  /** @returns the key of the new row; null where the thread is there already: nothing is written then */
  readonly insertIfNew: (inbox: InboxRef, threadId: string, shown: ShownThread, sealed: string) => number | null
  readonly update: (key: number, shown: ShownThread, onServer: boolean, sealed: string) => void
  readonly updateReading: (row: ThreadRow, reading: Reading, writers: string | null) => void
  /** Who wrote in a thread, of the e-mails that are here: what its `writers` are to be. */
  readonly gatherWriters: (key: number) => string
  readonly remove: (key: number) => void
  /** Rows of threads that the platform no longer holds; it goes over all of them. */
  readonly countGone: () => number
}

export const createThreadRows = (database: Database.Database, onBroken: OnBroken): ThreadRows => {
  const select = database.prepare<{ inboxKey: number; id: string }, ThreadRow>(
    `SELECT ${THREAD_COLUMNS} FROM threads WHERE inbox_key = @inboxKey AND id = @id`,
  )
  // By place, not by name: a first sync runs nothing as often, and names would cost it a twentieth of its rate.
  const insertIfNew = database.prepare<[number, string, number, string, number, string, number, number, string]>(
    `INSERT INTO threads (inbox_key, id, received_at, folder, read, label_ids, has_outbound, in_sent, on_server, wire)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?) ON CONFLICT (inbox_key, id) DO NOTHING`,
  )
  const update = database.prepare<{
    key: number
    receivedAt: number
    folder: string
    read: number
    labelIds: string
    hasOutbound: number
    inSent: number
    onServer: number
    sealed: string
  }>(
    `UPDATE threads SET received_at = @receivedAt, folder = @folder, read = @read, label_ids = @labelIds,
       has_outbound = @hasOutbound, in_sent = @inSent, on_server = @onServer, wire = @sealed
     WHERE key = @key`,
  )
  const updateReading = database.prepare<{
    key: number
    emailsAt: number
    snippet: string | null
    writers: string | null
    hasOutbound: number
    inSent: number
  }>(
    `UPDATE threads SET emails_at = @emailsAt, snippet = @snippet, writers = @writers, has_outbound = @hasOutbound,
       in_sent = @inSent
     WHERE key = @key`,
  )
  const selectSenders = database.prepare<[number], string>(SELECT_SENDERS).pluck()
  const remove = database.prepare<[number]>('DELETE FROM threads WHERE key = ?')
  const countGone = database.prepare<[], number>('SELECT count(*) FROM threads WHERE on_server = 0').pluck()
  return {
    remove: (key) => {
      remove.run(key)
    },
    countGone: () => countGone.get() ?? 0,
    find: (inbox, threadId) => select.get({ inboxKey: inbox.key, id: threadId }),
    read: (inbox, row) => {
      const read = readSealedThread(row.wire, row.id)
      if (read?.isSound !== true || readKeptIds(row.label_ids) === null) {
        onBroken({ kind: 'thread', inboxId: inbox.id, threadId: row.id })
      }
      return read?.thing ?? threadOfColumns(row)
    },
    insertIfNew: (inbox, threadId, { place, hasOutbound, labelIds }, sealed) => {
      const { changes, lastInsertRowid } = insertIfNew.run(
        inbox.key,
        threadId,
        place.receivedAt,
        place.folder,
        Number(place.read),
        labelIds,
        Number(hasOutbound),
        Number(place.inSent),
        sealed,
      )
      return changes === 0 ? null : Number(lastInsertRowid)
    },
    update: (key, { place, hasOutbound, labelIds }, onServer, sealed) => {
      update.run({
        key,
        receivedAt: place.receivedAt,
        folder: place.folder,
        read: Number(place.read),
        labelIds,
        hasOutbound: Number(hasOutbound),
        inSent: Number(place.inSent),
        onServer: Number(onServer),
        sealed,
      })
    },
    updateReading: ({ key, folder }, { emailsAt, snippet, hasOutbound }, writers) => {
      const inSent = Number(isInSent(folder, hasOutbound))
      updateReading.run({ key, emailsAt, snippet, writers, hasOutbound: Number(hasOutbound), inSent })
    },
    gatherWriters: (key) => keepWriters(selectSenders.all(key)),
  }
}
