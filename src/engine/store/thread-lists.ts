import { parseAssignmentLabelId, toAssignmentLabelId } from '../../shared/thread-marks.ts'
import type Database from 'better-sqlite3'
import type { CachedThreadList } from '../../shared/thread-query.ts'
import type { InboxRef } from './inboxes.ts'
import { THREAD_COLUMNS, type ThreadRow } from './thread-rows.ts'

export interface ListedRow {
  readonly id: string
  readonly time: number
}

export interface ListedRowPosition extends ListedRow {
  readonly key: number
  /** Position among threads with equal times; see `PLACE`. */
  readonly place: number
}

/** Start of a window into a list: the rows before a time, without the first `skip` ones. */
export interface ListPosition {
  /** Milliseconds, exclusive. */
  readonly before: number
  readonly skip: number
}

/** Times of a list's first and last row, in milliseconds since the epoch. */
export interface TimeRange {
  readonly newest: number
  readonly oldest: number
}

/**
 * Part of a list: the threads that have waited for an answer since a time in milliseconds, latest message first, or the
 * others.
 */
export interface ListPart {
  readonly isWaiting: boolean
  readonly since: number
}

export type StoredList = CachedThreadList & { readonly part?: ListPart }

/** A page of a list, starting at an offset or a time. */
export type ListWindow = ({ readonly offset: number } | ListPosition) & { readonly limit: number }

interface ListKey {
  readonly inboxKey: number
  readonly name: string
  readonly since: number
}

/** Parameters for a page of a list. */
interface Window extends ListKey, ListPosition {
  readonly limit: number
}

interface Behind extends ListKey, Pick<ListedRowPosition, 'time' | 'place' | 'key'> {
  readonly limit: number
}

interface Span {
  readonly inboxKey: number
  readonly after: number
  readonly upTo: number
}

/** SQL for the position among threads with equal times; 0 while the search index is being rebuilt. */
const PLACE = (key: string): string =>
  `coalesce((SELECT place FROM search_threads WHERE search_threads.thread_key = ${key}), 0)`

/** Threads of the inbox that wait for an answer, by the time of their last message. */
const WAITING = 'threads INDEXED BY threads_waiting'

/** Before and after all times. */
const BEGINNING = Number.MIN_SAFE_INTEGER
const END = Number.MAX_SAFE_INTEGER

/**
 * Prepares a list's statements. A covering index sorts its rows by time, so rows can be counted and skipped without
 * being read: a million in 20 ms. Only rows with equal times have to be sorted.
 */
const prepareList = (
  database: Database.Database,
  table: 'threads' | 'thread_labels' | typeof WAITING,
  condition: string,
  /** True if the condition needs only columns of `thread_counts`. */
  hasCounts = table === 'threads',
) => {
  const key = table === 'thread_labels' ? 'thread_labels.thread_key' : 'threads.key'
  // A thread that returns to the inbox has still waited since its last message.
  const time = table === WAITING ? 'received_at' : 'listed_at'
  const rows = `${table} WHERE inbox_key = @inboxKey AND ${condition}`
  const part = (bounds: string, window: string): string =>
    `(SELECT ${key} AS key, ${time} AS time, ${PLACE(key)} AS place FROM ${rows} AND ${bounds}
      ORDER BY ${time} DESC, place, ${key} LIMIT @limit ${window}) AS page`
  const JOINED = `CROSS JOIN threads ON threads.key = page.key ORDER BY page.time DESC, page.place, page.key`
  return {
    count: database
      .prepare<ListKey, number>(
        hasCounts
          ? `SELECT coalesce(sum(threads), 0) FROM thread_counts WHERE inbox_key = @inboxKey AND ${condition}`
          : `SELECT count(*) FROM ${rows}`,
      )
      .pluck(),
    countBetween: database
      .prepare<ListKey & { readonly from: number; readonly before: number }, number>(
        `SELECT count(*) FROM ${rows} AND ${time} >= @from AND ${time} < @before`,
      )
      .pluck(),
    rows: database.prepare<Window, ThreadRow>(
      `SELECT ${THREAD_COLUMNS} FROM ${part(`${time} < @before`, 'OFFSET @skip')} ${JOINED}`,
    ),
    times: database
      .prepare<Window, number>(
        `SELECT ${time} FROM ${rows} AND ${time} < @before ORDER BY ${time} DESC LIMIT @limit OFFSET @skip`,
      )
      .pluck(),
    /** Times from the end of the list upwards. */
    timesFromEnd: database
      .prepare<ListKey & { readonly limit: number; readonly skip: number }, number>(
        `SELECT ${time} FROM ${rows} ORDER BY ${time} LIMIT @limit OFFSET @skip`,
      )
      .pluck(),
    behind: database.prepare<Behind, ListedRowPosition>(
      `SELECT page.key, threads.id, page.time, page.place
       FROM ${part(
         `${time} <= @time AND (${time} < @time OR (${PLACE(key)}, ${key}) > (@place, @key))`,
         '',
       )} ${JOINED}`,
    ),
  }
}

const UNREAD =
  "SELECT coalesce(sum(threads), 0) FROM thread_counts WHERE inbox_key = ? AND folder = 'inbox' AND read = 0"

const prepareStatements = (database: Database.Database) => ({
  countUnread: database.prepare<[number], number>(UNREAD).pluck(),
  countUnreadOnlyHere: database.prepare<[number], number>(`${UNREAD} AND on_server = 0`).pluck(),
  // Leave out threads whose local position differs from the platform's: they would be mistaken for changes on the
  // platform.
  between: database.prepare<Span & { readonly folder: string }, ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND folder = @folder AND listed_at > @after AND listed_at <= @upTo
       AND on_server = 1 AND listed_at = received_at
     ORDER BY listed_at DESC`,
  ),
  sentBetween: database.prepare<Span, ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND in_sent = 1 AND listed_at > @after AND listed_at <= @upTo AND on_server = 1
       AND listed_at = received_at
     ORDER BY listed_at DESC`,
  ),
  above: database.prepare<
    { readonly inboxKey: number; readonly folder: string; readonly time: number; readonly limit: number },
    ListedRow
  >(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND folder = @folder AND listed_at >= @time AND on_server = 1 AND listed_at = received_at
     ORDER BY listed_at, ${PLACE('threads.key')} DESC, key DESC LIMIT @limit`,
  ),
  assignees: database
    .prepare<[number, string, string], string>(
      'SELECT DISTINCT label_id FROM thread_labels WHERE inbox_key = ? AND label_id BETWEEN ? AND ?',
    )
    .pluck(),
  withLabel: database
    .prepare<{ readonly inboxKey: number; readonly labelId: string; readonly inText: string }, string>(
      `SELECT threads.id FROM thread_labels JOIN threads ON threads.key = thread_labels.thread_key
       WHERE thread_labels.inbox_key = @inboxKey AND label_id = @labelId
       UNION ALL
       SELECT id FROM threads
       WHERE inbox_key = @inboxKey AND folder IN ('spam', 'trash') AND instr(label_ids, @inText) > 0`,
    )
    .pluck(),
})

/** Statements for complete lists (`whole`), and for lists without threads that the platform has removed (`there`). */
const prepareLists = (database: Database.Database) => ({
  whole: {
    folder: prepareList(database, 'threads', 'folder = @name'),
    sent: prepareList(database, 'threads', 'in_sent = 1'),
    label: prepareList(database, 'thread_labels', 'label_id = @name'),
  },
  there: {
    folder: prepareList(database, 'threads', 'folder = @name AND on_server = 1'),
    sent: prepareList(database, 'threads', 'in_sent = 1 AND on_server = 1'),
    label: prepareList(database, 'thread_labels', 'label_id = @name AND on_server = 1'),
  },
  localOnly: prepareList(database, 'threads', "on_server = 0 AND folder NOT IN ('spam', 'trash')"),
})

/** Conditions by the kind of list; `there` leaves out threads that the platform has removed. */
const prepareParts = (database: Database.Database) => {
  const waiting = "waits = 1 AND folder = 'inbox' AND received_at >= @since"
  const isWaiting = `(SELECT key FROM ${WAITING} WHERE inbox_key = @inboxKey AND ${waiting})`
  const hasLabel = `EXISTS (SELECT 1 FROM thread_labels AS own WHERE own.inbox_key = @inboxKey AND own.label_id = @name
    AND own.listed_at = threads.listed_at AND own.thread_key = threads.key)`
  const listsWith = (there: '' | ' AND on_server = 1') => ({
    folder: {
      waiting: prepareList(database, WAITING, `${waiting}${there}`),
      others: prepareList(database, 'threads', `folder = @name AND threads.key NOT IN ${isWaiting}${there}`, false),
    },
    label: {
      waiting: prepareList(database, WAITING, `${waiting} AND ${hasLabel}${there}`),
      others: prepareList(database, 'thread_labels', `label_id = @name AND thread_key NOT IN ${isWaiting}${there}`),
    },
  })
  return { whole: listsWith(''), there: listsWith(' AND on_server = 1') }
}

const listKeyOf = ({ key: inboxKey }: InboxRef, list: StoredList): ListKey => ({
  inboxKey,
  since: list.part?.since ?? 0,
  name: 'labelId' in list ? list.labelId : 'folder' in list ? list.folder : '',
})

/**
 * Thread lists in the platform's order, latest activity first. For equal times, the search index stores the order in
 * which the platform listed the threads.
 */
export class ThreadLists {
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #lists: ReturnType<typeof prepareLists>
  readonly #database: Database.Database
  #parts: ReturnType<typeof prepareParts> | null = null

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
    this.#lists = prepareLists(database)
  }

  /** Addresses of the assignees in the dashboard, without those of spam and trash. */
  dashboardAssignees(inbox: InboxRef): readonly string[] {
    const ids = this.#sql.assignees.all(inbox.key, toAssignmentLabelId(''), toAssignmentLabelId('\u{10ffff}'))
    return ids.flatMap((id) => parseAssignmentLabelId(id) ?? [])
  }

  page(inbox: InboxRef, list: StoredList, window: ListWindow): readonly ThreadRow[] {
    const position = 'offset' in window ? this.#seek(inbox, list, window.offset) : window
    const { limit } = window
    return this.#statementsOf(list).rows.all({ ...listKeyOf(inbox, list), ...position, limit })
  }

  times(inbox: InboxRef, list: StoredList, window: ListPosition & { readonly limit: number }): readonly number[] {
    return this.#statementsOf(list).times.all({ ...listKeyOf(inbox, list), ...window })
  }

  /** Null for an empty list. */
  range(inbox: InboxRef, list: StoredList): TimeRange | null {
    const window = { ...listKeyOf(inbox, list), limit: 1, skip: 0 }
    const { times, timesFromEnd } = this.#statementsOf(list)
    const [newest, oldest] = [times.get({ ...window, before: END }), timesFromEnd.get(window)]
    return newest === undefined || oldest === undefined ? null : { newest, oldest }
  }

  /** Threads that follow the given one in the list's order. Starts at the top if `last` is null. */
  after(
    inbox: InboxRef,
    list: CachedThreadList,
    last: ListedRowPosition | null,
    limit: number,
  ): readonly ListedRowPosition[] {
    const { time, place, key } = last ?? { time: END, place: 0, key: 0 }
    return this.#statementsOf(list).behind.all({ ...listKeyOf(inbox, list), time, place, key, limit })
  }

  count(inbox: InboxRef, list: StoredList): number {
    const { part, ...whole } = list
    if (part?.isWaiting === false)
      return this.count(inbox, whole) - this.count(inbox, { ...whole, part: { ...part, isWaiting: true } })
    return this.#statementsOf(list).count.get(listKeyOf(inbox, list)) ?? 0
  }

  /** Number of threads in a list with `from <= time < before`, in milliseconds since the epoch. */
  countBetween(inbox: InboxRef, list: StoredList, from: number, before: number): number {
    return this.#statementsOf(list).countBetween.get({ ...listKeyOf(inbox, list), from, before }) ?? 0
  }

  /** Number of unread threads in the inbox folder. */
  countUnread({ key }: InboxRef): number {
    return this.#sql.countUnread.get(key) ?? 0
  }

  /** Number of unread threads in the inbox folder that the platform has removed. */
  countUnreadOnlyHere({ key }: InboxRef): number {
    return this.#sql.countUnreadOnlyHere.get(key) ?? 0
  }

  /** IDs of all threads with a label, in any folder, including local-only threads. */
  idsWithLabel({ key: inboxKey }: InboxRef, labelId: string): readonly string[] {
    return this.#sql.withLabel.all({ inboxKey, labelId, inText: JSON.stringify(labelId) })
  }

  /** Threads that the platform's list of a folder should contain for `after < time <= upTo`, newest first. */
  rowsBetween(inbox: InboxRef, folder: string, after: number, upTo: number): readonly ListedRow[] {
    const span = { inboxKey: inbox.key, after, upTo }
    return folder === 'sent' ? this.#sql.sentBetween.all(span) : this.#sql.between.all({ ...span, folder })
  }

  /** Threads of a folder on the platform with this time or later, oldest first. */
  rowsAbove(inbox: InboxRef, folder: string, time: number, limit: number): readonly ListedRow[] {
    return this.#sql.above.all({ inboxKey: inbox.key, folder, time, limit })
  }

  /** Position of the row at an offset, counted from the nearer end of the list. */
  #seek(inbox: InboxRef, list: StoredList, offset: number): ListPosition {
    if (offset === 0) return { before: END, skip: 0 }
    const below = this.count(inbox, list) - offset
    if (below <= 0) return { before: BEGINNING, skip: 0 }
    const isNearTop = offset < below
    const [previous = END, time = BEGINNING] = isNearTop
      ? this.times(inbox, list, { before: END, skip: offset - 1, limit: 2 })
      : this.#statementsOf(list)
          .timesFromEnd.all({ ...listKeyOf(inbox, list), limit: 2, skip: below - 1 })
          .toReversed()
    const before = time + 1
    if (previous > time) return { before, skip: 0 }
    const skip = isNearTop
      ? offset - this.countBetween(inbox, list, before, END)
      : this.countBetween(inbox, list, BEGINNING, before) - below
    return { before, skip }
  }

  #statementsOf(list: StoredList): ReturnType<typeof prepareList> {
    if (list.part !== undefined) {
      this.#parts ??= prepareParts(this.#database)
      const { folder, label } = list.withoutDropped === true ? this.#parts.there : this.#parts.whole
      const parts = 'labelId' in list ? label : folder
      return list.part.isWaiting ? parts.waiting : parts.others
    }
    if ('isLocalOnly' in list) return this.#lists.localOnly
    const { folder, sent, label } = list.withoutDropped === true ? this.#lists.there : this.#lists.whole
    if ('labelId' in list) return label
    return list.folder === 'sent' ? sent : folder
  }
}

/** All threads of a list, in its order and in pages. */
export const idsOfList = function* (
  lists: Pick<ThreadLists, 'after'>,
  inbox: InboxRef,
  list: CachedThreadList,
  pageSize: number,
): Iterable<readonly string[]> {
  for (let page = lists.after(inbox, list, null, pageSize); page.length > 0;) {
    yield page.map(({ id }) => id)
    page = lists.after(inbox, list, page.at(-1) ?? null, pageSize)
  }
}
