import type Database from 'better-sqlite3'
import { joinTransaction } from './join-transaction.ts'

/** The rows that each kind of list is made of. An index of the cache gives them by time, unless there is none. */
const KINDS = {
  folder: { rows: 'threads WHERE inbox_key = ? AND folder = ?', time: 'received_at' },
  sent: { rows: 'threads WHERE inbox_key = ? AND in_sent = 1', time: 'received_at' },
  label: { rows: 'thread_labels WHERE inbox_key = ? AND label_id = ?', time: 'received_at' },
  // Only ever counted.
  unread: { rows: "threads WHERE inbox_key = ? AND read = 0 AND folder = 'inbox'", time: null },
  // What of other lists is only here: counted, so that the others can be told.
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
  // The condition of the partial index `threads_only_here`.
  only_here: {
    rows: "threads WHERE inbox_key = ? AND on_server = 0 AND folder NOT IN ('spam', 'trash')",
    time: 'received_at',
  },
  // The condition of the partial index `threads_lacking_emails`.
  lacking: {
    rows: 'threads WHERE inbox_key = ? AND on_server = 1 AND (emails_at IS NULL OR emails_at <> received_at)',
    time: 'received_at',
  },
  received_emails: { rows: 'received_emails WHERE TRUE', time: 'created_at' },
  sent_emails: { rows: 'sent_emails WHERE TRUE', time: 'created_at' },
  contacts: { rows: 'contacts WHERE TRUE', time: 'created_at' },
} as const

type Kind = keyof typeof KINDS

/** A list of the cache: its kind, and what tells it from others of the kind, such as an inbox's key and a folder. */
export interface KeptList {
  readonly kind: Kind
  readonly of: readonly (string | number)[]
}

/**
 * Gives the same object for the same list of a kind each time: a list that a row is put into is looked up by it.
 * @returns the list of an inbox by its name, where the kind has one
 */
export const createListNames = (kind: Kind): ((inboxKey: number, name?: string) => KeptList) => {
  const known = new Map<number, Map<string | undefined, KeptList>>()
  return (inboxKey, name) => {
    const ofInbox = known.get(inboxKey) ?? new Map<string | undefined, KeptList>()
    known.set(inboxKey, ofInbox)
    const list = ofInbox.get(name) ?? { kind, of: name === undefined ? [inboxKey] : [inboxKey, name] }
    ofInbox.set(name, list)
    return list
  }
}

/** From where a window of a list is read: from the rows before a time on, leaving out the first of them. */
export interface ListPlace {
  /** Milliseconds, exclusive. */
  readonly before: number
  readonly skip: number
}

/** So many rows of a list are of a time or later. */
export interface TimeMark {
  readonly time: number
  readonly rows: number
}

/**
 * The lengths of all lists and the places in them, as numbers beside the rows: each write of rows keeps them in the same
 * transaction, and nobody counts.
 */
export interface ListIndex {
  /**
   * Runs writes as one, those of several stores where it is called within itself. Nothing is ever taken back in part: a
   * write that fails within another takes all of it back, even where its error was caught.
   */
  readonly write: <Value>(work: () => Value) => Value
  /** Within `write`: a row of a list has gone from a time to another; null where it is not in the list. */
  readonly move: (list: KeptList, from: number | null, to: number | null) => void
  readonly count: (list: KeptList) => number
  /** How many rows are of a time or later. */
  readonly countSince: (list: KeptList, since: number) => number
  /**
   * How the rows lie in time, as far as it is known without a look at them: times that fall, and how many rows are of each or
   * later; first what is later than all, last the time of the last row. None for an empty list.
   */
  readonly marks: (list: KeptList) => readonly TimeMark[]
  /** Where the row is that so many rows stand before, by time and then as the list orders those of one time. */
  readonly seek: (list: KeptList, offset: number) => ListPlace
  /** The lists whose numbers are not those of their rows: counts all of them. */
  readonly findDrift: () => readonly string[]
  /** Counts all lists anew. */
  readonly rebuild: () => void
}

/** Rows of a span that was just cut. */
const CUT = 512
/** Rows above which a span is cut. */
const MOST = 1_024
const BEGINNING = Number.MIN_SAFE_INTEGER
const END = Number.MAX_SAFE_INTEGER

const nameOf = ({ kind, of }: KeptList): string => [kind, ...of].join(' ')

interface Span {
  readonly start: number
  readonly rows: number
}

interface Pending {
  /** How many more rows there are, or fewer. */
  difference: number
  /** The times of rows that came, and of those that went. */
  readonly changes: { readonly time: number; readonly difference: 1 | -1 }[]
}

/** The statements over a list's own rows. */
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
            /** The time of the row that ends a new span, if there are as many. */
            cut: database
              .prepare<(string | number)[], number>(
                `SELECT ${time} FROM ${between} ORDER BY ${time} DESC LIMIT 1 OFFSET ${CUT - 1}`,
              )
              .pluck(),
          },
  }
}

export const createListIndex = (database: Database.Database): ListIndex => {
  const selectList = database.prepare<[string], { key: number; rows: number }>(
    'SELECT key, rows FROM lists WHERE name = ?',
  )
  const selectNames = database.prepare<[], string>('SELECT name FROM lists WHERE rows <> 0').pluck()
  const addToList = database
    .prepare<[string, number], number>(
      `INSERT INTO lists (name, rows) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET rows = rows + excluded.rows
       RETURNING key`,
    )
    .pluck()
  const selectSpanAt = database
    .prepare<[number, number], number>(
      'SELECT start FROM list_spans WHERE list_key = ? AND start <= ? ORDER BY start DESC LIMIT 1',
    )
    .pluck()
  const selectNextStart = database
    .prepare<[number, number], number>(
      'SELECT start FROM list_spans WHERE list_key = ? AND start > ? ORDER BY start LIMIT 1',
    )
    .pluck()
  const addToSpan = database.prepare<[number, number, number], { rows: number; most: number }>(
    `INSERT INTO list_spans (list_key, start, rows, most) VALUES (?, ?, ?, ${MOST})
     ON CONFLICT (list_key, start) DO UPDATE SET rows = rows + excluded.rows RETURNING rows, most`,
  )
  const insertSpan = database.prepare<[number, number, number, number]>(
    'INSERT INTO list_spans (list_key, start, rows, most) VALUES (?, ?, ?, ?)',
  )
  const removeSpan = database.prepare<[number, number]>('DELETE FROM list_spans WHERE list_key = ? AND start = ?')
  const sumSince = database
    .prepare<[number, number], number>(
      'SELECT coalesce(sum(rows), 0) FROM list_spans WHERE list_key = ? AND start >= ?',
    )
    .pluck()
  const newestSpans = database.prepare<[number], Span>(
    'SELECT start, rows FROM list_spans WHERE list_key = ? ORDER BY start DESC',
  )
  const oldestSpans = database.prepare<[number], Span>(
    'SELECT start, rows FROM list_spans WHERE list_key = ? ORDER BY start',
  )

  const prepared = new Map<Kind, ReturnType<typeof prepareRows>>()
  const rowsOf = (kind: Kind): ReturnType<typeof prepareRows> => {
    const rows = prepared.get(kind) ?? prepareRows(database, kind)
    prepared.set(kind, rows)
    return rows
  }

  /** Divides the rows between two times, so many, into spans of a few hundred; those of one time stay together. */
  const cut = ({ kind, of }: KeptList, key: number, start: number, end: number, rows: number): void => {
    const { ordered } = rowsOf(kind)
    if (ordered === null) return
    for (let upper = end, left = rows; left > 0;) {
      const lower = left > 1.5 * CUT ? (ordered.cut.get(...of, start, upper) ?? start) : start
      const isLast = lower === start
      const isAlone = (): boolean => ordered.countBetween.get(...of, lower, lower + 1) === 1
      const taken = isLast ? left : isAlone() ? CUT : (ordered.countBetween.get(...of, lower, upper) ?? left)
      // Where the rows of one time are many, cutting is tried again only when they have become twice as many.
      insertSpan.run(key, lower, taken, Math.max(MOST, 2 * taken))
      left = isLast ? 0 : left - taken
      upper = lower
    }
  }

  /** By the list as the store has it: one object for each, so that no name is made for each row. */
  const pending = new Map<KeptList, Pending>()

  const flushSpans = (list: KeptList, key: number, { changes }: Pending): void => {
    const sorted = changes.sort((one, other) => other.time - one.time)
    for (let at = 0, next = sorted[0]; next !== undefined; next = sorted[at]) {
      const start = selectSpanAt.get(key, next.time) ?? BEGINNING
      let difference = 0
      for (let change = sorted[at]; change !== undefined && change.time >= start; change = sorted[at]) {
        difference += change.difference
        at += 1
      }
      if (difference === 0) continue
      const { rows, most } = addToSpan.get(key, start, difference) ?? { rows: 0, most: MOST }
      if (rows > 0 && rows <= most) continue
      removeSpan.run(key, start)
      if (rows > 0) cut(list, key, start, selectNextStart.get(key, start) ?? END, rows)
    }
  }

  const flush = (): void => {
    const all = [...pending]
    pending.clear()
    for (const [list, change] of all) {
      const key = addToList.get(nameOf(list), change.difference)
      if (key !== undefined && KINDS[list.kind].time !== null) flushSpans(list, key, change)
    }
  }

  let isWriting = false
  let failure: { readonly thrown: unknown } | null = null

  const writeAll = <Value>(work: () => Value): Value => {
    isWriting = true
    try {
      return joinTransaction(database, () => {
        const value = work()
        if (failure !== null) throw failure.thrown
        flush()
        return value
      })
    } finally {
      isWriting = false
      failure = null
      pending.clear()
    }
  }

  const find = (list: KeptList): { readonly key: number; readonly rows: number } => {
    if (pending.size > 0) flush()
    return selectList.get(nameOf(list)) ?? { key: -1, rows: 0 }
  }

  /** Every list that has rows. */
  const all = (): readonly KeptList[] => {
    const inboxKeys = database.prepare<[], number>('SELECT key FROM inboxes').pluck().all()
    const pairs = (kind: 'folder' | 'label' | 'dropped' | 'dropped_label', sql: string): readonly KeptList[] =>
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
      ...(['received_emails', 'sent_emails', 'contacts'] as const).map((kind) => ({ kind, of: [] })),
    ]
  }

  const isTrue = (list: KeptList): boolean => {
    const { key, rows } = find(list)
    const { count, ordered } = rowsOf(list.kind)
    if (count.get(...list.of) !== rows) return false
    if (ordered === null) return true
    const spans = newestSpans.all(key)
    const sum = spans.reduce((total, span) => total + span.rows, 0)
    return (
      sum === rows &&
      spans.every(
        (span, at) => ordered.countBetween.get(...list.of, span.start, spans[at - 1]?.start ?? END) === span.rows,
      )
    )
  }

  return {
    write: (work) => {
      if (!isWriting) return writeAll(work)
      try {
        return work()
      } catch (thrown) {
        failure ??= { thrown }
        throw thrown
      }
    },
    move: (list, from, to) => {
      if (from === to) return
      const change = pending.get(list) ?? { difference: 0, changes: [] }
      pending.set(list, change)
      const note = (time: number, difference: 1 | -1): void => {
        change.difference += difference
        change.changes.push({ time, difference })
      }
      if (from !== null) note(from, -1)
      if (to !== null) note(to, 1)
    },
    count: (list) => find(list).rows,
    countSince: (list, since) => {
      const { key } = find(list)
      const start = selectSpanAt.get(key, since)
      const end = selectNextStart.get(key, since) ?? END
      const within =
        start === undefined ? 0 : (rowsOf(list.kind).ordered?.countBetween.get(...list.of, since, end) ?? 0)
      return within + (sumSince.get(key, end) ?? 0)
    },
    marks: (list) => {
      const { key, rows: all } = find(list)
      const { ordered } = rowsOf(list.kind)
      const [first, last] = [ordered?.first.get(...list.of), ordered?.last.get(...list.of)]
      if (first === undefined || last === undefined) return []
      let rows = 0
      const starts = newestSpans.all(key).map((span): TimeMark => ({ time: span.start, rows: (rows += span.rows) }))
      const within = starts.filter(({ time }) => time > last && time <= first)
      return [{ time: first + 1, rows: 0 }, ...within, { time: last, rows: all }]
    },
    seek: (list, offset) => {
      if (offset < CUT) return { before: END, skip: offset }
      const { key, rows } = find(list)
      if (offset >= rows) return { before: BEGINNING, skip: 0 }
      let before = END
      // From the end that is nearer.
      if (offset < rows / 2) {
        let above = 0
        for (const span of newestSpans.iterate(key)) {
          if (above + span.rows > offset) break
          above += span.rows
          before = span.start
        }
        return { before, skip: offset - above }
      }
      let above = rows
      for (const span of oldestSpans.iterate(key)) {
        if (above <= offset) {
          before = span.start
          break
        }
        above -= span.rows
      }
      return { before, skip: offset - above }
    },
    findDrift: () => {
      const known = all()
      const names = new Set(known.map(nameOf))
      return [
        ...known.filter((list) => !isTrue(list)).map(nameOf),
        ...selectNames.all().filter((name) => !names.has(name)),
      ]
    },
    rebuild: () =>
      joinTransaction(database, () => {
        database.exec('DELETE FROM list_spans; DELETE FROM lists')
        for (const list of all()) {
          const rows = rowsOf(list.kind).count.get(...list.of) ?? 0
          const key = addToList.get(nameOf(list), rows)
          if (key !== undefined) cut(list, key, BEGINNING, END, rows)
        }
      }),
  }
}
