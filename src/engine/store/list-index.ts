import type Database from 'better-sqlite3'
import { runInTransaction } from './watch-database.ts'

/**
 * Rows of each kind of list. An index in the cache sorts them by the column `time`; lists without one are only counted.
 */
const KINDS = {
  folder: { rows: 'threads WHERE inbox_key = ? AND folder = ?', time: 'listed_at' },
  sent: { rows: 'threads WHERE inbox_key = ? AND in_sent = 1', time: 'listed_at' },
  label: { rows: 'thread_labels WHERE inbox_key = ? AND label_id = ?', time: 'listed_at' },
  // Only counted, never listed.
  unread: { rows: "threads WHERE inbox_key = ? AND read = 0 AND folder = 'inbox'", time: null },
  // Rows of other lists that the platform has removed. Counted so that those lists can leave them out.
  dropped: { rows: 'threads WHERE inbox_key = ? AND folder = ? AND on_server = 0', time: null },
  dropped_sent: { rows: 'threads WHERE inbox_key = ? AND in_sent = 1 AND on_server = 0', time: null },
  dropped_label: {
    rows: `thread_labels JOIN threads ON threads.key = thread_labels.thread_key
           WHERE thread_labels.inbox_key = ? AND label_id = ? AND on_server = 0`,
    time: null,
  },
  dropped_unread: {
    rows: "threads WHERE inbox_key = ? AND read = 0 AND folder = 'inbox' AND on_server = 0",
    time: null,
  },
  // Must match the partial index `threads_only_here`.
  only_here: {
    rows: "threads WHERE inbox_key = ? AND on_server = 0 AND folder NOT IN ('spam', 'trash')",
    time: 'listed_at',
  },
  // Must match the partial index `threads_lacking_emails`.
  lacking: {
    rows: 'threads WHERE inbox_key = ? AND on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)',
    time: 'received_at',
  },
  received_emails: { rows: 'received_emails WHERE TRUE', time: 'created_at' },
  sent_emails: { rows: 'sent_emails WHERE TRUE', time: 'created_at' },
} as const

type Kind = keyof typeof KINDS

/** Identifies a list in the cache by its kind and parameters, such as an inbox's key and a folder. */
export interface ListRef {
  readonly kind: Kind
  readonly of: readonly (string | number)[]
}

/**
 * Creates list objects. Returns the same object for the same list each time, since pending changes are looked up by
 * object identity.
 */
export const createListRefFactory = (kind: Kind): ((inboxKey: number, name?: string) => ListRef) => {
  const known = new Map<number, Map<string | undefined, ListRef>>()
  return (inboxKey, name) => {
    const ofInbox = known.get(inboxKey) ?? new Map<string | undefined, ListRef>()
    known.set(inboxKey, ofInbox)
    const list = ofInbox.get(name) ?? { kind, of: name === undefined ? [inboxKey] : [inboxKey, name] }
    ofInbox.set(name, list)
    return list
  }
}

/** Start of a window into a list: the rows before a time, without the first `skip` ones. */
export interface ListPosition {
  /** Milliseconds, exclusive. */
  readonly before: number
  readonly skip: number
}

/** Number of rows whose time is `time` or later. */
export interface CumulativeRowCount {
  readonly time: number
  readonly rows: number
}

const ROWS_PER_SPAN = 512
const MAX_SPAN_ROWS = 1_024
const BEGINNING = Number.MIN_SAFE_INTEGER
const END = Number.MAX_SAFE_INTEGER

const nameOf = ({ kind, of }: ListRef): string => [kind, ...of].join(' ')

interface Span {
  readonly start: number
  readonly rows: number
}

interface Pending {
  difference: number
  readonly changes: { readonly time: number; readonly difference: 1 | -1 }[]
}

const recordChange = (change: Pending, time: number, difference: 1 | -1): void => {
  change.difference += difference
  change.changes.push({ time, difference })
}

const prepareRows = (database: Database.Database, kind: Kind) => {
  const { rows, time } = KINDS[kind]
  const between = `${rows} AND ${time} >= ? AND ${time} < ?`
  return {
    count: database.prepare<(string | number)[], number>(`SELECT count(*) FROM ${rows}`).pluck(),
    ordered:
      time === null
        ? null
        : {
            countBetween: database.prepare<(string | number)[], number>(`SELECT count(*) FROM ${between}`).pluck(),
            first: database
              .prepare<(string | number)[], number>(`SELECT ${time} FROM ${rows} ORDER BY ${time} DESC LIMIT 1`)
              .pluck(),
            last: database
              .prepare<(string | number)[], number>(`SELECT ${time} FROM ${rows} ORDER BY ${time} LIMIT 1`)
              .pluck(),
            /** Time of the last row in a new span; no result if there are too few rows. */
            cut: database
              .prepare<(string | number)[], number>(
                `SELECT ${time} FROM ${between} ORDER BY ${time} DESC LIMIT 1 OFFSET ${ROWS_PER_SPAN - 1}`,
              )
              .pluck(),
          },
  }
}

const prepareStatements = (database: Database.Database) => ({
  list: database.prepare<[string], { key: number; rows: number }>('SELECT key, rows FROM lists WHERE name = ?'),
  names: database.prepare<[], string>('SELECT name FROM lists WHERE rows <> 0').pluck(),
  addToList: database
    .prepare<[string, number], number>(
      `INSERT INTO lists (name, rows) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET rows = rows + excluded.rows
       RETURNING key`,
    )
    .pluck(),
  spanAt: database
    .prepare<[number, number], number>(
      'SELECT start FROM list_spans WHERE list_key = ? AND start <= ? ORDER BY start DESC LIMIT 1',
    )
    .pluck(),
  nextStart: database
    .prepare<[number, number], number>(
      'SELECT start FROM list_spans WHERE list_key = ? AND start > ? ORDER BY start LIMIT 1',
    )
    .pluck(),
  addToSpan: database.prepare<[number, number, number], { rows: number; most: number }>(
    `INSERT INTO list_spans (list_key, start, rows, most) VALUES (?, ?, ?, ${MAX_SPAN_ROWS})
     ON CONFLICT (list_key, start) DO UPDATE SET rows = rows + excluded.rows RETURNING rows, most`,
  ),
  insertSpan: database.prepare<[number, number, number, number]>(
    'INSERT INTO list_spans (list_key, start, rows, most) VALUES (?, ?, ?, ?)',
  ),
  removeSpan: database.prepare<[number, number]>('DELETE FROM list_spans WHERE list_key = ? AND start = ?'),
  sumSince: database
    .prepare<[number, number], number>(
      'SELECT coalesce(sum(rows), 0) FROM list_spans WHERE list_key = ? AND start >= ?',
    )
    .pluck(),
  newestSpans: database.prepare<[number], Span>(
    'SELECT start, rows FROM list_spans WHERE list_key = ? ORDER BY start DESC',
  ),
  oldestSpans: database.prepare<[number], Span>('SELECT start, rows FROM list_spans WHERE list_key = ? ORDER BY start'),
})

const listsWithRows = (database: Database.Database): readonly ListRef[] => {
  const inboxKeys = database.prepare<[], number>('SELECT key FROM inboxes').pluck().all()
  const pairs = (kind: 'folder' | 'label' | 'dropped' | 'dropped_label', sql: string): readonly ListRef[] =>
    database
      .prepare<[], { inbox: number; name: string }>(sql)
      .all()
      .map(({ inbox, name }) => ({ kind, of: [inbox, name] }))
  return [
    ...pairs('folder', "SELECT DISTINCT inbox_key AS inbox, folder AS name FROM threads WHERE folder <> 'sent'"),
    ...pairs('label', 'SELECT DISTINCT inbox_key AS inbox, label_id AS name FROM thread_labels'),
    ...pairs(
      'dropped',
      "SELECT DISTINCT inbox_key AS inbox, folder AS name FROM threads WHERE folder <> 'sent' AND on_server = 0",
    ),
    ...pairs(
      'dropped_label',
      `SELECT DISTINCT thread_labels.inbox_key AS inbox, label_id AS name
       FROM thread_labels JOIN threads ON threads.key = thread_labels.thread_key WHERE on_server = 0`,
    ),
    ...inboxKeys.flatMap((key) =>
      (['sent', 'unread', 'lacking', 'dropped_sent', 'dropped_unread', 'only_here'] as const).map((kind) => ({
        kind,
        of: [key],
      })),
    ),
    ...(['received_emails', 'sent_emails'] as const).map((kind) => ({ kind, of: [] })),
  ]
}

/** Stored lengths and positions of all lists. Writes to rows update them in the same transaction. */
export class ListIndex {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #rows = new Map<Kind, ReturnType<typeof prepareRows>>()
  /** Pending changes by list object, which avoids building a name for each row. */
  readonly #pending = new Map<ListRef, Pending>()
  #isWriting = false
  #failure: { readonly thrown: unknown } | null = null

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /**
   * Runs writes in one transaction; nested calls join it. If a nested write fails, everything is rolled back, even if
   * the error was caught.
   */
  write<Value>(work: () => Value): Value {
    if (!this.#isWriting) return this.#writeAll(work)
    try {
      return work()
    } catch (thrown) {
      this.#failure ??= { thrown }
      throw thrown
    }
  }

  /** Records that a row's time has changed; null means that the row isn't in the list. Call within `write`. */
  move(list: ListRef, from: number | null, to: number | null): void {
    if (from === to) return
    const change = this.#pending.get(list) ?? { difference: 0, changes: [] }
    this.#pending.set(list, change)
    if (from !== null) recordChange(change, from, -1)
    if (to !== null) recordChange(change, to, 1)
  }

  count(list: ListRef): number {
    return this.#find(list).rows
  }

  /** Number of rows whose time is `since` or later. */
  countSince(list: ListRef, since: number): number {
    const { key } = this.#find(list)
    const start = this.#sql.spanAt.get(key, since)
    const end = this.#sql.nextStart.get(key, since) ?? END
    const { ordered } = this.#rowsOf(list.kind)
    const within = start === undefined ? 0 : (ordered?.countBetween.get(...list.of, since, end) ?? 0)
    return within + (this.#sql.sumSince.get(key, end) ?? 0)
  }

  /**
   * Approximate distribution of rows, without reading them: descending times, each with the number of rows at that time
   * or later. Starts above all rows and ends at the last row. Empty for an empty list.
   */
  marks(list: ListRef): readonly CumulativeRowCount[] {
    const { key, rows: all } = this.#find(list)
    const { ordered } = this.#rowsOf(list.kind)
    const [first, last] = [ordered?.first.get(...list.of), ordered?.last.get(...list.of)]
    if (first === undefined || last === undefined) return []
    let rows = 0
    const starts = this.#sql.newestSpans
      .all(key)
      .map((span): CumulativeRowCount => ({ time: span.start, rows: (rows += span.rows) }))
    const within = starts.filter(({ time }) => time > last && time <= first)
    return [{ time: first + 1, rows: 0 }, ...within, { time: last, rows: all }]
  }

  /** Start position for reading the row at an offset. */
  seek(list: ListRef, offset: number): ListPosition {
    if (offset < ROWS_PER_SPAN) return { before: END, skip: offset }
    const { key, rows } = this.#find(list)
    if (offset >= rows) return { before: BEGINNING, skip: 0 }
    let before = END
    if (offset < rows / 2) {
      let above = 0
      for (const span of this.#sql.newestSpans.iterate(key)) {
        if (above + span.rows > offset) break
        above += span.rows
        before = span.start
      }
      return { before, skip: offset - above }
    }
    let above = rows
    for (const span of this.#sql.oldestSpans.iterate(key)) {
      if (above <= offset) {
        before = span.start
        break
      }
      above -= span.rows
    }
    return { before, skip: offset - above }
  }

  /** Names of lists whose stored counts are wrong. Counts all rows. */
  findDrift(): readonly string[] {
    const known = listsWithRows(this.#database)
    const names = new Set(known.map(nameOf))
    return [
      ...known.filter((list) => !this.#isTrue(list)).map(nameOf),
      ...this.#sql.names.all().filter((name) => !names.has(name)),
    ]
  }

  rebuild(): void {
    runInTransaction(this.#database, () => {
      this.#database.exec('DELETE FROM list_spans; DELETE FROM lists')
      for (const list of listsWithRows(this.#database)) {
        const rows = this.#rowsOf(list.kind).count.get(...list.of) ?? 0
        const key = this.#sql.addToList.get(nameOf(list), rows)
        if (key !== undefined) this.#cut(list, key, BEGINNING, END, rows)
      }
    })
  }

  #rowsOf(kind: Kind): ReturnType<typeof prepareRows> {
    const rows = this.#rows.get(kind) ?? prepareRows(this.#database, kind)
    this.#rows.set(kind, rows)
    return rows
  }

  #writeAll<Value>(work: () => Value): Value {
    this.#isWriting = true
    try {
      return runInTransaction(this.#database, () => {
        const value = work()
        if (this.#failure !== null) throw this.#failure.thrown
        this.#flush()
        return value
      })
    } finally {
      this.#isWriting = false
      this.#failure = null
      this.#pending.clear()
    }
  }

  #find(list: ListRef): { readonly key: number; readonly rows: number } {
    if (this.#pending.size > 0) this.#flush()
    return this.#sql.list.get(nameOf(list)) ?? { key: -1, rows: 0 }
  }

  #flush(): void {
    const all = [...this.#pending]
    this.#pending.clear()
    for (const [list, change] of all) {
      const key = this.#sql.addToList.get(nameOf(list), change.difference)
      if (key !== undefined && KINDS[list.kind].time !== null) this.#flushSpans(list, key, change)
    }
  }

  #flushSpans(list: ListRef, key: number, { changes }: Pending): void {
    const { spanAt, nextStart, addToSpan, removeSpan } = this.#sql
    const sorted = changes.sort((one, other) => other.time - one.time)
    for (let at = 0, next = sorted[0]; next !== undefined; next = sorted[at]) {
      const start = spanAt.get(key, next.time) ?? BEGINNING
      let difference = 0
      for (let change = sorted[at]; change !== undefined && change.time >= start; change = sorted[at]) {
        difference += change.difference
        at += 1
      }
      if (difference === 0) continue
      const { rows, most } = addToSpan.get(key, start, difference) ?? { rows: 0, most: MAX_SPAN_ROWS }
      if (rows > 0 && rows <= most) continue
      removeSpan.run(key, start)
      if (rows > 0) this.#cut(list, key, start, nextStart.get(key, start) ?? END, rows)
    }
  }

  /** Splits the rows between two times into spans of a few hundred rows. Rows with equal times stay together. */
  #cut({ kind, of }: ListRef, key: number, start: number, end: number, rows: number): void {
    const { ordered } = this.#rowsOf(kind)
    if (ordered === null) return
    for (let upper = end, left = rows; left > 0;) {
      const lower = left > 1.5 * ROWS_PER_SPAN ? (ordered.cut.get(...of, start, upper) ?? start) : start
      const isLast = lower === start
      const isAlone = (): boolean => ordered.countBetween.get(...of, lower, lower + 1) === 1
      const taken = isLast ? left : isAlone() ? ROWS_PER_SPAN : (ordered.countBetween.get(...of, lower, upper) ?? left)
      // If many rows share one time, try to split again only after their number has doubled.
      this.#sql.insertSpan.run(key, lower, taken, Math.max(MAX_SPAN_ROWS, 2 * taken))
      left = isLast ? 0 : left - taken
      upper = lower
    }
  }

  #isTrue(list: ListRef): boolean {
    const { key, rows } = this.#find(list)
    const { count, ordered } = this.#rowsOf(list.kind)
    if (count.get(...list.of) !== rows) return false
    if (ordered === null) return true
    const spans = this.#sql.newestSpans.all(key)
    const sum = spans.reduce((total, span) => total + span.rows, 0)
    return (
      sum === rows &&
      spans.every(
        (span, at) => ordered.countBetween.get(...list.of, span.start, spans[at - 1]?.start ?? END) === span.rows,
      )
    )
  }
}
