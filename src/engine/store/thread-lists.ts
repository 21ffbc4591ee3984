import type Database from 'better-sqlite3'
import type { CachedThreadList } from '../../shared/thread-query.ts'
import type { InboxRef } from './inboxes.ts'
import {
  createListRefFactory,
  type ListRef,
  type ListIndex,
  type ListPosition,
  type CumulativeRowCount,
} from './list-index.ts'
import { THREAD_COLUMNS, type ThreadRow } from './thread-rows.ts'
import { isInLocalOnlyList, countsAsUnread, listedLabelsOf, type ListedThreadState } from './thread-list-changes.ts'

export interface ListedRow {
  readonly id: string
  readonly time: number
}

export interface ListedRowPosition extends ListedRow {
  readonly key: number
  /** Position among threads with equal times; see `PLACE`. */
  readonly place: number
}

/** A page of a list, starting at an offset or a time. */
export type ListWindow = ({ readonly offset: number } | ListPosition) & { readonly limit: number }

interface LabelRow {
  readonly inboxKey: number
  readonly labelId: string
  readonly listedAt: number
  readonly threadKey: number
}

interface ListKey {
  readonly inboxKey: number
  readonly name: string
}

/** Parameters for a page of a list: the rows before a time, without the first `skip` ones. */
interface Window extends ListKey {
  readonly before: number
  readonly limit: number
  readonly skip: number
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

/**
 * Prepares a list's statements. A database index sorts rows by time, so only rows with equal times have to be sorted,
 * and reading just times needs no positions.
 */
const prepareList = (database: Database.Database, table: 'threads' | 'thread_labels', condition: string) => {
  const key = table === 'threads' ? 'threads.key' : 'thread_labels.thread_key'
  const part = (bounds: string, window: string): string =>
    `(SELECT ${key} AS key, listed_at, ${PLACE(key)} AS place FROM ${table}
      WHERE inbox_key = @inboxKey AND ${condition} AND ${bounds}
      ORDER BY listed_at DESC, place, ${key} LIMIT @limit ${window}) AS page`
  const JOINED = `CROSS JOIN threads ON threads.key = page.key ORDER BY page.listed_at DESC, page.place, page.key`
  return {
    rows: database.prepare<Window, ThreadRow>(
      `SELECT ${THREAD_COLUMNS} FROM ${part('listed_at < @before', 'OFFSET @skip')} ${JOINED}`,
    ),
    times: database
      .prepare<Window, number>(
        `SELECT listed_at FROM ${table} WHERE inbox_key = @inboxKey AND ${condition} AND listed_at < @before
         ORDER BY listed_at DESC LIMIT @limit OFFSET @skip`,
      )
      .pluck(),
    countNewer: database
      .prepare<Omit<Window, 'limit' | 'skip'> & { readonly after: number }, number>(
        `SELECT count(*) FROM ${table}
         WHERE inbox_key = @inboxKey AND ${condition} AND listed_at > @after AND listed_at < @before`,
      )
      .pluck(),
    behind: database.prepare<Behind, ListedRowPosition>(
      `SELECT page.key, threads.id, page.listed_at AS time, page.place
       FROM ${part(
         `listed_at <= @time AND (listed_at < @time OR (${PLACE(key)}, ${key}) > (@place, @key))`,
         '',
       )} ${JOINED}`,
    ),
  }
}

const DROPPED_SINCE = 'on_server = 0 AND threads.listed_at >= @since'

const prepareStatements = (database: Database.Database) => ({
  insertLabel: database.prepare<LabelRow>(
    `INSERT OR IGNORE INTO thread_labels (inbox_key, label_id, listed_at, thread_key)
     VALUES (@inboxKey, @labelId, @listedAt, @threadKey)`,
  ),
  deleteLabel: database.prepare<LabelRow>(
    `DELETE FROM thread_labels
     WHERE inbox_key = @inboxKey AND label_id = @labelId AND listed_at = @listedAt AND thread_key = @threadKey`,
  ),
  countFolderDropped: database
    .prepare<{ readonly inboxKey: number; readonly folder: string; readonly since: number }, number>(
      `SELECT count(*) FROM threads WHERE inbox_key = @inboxKey AND folder = @folder AND ${DROPPED_SINCE}`,
    )
    .pluck(),
  countSentDropped: database
    .prepare<{ readonly inboxKey: number; readonly since: number }, number>(
      `SELECT count(*) FROM threads WHERE inbox_key = @inboxKey AND in_sent = 1 AND ${DROPPED_SINCE}`,
    )
    .pluck(),
  countLabelDropped: database
    .prepare<{ readonly inboxKey: number; readonly labelId: string; readonly since: number }, number>(
      `SELECT count(*) FROM thread_labels JOIN threads ON threads.key = thread_labels.thread_key
       WHERE thread_labels.inbox_key = @inboxKey AND label_id = @labelId AND ${DROPPED_SINCE}`,
    )
    .pluck(),
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

const IS_ON_SERVER = '(SELECT on_server FROM threads WHERE threads.key = thread_labels.thread_key) = 1'

/** Statements for complete lists (`whole`), and for lists without threads that the platform has removed (`there`). */
const prepareLists = (database: Database.Database) => ({
  whole: {
    folder: prepareList(database, 'threads', 'folder = @name'),
    sent: prepareList(database, 'threads', 'in_sent = 1'),
    label: prepareList(database, 'thread_labels', 'label_id = @name'),
    localOnly: prepareList(database, 'threads', "on_server = 0 AND folder NOT IN ('spam', 'trash')"),
  },
  // These filtered lists have no spans: they are only read if the platform has removed threads from the list.
  there: {
    folder: prepareList(database, 'threads', 'folder = @name AND on_server = 1'),
    sent: prepareList(database, 'threads', 'in_sent = 1 AND on_server = 1'),
    label: prepareList(database, 'thread_labels', `label_id = @name AND ${IS_ON_SERVER}`),
  },
})

const createNames = () => ({
  folder: createListRefFactory('folder'),
  label: createListRefFactory('label'),
  sent: createListRefFactory('sent'),
  unread: createListRefFactory('unread'),
  localOnly: createListRefFactory('only_here'),
  droppedIn: createListRefFactory('dropped'),
  droppedSent: createListRefFactory('dropped_sent'),
  droppedUnread: createListRefFactory('dropped_unread'),
  droppedLabel: createListRefFactory('dropped_label'),
})

const listKeyOf = ({ key: inboxKey }: InboxRef, list: CachedThreadList): ListKey => ({
  inboxKey,
  name: 'labelId' in list ? list.labelId : 'folder' in list ? list.folder : '',
})

/**
 * Thread lists in the platform's order, latest activity first. For equal times, the search index stores the order in
 * which the platform listed the threads.
 */
export class ThreadLists {
  readonly #index: Pick<ListIndex, 'seek' | 'count' | 'countSince' | 'marks' | 'move'>
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #lists: ReturnType<typeof prepareLists>
  readonly #names = createNames()

  constructor(database: Database.Database, index: Pick<ListIndex, 'seek' | 'count' | 'countSince' | 'marks' | 'move'>) {
    this.#index = index
    this.#sql = prepareStatements(database)
    this.#lists = prepareLists(database)
  }

  page(inbox: InboxRef, list: CachedThreadList, asked: ListWindow): readonly ThreadRow[] {
    const { statements, window } = this.#partOf(inbox, list, asked)
    // First skip rows by time alone, so that positions are only looked up from that time on.
    const [first] = statements.times.all({ ...window, limit: 1 })
    if (first === undefined) return []
    const { inboxKey, name, before, limit, skip } = window
    const newer = statements.countNewer.get({ inboxKey, name, before, after: first }) ?? 0
    return statements.rows.all({ inboxKey, name, before: first + 1, limit, skip: skip - newer })
  }

  times(inbox: InboxRef, list: CachedThreadList, asked: ListWindow): readonly number[] {
    const { statements, window } = this.#partOf(inbox, list, asked)
    return statements.times.all(window)
  }

  /** Distribution of rows over time (`ListIndex.marks`). Includes rows that the list leaves out. */
  marks(inbox: InboxRef, list: CachedThreadList): readonly CumulativeRowCount[] {
    return this.#index.marks(this.#keptList(inbox.key, list))
  }

  /** Threads that follow the given one in the list's order. Starts at the top if `last` is null. */
  after(
    inbox: InboxRef,
    list: CachedThreadList,
    last: ListedRowPosition | null,
    limit: number,
  ): readonly ListedRowPosition[] {
    const { time, place, key } = last ?? { time: Number.MAX_SAFE_INTEGER, place: 0, key: 0 }
    const { behind } = this.#statementsOf(list, list.withoutDropped === true)
    return behind.all({ ...listKeyOf(inbox, list), time, place, key, limit })
  }

  count(inbox: InboxRef, list: CachedThreadList): number {
    return this.#index.count(this.#keptList(inbox.key, list)) - this.#countLeftOut(inbox.key, list)
  }

  /** Number of threads in a list with a time of `since` or later, in milliseconds since the epoch. */
  countSince(inbox: InboxRef, list: CachedThreadList, since: number): number {
    const all = this.#index.countSince(this.#keptList(inbox.key, list), since)
    if (all === 0 || this.#countLeftOut(inbox.key, list) === 0) return all
    const span = { inboxKey: inbox.key, since }
    if ('labelId' in list) return all - (this.#sql.countLabelDropped.get({ ...span, labelId: list.labelId }) ?? 0)
    if ('folder' in list && list.folder !== 'sent') {
      return all - (this.#sql.countFolderDropped.get({ ...span, folder: list.folder }) ?? 0)
    }
    return all - (this.#sql.countSentDropped.get(span) ?? 0)
  }

  /** Number of threads that the platform has removed, except in spam and trash. */
  countOnlyHere(inbox: InboxRef): number {
    return this.#index.count(this.#names.localOnly(inbox.key))
  }

  /** Number of unread threads in the inbox folder that the platform has removed. */
  countUnreadOnlyHere(inbox: InboxRef): number {
    return this.#index.count(this.#names.droppedUnread(inbox.key))
  }

  countUnread(inbox: InboxRef): number {
    return this.#index.count(this.#names.unread(inbox.key))
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

  /**
   * Updates label lists and all list lengths when a thread moves. Call within a list index transaction.
   * @param before null for a new thread @param after null for a removed thread
   */
  move(
    { key: inboxKey }: InboxRef,
    threadKey: number,
    before: ListedThreadState | null,
    after: ListedThreadState | null,
  ): void {
    this.#moveLabels(inboxKey, threadKey, before, after)
    const names = this.#names
    const moveIn = (list: ListRef, isIn: (place: ListedThreadState) => boolean): void =>
      this.#index.move(
        list,
        before !== null && isIn(before) ? before.listedAt : null,
        after !== null && isIn(after) ? after.listedAt : null,
      )
    const folders = new Set([before, after].flatMap((place) => (place === null ? [] : [place.folder])))
    for (const folder of folders) {
      if (folder !== 'sent') moveIn(names.folder(inboxKey, folder), (place) => place.folder === folder)
    }
    moveIn(names.sent(inboxKey), ({ inSent }) => inSent)
    moveIn(names.unread(inboxKey), countsAsUnread)
    if (before?.onServer !== false && after?.onServer !== false) return
    moveIn(names.localOnly(inboxKey), isInLocalOnlyList)
    moveIn(names.droppedUnread(inboxKey), (place) => !place.onServer && countsAsUnread(place))
    moveIn(names.droppedSent(inboxKey), ({ inSent, onServer }) => inSent && !onServer)
    for (const folder of folders) {
      if (folder === 'sent') continue
      moveIn(names.droppedIn(inboxKey, folder), (place) => !place.onServer && place.folder === folder)
    }
  }

  #moveLabels(
    inboxKey: number,
    threadKey: number,
    before: ListedThreadState | null,
    after: ListedThreadState | null,
  ): void {
    const { label: labelList, droppedLabel } = this.#names
    const labelsBefore = before === null ? [] : listedLabelsOf(before)
    const labelsAfter = after === null ? [] : listedLabelsOf(after)
    const listedAt = after?.listedAt ?? 0
    const isMoved = before?.listedAt !== after?.listedAt
    for (const labelId of labelsBefore) {
      if (before === null || (!isMoved && labelsAfter.includes(labelId))) continue
      const { changes } = this.#sql.deleteLabel.run({ inboxKey, labelId, listedAt: before.listedAt, threadKey })
      if (changes > 0) this.#index.move(labelList(inboxKey, labelId), before.listedAt, null)
    }
    if (before !== null && !before.onServer) {
      for (const labelId of labelsBefore) this.#index.move(droppedLabel(inboxKey, labelId), before.listedAt, null)
    }
    if (after?.onServer === false) {
      for (const labelId of labelsAfter) this.#index.move(droppedLabel(inboxKey, labelId), null, listedAt)
    }
    for (const labelId of labelsAfter) {
      if (!isMoved && labelsBefore.includes(labelId)) continue
      const { changes } = this.#sql.insertLabel.run({ inboxKey, labelId, listedAt, threadKey })
      if (changes > 0) this.#index.move(labelList(inboxKey, labelId), null, listedAt)
    }
  }

  #keptList(inboxKey: number, list: CachedThreadList): ListRef {
    if ('isLocalOnly' in list) return this.#names.localOnly(inboxKey)
    if ('labelId' in list) return this.#names.label(inboxKey, list.labelId)
    return list.folder === 'sent' ? this.#names.sent(inboxKey) : this.#names.folder(inboxKey, list.folder)
  }

  #countLeftOut(inboxKey: number, list: CachedThreadList): number {
    if (list.withoutDropped !== true || 'isLocalOnly' in list) return 0
    const { droppedLabel, droppedSent, droppedIn } = this.#names
    if ('labelId' in list) return this.#index.count(droppedLabel(inboxKey, list.labelId))
    return this.#index.count(list.folder === 'sent' ? droppedSent(inboxKey) : droppedIn(inboxKey, list.folder))
  }

  #statementsOf(list: CachedThreadList, isPart: boolean): ReturnType<typeof prepareList> {
    if ('isLocalOnly' in list) return this.#lists.whole.localOnly
    const { folder, sent, label } = isPart ? this.#lists.there : this.#lists.whole
    if ('labelId' in list) return label
    return list.folder === 'sent' ? sent : folder
  }

  #partOf(inbox: InboxRef, list: CachedThreadList, { limit, ...place }: ListWindow) {
    const isPart = this.#countLeftOut(inbox.key, list) > 0
    const seek = (offset: number): ListPosition =>
      isPart
        ? { before: Number.MAX_SAFE_INTEGER, skip: offset }
        : this.#index.seek(this.#keptList(inbox.key, list), offset)
    const { before, skip } = 'offset' in place ? seek(place.offset) : place
    return { statements: this.#statementsOf(list, isPart), window: { ...listKeyOf(inbox, list), before, limit, skip } }
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
