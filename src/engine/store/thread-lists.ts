import type Database from 'better-sqlite3'
import type { KeptThreadList } from '../../shared/thread-query.ts'
import type { InboxRef } from './inboxes.ts'
import { createListNames, type KeptList, type ListIndex, type ListPlace, type TimeMark } from './list-index.ts'
import { THREAD_COLUMNS, type ThreadRow } from './thread-rows.ts'
import { isListedOnlyHere, isUnread, listedLabelsOf, type ThreadPlace } from './touched-threads.ts'

/** Where a thread stands in a list. */
export interface ListedRow {
  readonly id: string
  readonly time: number
}

/** A thread by which a list is gone through. */
export interface ThreadPlaceInList extends ListedRow {
  readonly key: number
  /** Among threads of one time: `PLACE`. */
  readonly place: number
}

/** A page of a list: from a row on, by how many stand before it, or by its time. */
export type ListWindow = ({ readonly offset: number } | ListPlace) & { readonly limit: number }

/**
 * The lists that threads stand in: their order, and their lengths, which writes keep. The order is the platform's: latest
 * activity first, and threads of one time as the platform's lists were seen to have them, which the search index knows.
 */
export interface ThreadLists {
  readonly page: (inbox: InboxRef, list: KeptThreadList, window: ListWindow) => readonly ThreadRow[]
  /** The times of the rows of a page. */
  readonly times: (inbox: InboxRef, list: KeptThreadList, window: ListWindow) => readonly number[]
  /** How the rows lie in time (`ListIndex.marks`); those that a list leaves out are among them. */
  readonly marks: (inbox: InboxRef, list: KeptThreadList) => readonly TimeMark[]
  readonly count: (inbox: InboxRef, list: KeptThreadList) => number
  /** How many threads of a list are of a time or later, milliseconds since the epoch. */
  readonly countSince: (inbox: InboxRef, list: KeptThreadList, since: number) => number
  /** The threads that come after one in a list's order, at its beginning where that is null: all of it, some at a time. */
  readonly after: (
    inbox: InboxRef,
    list: KeptThreadList,
    last: ThreadPlaceInList | null,
    limit: number,
  ) => readonly ThreadPlaceInList[]
  /** All threads that carry a label, wherever they lie, those that only this computer has as well. */
  readonly idsWithLabel: (inbox: InboxRef, labelId: string) => readonly string[]
  /** Threads that the platform has dropped, without those in spam and trash. */
  readonly countOnlyHere: (inbox: InboxRef) => number
  /** Those of the unread threads in the folder inbox that the platform has dropped. */
  readonly countUnreadOnlyHere: (inbox: InboxRef) => number
  /** Threads in the folder inbox that are unread. */
  readonly countUnread: (inbox: InboxRef) => number
  /** The threads that a folder's list should hold with `after < time <= upTo`, newest first. */
  readonly rowsBetween: (inbox: InboxRef, folder: string, after: number, upTo: number) => readonly ListedRow[]
  /** The folder's threads that the platform has, from a time on upwards, the nearest first. */
  readonly rowsAbove: (inbox: InboxRef, folder: string, time: number, limit: number) => readonly ListedRow[]
  /**
   * Within a write of the lists' index: keeps the lists of labels, and the numbers of all lists, true to where a thread
   * now stands; `before` is null for a new one, `after` for one that is removed.
   */
  readonly move: (inbox: InboxRef, threadKey: number, before: ThreadPlace | null, after: ThreadPlace | null) => void
}

/** A label's list has this row of a thread. */
interface LabelRow {
  readonly inboxKey: number
  readonly labelId: string
  readonly receivedAt: number
  readonly threadKey: number
}

/** Whose list it is, and which: a folder or a label by its name. */
interface Named {
  readonly inboxKey: number
  readonly name: string
}

/** A part of a list: so many rows before a time, leaving out the first of them. */
interface Window extends Named {
  readonly before: number
  readonly limit: number
  readonly skip: number
}

/** A part of a list behind one of its threads. */
interface Behind extends Named, Pick<ThreadPlaceInList, 'time' | 'place' | 'key'> {
  readonly limit: number
}

/** A part of a list by time. */
interface Span {
  readonly inboxKey: number
  readonly after: number
  readonly upTo: number
}

/**
 * In SQL: where a thread stands among those of its time, the smaller the earlier; 0 for one that the search index does not
 * have, as it is being made anew.
 */
const PLACE = (key: string): string =>
  `coalesce((SELECT place FROM search_threads WHERE search_threads.thread_key = ${key}), 0)`

export const createThreadLists = (
  database: Database.Database,
  lists: Pick<ListIndex, 'seek' | 'count' | 'countSince' | 'marks' | 'move'>,
): ThreadLists => {
  const insertLabel = database.prepare<LabelRow>(
    `INSERT OR IGNORE INTO thread_labels (inbox_key, label_id, received_at, thread_key)
     VALUES (@inboxKey, @labelId, @receivedAt, @threadKey)`,
  )
  const deleteLabel = database.prepare<LabelRow>(
    `DELETE FROM thread_labels
     WHERE inbox_key = @inboxKey AND label_id = @labelId AND received_at = @receivedAt AND thread_key = @threadKey`,
  )
  /**
   * The statements over a list's rows. An index gives them by time: only those of one time are sorted, and the times alone
   * are read without a look at where threads stand among equals.
   */
  const prepareList = (table: 'threads' | 'thread_labels', condition: string) => {
    const key = table === 'threads' ? 'threads.key' : 'thread_labels.thread_key'
    const part = (bounds: string, window: string): string =>
      `(SELECT ${key} AS key, received_at, ${PLACE(key)} AS place FROM ${table}
        WHERE inbox_key = @inboxKey AND ${condition} AND ${bounds}
        ORDER BY received_at DESC, place, ${key} LIMIT @limit ${window}) AS page`
    const JOINED = `CROSS JOIN threads ON threads.key = page.key ORDER BY page.received_at DESC, page.place, page.key`
    return {
      rows: database.prepare<Window, ThreadRow>(
        `SELECT ${THREAD_COLUMNS} FROM ${part('received_at < @before', 'OFFSET @skip')} ${JOINED}`,
      ),
      times: database
        .prepare<Window, number>(
          `SELECT received_at FROM ${table} WHERE inbox_key = @inboxKey AND ${condition} AND received_at < @before
           ORDER BY received_at DESC LIMIT @limit OFFSET @skip`,
        )
        .pluck(),
      countNewer: database
        .prepare<Omit<Window, 'limit' | 'skip'> & { readonly after: number }, number>(
          `SELECT count(*) FROM ${table}
           WHERE inbox_key = @inboxKey AND ${condition} AND received_at > @after AND received_at < @before`,
        )
        .pluck(),
      behind: database.prepare<Behind, ThreadPlaceInList>(
        `SELECT page.key, threads.id, page.received_at AS time, page.place
         FROM ${part(
           `received_at <= @time AND (received_at < @time OR (${PLACE(key)}, ${key}) > (@place, @key))`,
           '',
         )} ${JOINED}`,
      ),
    }
  }
  const ONLY_HERE = "on_server = 0 AND folder NOT IN ('spam', 'trash')"
  const whole = {
    folder: prepareList('threads', 'folder = @name'),
    sent: prepareList('threads', 'in_sent = 1'),
    label: prepareList('thread_labels', 'label_id = @name'),
    onlyHere: prepareList('threads', ONLY_HERE),
  }
  // Without what the platform has dropped, where there is something: no spans are kept of these.
  const IS_THERE = '(SELECT on_server FROM threads WHERE threads.key = thread_labels.thread_key) = 1'
  const there = {
    folder: prepareList('threads', 'folder = @name AND on_server = 1'),
    sent: prepareList('threads', 'in_sent = 1 AND on_server = 1'),
    label: prepareList('thread_labels', `label_id = @name AND ${IS_THERE}`),
  }
  const statementsOf = (list: KeptThreadList, isPart: boolean): ReturnType<typeof prepareList> => {
    if ('isOnlyHere' in list) return whole.onlyHere
    const { folder, sent, label } = isPart ? there : whole
    if ('labelId' in list) return label
    return list.folder === 'sent' ? sent : folder
  }
  const namedOf = ({ key: inboxKey }: InboxRef, list: KeptThreadList): Named => ({
    inboxKey,
    name: 'labelId' in list ? list.labelId : 'folder' in list ? list.folder : '',
  })
  const DROPPED_SINCE = 'on_server = 0 AND threads.received_at >= @since'
  const countFolderDropped = database
    .prepare<{ readonly inboxKey: number; readonly folder: string; readonly since: number }, number>(
      `SELECT count(*) FROM threads WHERE inbox_key = @inboxKey AND folder = @folder AND ${DROPPED_SINCE}`,
    )
    .pluck()
  const countSentDropped = database
    .prepare<{ readonly inboxKey: number; readonly since: number }, number>(
      `SELECT count(*) FROM threads WHERE inbox_key = @inboxKey AND in_sent = 1 AND ${DROPPED_SINCE}`,
    )
    .pluck()
  const countLabelDropped = database
    .prepare<{ readonly inboxKey: number; readonly labelId: string; readonly since: number }, number>(
      `SELECT count(*) FROM thread_labels JOIN threads ON threads.key = thread_labels.thread_key
       WHERE thread_labels.inbox_key = @inboxKey AND label_id = @labelId AND ${DROPPED_SINCE}`,
    )
    .pluck()
  const selectBetween = database.prepare<Span & { readonly folder: string }, ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND folder = @folder AND received_at > @after AND received_at <= @upTo
       AND on_server = 1
     ORDER BY received_at DESC`,
  )
  const selectSentBetween = database.prepare<Span, ListedRow>(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND in_sent = 1 AND received_at > @after AND received_at <= @upTo AND on_server = 1
     ORDER BY received_at DESC`,
  )
  const selectAbove = database.prepare<
    { readonly inboxKey: number; readonly folder: string; readonly time: number; readonly limit: number },
    ListedRow
  >(
    `SELECT id, received_at AS time FROM threads
     WHERE inbox_key = @inboxKey AND folder = @folder AND received_at >= @time AND on_server = 1
     ORDER BY received_at, ${PLACE('threads.key')} DESC, key DESC LIMIT @limit`,
  )
  const selectWithLabel = database
    .prepare<{ readonly inboxKey: number; readonly labelId: string; readonly inText: string }, string>(
      `SELECT threads.id FROM thread_labels JOIN threads ON threads.key = thread_labels.thread_key
       WHERE thread_labels.inbox_key = @inboxKey AND label_id = @labelId
       UNION ALL
       SELECT id FROM threads
       WHERE inbox_key = @inboxKey AND folder IN ('spam', 'trash') AND instr(label_ids, @inText) > 0`,
    )
    .pluck()

  const inFolder = createListNames('folder')
  const labelList = createListNames('label')
  const sentList = createListNames('sent')
  const unreadList = createListNames('unread')
  const onlyHereList = createListNames('only_here')
  const droppedIn = createListNames('dropped')
  const droppedSent = createListNames('dropped_sent')
  const droppedUnread = createListNames('dropped_unread')
  const droppedLabel = createListNames('dropped_label')
  const keptList = (inboxKey: number, list: KeptThreadList): KeptList => {
    if ('isOnlyHere' in list) return onlyHereList(inboxKey)
    if ('labelId' in list) return labelList(inboxKey, list.labelId)
    return list.folder === 'sent' ? sentList(inboxKey) : inFolder(inboxKey, list.folder)
  }
  /** How many threads of a list are left out, as the platform has dropped them. */
  const countLeftOut = (inboxKey: number, list: KeptThreadList): number => {
    if (list.withoutDropped !== true || 'isOnlyHere' in list) return 0
    if ('labelId' in list) return lists.count(droppedLabel(inboxKey, list.labelId))
    return lists.count(list.folder === 'sent' ? droppedSent(inboxKey) : droppedIn(inboxKey, list.folder))
  }

  /** The statements that read a list, and the window of it in their words. */
  const partOf = (inbox: InboxRef, list: KeptThreadList, { limit, ...place }: ListWindow) => {
    const isPart = countLeftOut(inbox.key, list) > 0
    const seek = (offset: number): ListPlace =>
      isPart ? { before: Number.MAX_SAFE_INTEGER, skip: offset } : lists.seek(keptList(inbox.key, list), offset)
    const { before, skip } = 'offset' in place ? seek(place.offset) : place
    return { statements: statementsOf(list, isPart), window: { ...namedOf(inbox, list), before, limit, skip } }
  }

  const moveLabels = (
    inboxKey: number,
    threadKey: number,
    before: ThreadPlace | null,
    after: ThreadPlace | null,
  ): void => {
    const labelsBefore = before === null ? [] : listedLabelsOf(before)
    const labelsAfter = after === null ? [] : listedLabelsOf(after)
    const receivedAt = after?.receivedAt ?? 0
    const isMoved = before?.receivedAt !== after?.receivedAt
    for (const labelId of labelsBefore) {
      if (before === null || (!isMoved && labelsAfter.includes(labelId))) continue
      const { changes } = deleteLabel.run({ inboxKey, labelId, receivedAt: before.receivedAt, threadKey })
      if (changes > 0) lists.move(labelList(inboxKey, labelId), before.receivedAt, null)
    }
    if (before !== null && !before.onServer) {
      for (const labelId of labelsBefore) lists.move(droppedLabel(inboxKey, labelId), before.receivedAt, null)
    }
    if (after?.onServer === false) {
      for (const labelId of labelsAfter) lists.move(droppedLabel(inboxKey, labelId), null, receivedAt)
    }
    for (const labelId of labelsAfter) {
      if (!isMoved && labelsBefore.includes(labelId)) continue
      const { changes } = insertLabel.run({ inboxKey, labelId, receivedAt, threadKey })
      if (changes > 0) lists.move(labelList(inboxKey, labelId), null, receivedAt)
    }
  }

  return {
    idsWithLabel: ({ key: inboxKey }, labelId) =>
      selectWithLabel.all({ inboxKey, labelId, inText: JSON.stringify(labelId) }),
    page: (...asked) => {
      const { statements, window } = partOf(...asked)
      // Rows that are left out are counted by their times: only where those of the first one's time stand is looked up.
      const [first] = statements.times.all({ ...window, limit: 1 })
      if (first === undefined) return []
      const { inboxKey, name, before, limit, skip } = window
      const newer = statements.countNewer.get({ inboxKey, name, before, after: first }) ?? 0
      return statements.rows.all({ inboxKey, name, before: first + 1, limit, skip: skip - newer })
    },
    times: (...asked) => {
      const { statements, window } = partOf(...asked)
      return statements.times.all(window)
    },
    marks: (inbox, list) => lists.marks(keptList(inbox.key, list)),
    after: (inbox, list, last, limit) => {
      const { time, place, key } = last ?? { time: Number.MAX_SAFE_INTEGER, place: 0, key: 0 }
      const { behind } = statementsOf(list, list.withoutDropped === true)
      return behind.all({ ...namedOf(inbox, list), time, place, key, limit })
    },
    count: (inbox, list) => lists.count(keptList(inbox.key, list)) - countLeftOut(inbox.key, list),
    countSince: (inbox, list, since) => {
      const all = lists.countSince(keptList(inbox.key, list), since)
      if (all === 0 || countLeftOut(inbox.key, list) === 0) return all
      const span = { inboxKey: inbox.key, since }
      if ('labelId' in list) return all - (countLabelDropped.get({ ...span, labelId: list.labelId }) ?? 0)
      if ('folder' in list && list.folder !== 'sent') {
        return all - (countFolderDropped.get({ ...span, folder: list.folder }) ?? 0)
      }
      return all - (countSentDropped.get(span) ?? 0)
    },
    countOnlyHere: (inbox) => lists.count(onlyHereList(inbox.key)),
    countUnreadOnlyHere: (inbox) => lists.count(droppedUnread(inbox.key)),
    countUnread: (inbox) => lists.count(unreadList(inbox.key)),
    rowsBetween: (inbox, folder, after, upTo) => {
      const span = { inboxKey: inbox.key, after, upTo }
      return folder === 'sent' ? selectSentBetween.all(span) : selectBetween.all({ ...span, folder })
    },
    rowsAbove: (inbox, folder, time, limit) => selectAbove.all({ inboxKey: inbox.key, folder, time, limit }),
    move: ({ key: inboxKey }, threadKey, before, after) => {
      moveLabels(inboxKey, threadKey, before, after)
      const moveIn = (list: KeptList, isIn: (place: ThreadPlace) => boolean): void =>
        lists.move(
          list,
          before !== null && isIn(before) ? before.receivedAt : null,
          after !== null && isIn(after) ? after.receivedAt : null,
        )
      const moveInFolder = (folder: string): void => {
        if (folder !== 'sent') moveIn(inFolder(inboxKey, folder), (place) => place.folder === folder)
      }
      const folders = new Set([before, after].flatMap((place) => (place === null ? [] : [place.folder])))
      for (const folder of folders) moveInFolder(folder)
      moveIn(sentList(inboxKey), ({ inSent }) => inSent)
      moveIn(unreadList(inboxKey), isUnread)
      if (before?.onServer !== false && after?.onServer !== false) return
      moveIn(onlyHereList(inboxKey), isListedOnlyHere)
      moveIn(droppedUnread(inboxKey), (place) => !place.onServer && isUnread(place))
      moveIn(droppedSent(inboxKey), ({ inSent, onServer }) => inSent && !onServer)
      for (const folder of folders) {
        if (folder !== 'sent')
          moveIn(droppedIn(inboxKey, folder), (place) => !place.onServer && place.folder === folder)
      }
    },
  }
}
