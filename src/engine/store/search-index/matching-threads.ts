/**
 * Reads the index in the platform's order. One cursor finds e-mails by words, the other finds threads by folder, labels
 * and read state. Whichever is behind skips ahead to the other's position, so neither needs to know how many matches
 * there are.
 */
import type Database from 'better-sqlite3'
import { endOfDocuments } from './index-writer.ts'
import type { SearchPlan } from './search-query.ts'
import type { RowidRange } from './thread-order.ts'

export interface IndexedThread {
  readonly threadKey: number
  readonly place: number
  readonly room: number
  readonly time: number
  readonly documentsFrom: number
  readonly folder: string
  readonly read: number
  readonly hasOutbound: number
}

interface DocumentRow extends IndexedThread {
  readonly document: number
  readonly emailKey: number
  readonly receivedAt: number
  readonly isOutbound: number
  readonly people: string
}

export interface EmailHit {
  readonly emailKey: number
  readonly receivedAt: number
  readonly isOutbound: number
}

export interface ThreadHit {
  readonly thread: IndexedThread
  /** The matching e-mails; empty if the query has no conditions on e-mails. */
  readonly emails: readonly EmailHit[]
}

export interface IndexedInbox {
  readonly key: number
  readonly range: RowidRange
}

/** After this many e-mails in a row in non-matching threads, look up the next thread that may match, and skip to it. */
const MISSES = 64
/** After checking this many very large threads one by one, query the index for all that match. */
const LARGE_ASKED = 32
/**
 * Maximum e-mails listed by that query. If it finds this many, matches are frequent, so keep checking threads one by
 * one.
 */
const LARGE_LISTED = 2_000

export const THREAD_COLUMNS = `thread_key AS threadKey, place, room, time, documents_from AS documentsFrom, folder, read,
  has_outbound AS hasOutbound`
const DOCUMENT = `document, email_key AS emailKey, received_at AS receivedAt, is_outbound AS isOutbound, people,
  search_threads.${THREAD_COLUMNS}`

// The CAST is needed because FTS5 ignores a rowid bound that is a JavaScript number, which arrives as REAL.
const BETWEEN = 'BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)'
const MATCHING = `SELECT ${DOCUMENT} FROM search_words
     CROSS JOIN search_documents ON document = search_words.rowid
     CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
   WHERE search_words MATCH ? AND search_words.rowid ${BETWEEN} ORDER BY search_words.rowid`
const EVERY = `SELECT ${DOCUMENT} FROM search_documents
     CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
   WHERE document ${BETWEEN} ORDER BY document`

// Condition for threads with none of these labels, given as a JSON list. Evaluated within SQLite, since an inbox may
// have no such thread and all would be scanned.
const WITHOUT_LABELS = `(label_ids = '[]' OR NOT EXISTS (
  SELECT 1 FROM json_each(label_ids) AS own WHERE own.value IN (SELECT value FROM json_each(?))))`

const prepareStatements = (database: Database.Database) => {
  const nextIn = (condition: string, end = '') =>
    database
      .prepare<(number | string)[], number>(
        `SELECT place FROM search_threads WHERE inbox_key = ? AND ${condition} place >= ? ${end} ORDER BY place LIMIT 1`,
      )
      .pluck()
  return {
    nextInFolder: nextIn('folder = ? AND'),
    nextRead: nextIn('read = ? AND'),
    nextOutbound: nextIn('has_outbound = 1 AND'),
    free: {
      inFolder: nextIn('folder = ? AND', `AND ${WITHOUT_LABELS}`),
      outbound: nextIn('has_outbound = 1 AND', `AND ${WITHOUT_LABELS}`),
      any: nextIn('', `AND ${WITHOUT_LABELS}`),
    },
    nextAny: database
      .prepare<[number, number], number>(
        'SELECT place FROM search_threads WHERE place >= ? AND place < ? ORDER BY place LIMIT 1',
      )
      .pluck(),
    nextLabelled: database
      .prepare<[number, string, number], number>(
        'SELECT place FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place >= ? ORDER BY place LIMIT 1',
      )
      .pluck(),
    nextLarge: database.prepare<[number, number, number], IndexedThread>(
      `SELECT ${THREAD_COLUMNS} FROM search_threads WHERE inbox_key = ? AND place >= ? AND place < ? AND documents_from < 0
       ORDER BY place LIMIT 1`,
    ),
    listLarge: database
      .prepare<[string, number], number>(
        `SELECT thread_key FROM search_words CROSS JOIN search_documents ON document = search_words.rowid
         WHERE search_words MATCH ? AND search_words.rowid < CAST(0 AS INTEGER) LIMIT ?`,
      )
      .pluck(),
    at: database.prepare<[number], IndexedThread>(`SELECT ${THREAD_COLUMNS} FROM search_threads WHERE place = ?`),
    notOlder: database.prepare<[number, number], IndexedThread>(
      `SELECT ${THREAD_COLUMNS} FROM search_threads WHERE inbox_key = ? AND time >= ? ORDER BY time, place DESC LIMIT 1`,
    ),
    isThere: database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck(),
    labelIds: database.prepare<[number], string>('SELECT label_ids FROM search_threads WHERE thread_key = ?').pluck(),
    isLabelled: database
      .prepare<[number, string, number], number>(
        'SELECT 1 FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place = ?',
      )
      .pluck(),
  }
}

export const isSpamOrTrash = ({ folder }: IndexedThread): boolean => folder === 'spam' || folder === 'trash'

/** Rules: platform.md 9.12, and 11.10 for `sent`. */
const isInFolders = (thread: IndexedThread, wasSent: boolean, { folders }: SearchPlan): boolean =>
  folders.has(thread.folder)
    ? thread.folder !== 'sent' || wasSent
    : folders.has('sent') && wasSent && !isSpamOrTrash(thread)

const fitsEmail = (row: DocumentRow, plan: SearchPlan): boolean => {
  const { email } = plan
  if (email === null) return true
  return (
    row.receivedAt >= email.since &&
    row.receivedAt < email.until &&
    isInFolders(row, row.isOutbound === 1, plan) &&
    (email.people.length === 0 || email.people.every((fits) => fits(row.people.split(' '))))
  )
}

/** Returns the next place at or after the given one, or Infinity. Call with increasing places. */
type NextPlace = (from: number) => number

/**
 * The nearest of several next places. Each is looked up again only after it has been passed, since a look-up may search
 * far.
 */
const firstOfAll = (each: readonly ((from: number) => number | undefined)[]): NextPlace => {
  const places = each.map(() => -Infinity)
  return (from) => {
    each.forEach((next, at) => {
      if ((places[at] ?? -Infinity) < from) places[at] = next(from) ?? Infinity
    })
    return Math.min(...places)
  }
}

type Documents = Database.Statement<(string | number)[], DocumentRow>

/** Threads that match a plan, latest activity first. */
export class MatchingThreads {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>
  /**
   * Idle prepared statements by SQL text. A statement can't be iterated twice at the same time, so concurrent searches
   * need several.
   */
  readonly #idle = new Map<string, Documents[]>()

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /** Matching threads from the given place on. @param end exclusive */
  from(inbox: IndexedInbox, from: number, plan: SearchPlan, end = this.endOfPlaces(inbox, plan)): Generator<ThreadHit> {
    return plan.email === null ? this.#alone(inbox, from, end, plan) : this.#withEmail(inbox, from, end, plan)
  }

  /** End of the places where a thread may have e-mails that are recent enough. */
  endOfPlaces(inbox: IndexedInbox, { email }: SearchPlan): number {
    if (email === null || email.since === -Infinity) return inbox.range.end
    const oldest = this.#sql.notOlder.get(inbox.key, email.since)
    return oldest === undefined ? inbox.range.first : oldest.place + oldest.room
  }

  matchOf(inbox: IndexedInbox, thread: IndexedThread, plan: SearchPlan): ThreadHit | null {
    if (!this.#fits(inbox, thread, plan)) return null
    if (plan.email === null) return isInFolders(thread, thread.hasOutbound === 1, plan) ? { thread, emails: [] } : null
    const emails = this.#emailsOf(thread, plan)
    return emails.length === 0 ? null : { thread, emails }
  }

  /** Reads the thread's own row, since the index doesn't store this state. */
  #fitsDropped({ threadKey }: IndexedThread, { dropped }: SearchPlan): boolean {
    return dropped === null || this.#sql.isThere.get(threadKey) === Number(!dropped)
  }

  #hasLabel(inbox: IndexedInbox, { place }: IndexedThread, labelIds: readonly string[]): boolean {
    return labelIds.some((id) => this.#sql.isLabelled.get(inbox.key, id, place) !== undefined)
  }

  #fitsMarks(inbox: IndexedInbox, thread: IndexedThread, { markLabelIds, withoutLabelIds }: SearchPlan): boolean {
    return (
      markLabelIds.every((id) => this.#hasLabel(inbox, thread, [id])) && !this.#hasLabel(inbox, thread, withoutLabelIds)
    )
  }

  /** Few threads have many labels, so reading a thread's labels once is cheap, however many are excluded. */
  #fitsUnassigned({ threadKey }: IndexedThread, { notAssignedTo }: SearchPlan): boolean {
    if (notAssignedTo.length === 0) return true
    const written = this.#sql.labelIds.get(threadKey) ?? '[]'
    return written === '[]' || !notAssignedTo.some((id) => written.includes(JSON.stringify(id)))
  }

  /** Checks all conditions on a thread except its folder. */
  #fits(inbox: IndexedInbox, thread: IndexedThread, plan: SearchPlan): boolean {
    return (
      (plan.read === null || thread.read === Number(plan.read)) &&
      (plan.labelIds.length === 0 || this.#hasLabel(inbox, thread, plan.labelIds)) &&
      (plan.assignedTo === null || this.#hasLabel(inbox, thread, plan.assignedTo)) &&
      this.#fitsUnassigned(thread, plan) &&
      this.#fitsMarks(inbox, thread, plan) &&
      this.#fitsDropped(thread, plan)
    )
  }

  *#documentsBetween({ expression }: SearchPlan, first: number, last: number): Generator<DocumentRow, void> {
    const sql = expression === null ? EVERY : MATCHING
    const statements = this.#idle.get(sql) ?? []
    this.#idle.set(sql, statements)
    const statement = statements.pop() ?? this.#database.prepare<(string | number)[], DocumentRow>(sql)
    try {
      yield* statement.iterate(...(expression === null ? [] : [expression]), first, last)
    } finally {
      statements.push(statement)
    }
  }

  /** Function to find the next place whose thread may match by folder, labels and read state. */
  #nextPlace(inbox: IndexedInbox, plan: SearchPlan): NextPlace {
    const { nextLabelled, nextInFolder, nextOutbound, nextRead, nextAny, free } = this.#sql
    const { folders, labelIds, markLabelIds, assignedTo, notAssignedTo, read, isAnywhere } = plan
    const { key } = inbox
    const taken = notAssignedTo.length === 0 ? null : JSON.stringify(notAssignedTo)
    const inFolder = (folder: string) => (from: number) =>
      taken === null ? nextInFolder.get(key, folder, from) : free.inFolder.get(key, folder, from, taken)
    const outbound = (from: number) =>
      taken === null ? nextOutbound.get(key, from) : free.outbound.get(key, from, taken)
    const sides: NextPlace[] = []
    for (const ids of [labelIds, assignedTo ?? []]) {
      if (ids.length > 0) sides.push(firstOfAll(ids.map((id) => (from) => nextLabelled.get(key, id, from))))
    }
    for (const id of markLabelIds) sides.push((from) => nextLabelled.get(key, id, from) ?? Infinity)
    if (!isAnywhere) sides.push(firstOfAll([...[...folders].map(inFolder), ...(folders.has('sent') ? [outbound] : [])]))
    else if (taken !== null) sides.push((from) => free.any.get(key, from, taken) ?? Infinity)
    if (read !== null) sides.push((from) => nextRead.get(key, Number(read), from) ?? Infinity)
    if (sides.length === 0) return (from) => nextAny.get(from, inbox.range.end) ?? Infinity
    return (from) => {
      for (let place = from, agreeing = 0; ;) {
        for (const next of sides) {
          const at = next(place)
          agreeing = at === place ? agreeing + 1 : 1
          place = at
          if (place === Infinity || agreeing >= sides.length) return place
        }
      }
    }
  }

  /** Matches for a query that has no conditions on e-mails. @param end exclusive */
  *#alone(inbox: IndexedInbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    const next = this.#nextPlace(inbox, plan)
    for (let place = next(from); place < end; place = next(place + 1)) {
      const thread = this.#sql.at.get(place)
      if (thread === undefined || !this.#fitsDropped(thread, plan) || !this.#fitsUnassigned(thread, plan)) continue
      if (!this.#fitsMarks(inbox, thread, plan)) continue
      if (isInFolders(thread, thread.hasOutbound === 1, plan)) yield { thread, emails: [] }
    }
  }

  *#withEmail(inbox: IndexedInbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    const last = end - 1
    const nextLarge = this.#createLargeFinder(inbox, from, plan)
    for (const hit of this.#inOrder(inbox, from, last, plan)) {
      for (let other = nextLarge(hit.thread.place); other !== null; other = nextLarge(hit.thread.place)) yield other
      yield hit
    }
    for (let other = nextLarge(last + 1); other !== null; other = nextLarge(last + 1)) yield other
  }

  /** Threads with a matching e-mail, except for very large threads. */
  *#inOrder(inbox: IndexedInbox, from: number, last: number, plan: SearchPlan): Generator<ThreadHit> {
    let rows = this.#documentsBetween(plan, from, last)
    let found: { readonly thread: IndexedThread; readonly emails: EmailHit[] } | null = null
    let misses = 0
    const nextPlace = this.#nextPlace(inbox, plan)
    try {
      for (let next = rows.next(); ; next = rows.next()) {
        const row = next.done === true ? null : next.value
        if (found !== null && row?.threadKey !== found.thread.threadKey) {
          yield found
          found = null
        }
        if (row === null) return
        if (fitsEmail(row, plan) && (found !== null || this.#fits(inbox, row, plan))) {
          found ??= { thread: row, emails: [] }
          found.emails.push(row)
          misses = 0
          continue
        }
        misses += 1
        // Once an e-mail matches, read its whole thread.
        if (misses < MISSES || found !== null) continue
        misses = MISSES / 2
        // Don't skip this thread: one of its later e-mails may match.
        const place = nextPlace(row.place)
        // A thread's documents start at the thread's place.
        if (place <= row.place + row.room) continue
        rows.return()
        if (place > last) return
        rows = this.#documentsBetween(plan, place, last)
      }
    } finally {
      rows.return()
    }
  }

  #emailsOf(thread: IndexedThread, plan: SearchPlan): readonly EmailHit[] {
    const documents = this.#documentsBetween(plan, thread.documentsFrom, endOfDocuments(thread) - 1)
    return [...documents].filter((row) => fitsEmail(row, plan))
  }

  /**
   * Checks very large threads one by one, since their documents are stored apart from the order. @returns a function
   * that finds the next match before a place
   */
  #createLargeFinder(inbox: IndexedInbox, from: number, plan: SearchPlan): (before: number) => ThreadHit | null {
    let position = from
    let asked = 0
    let listed: ReadonlySet<number> | null = null
    return (before) => {
      for (;;) {
        const thread = this.#sql.nextLarge.get(inbox.key, position, before)
        if (thread === undefined) return null
        position = thread.place + 1
        if (!this.#fits(inbox, thread, plan) || listed?.has(thread.threadKey) === false) continue
        const emails = this.#emailsOf(thread, plan)
        if (emails.length > 0) return { thread, emails }
        asked += 1
        if (asked === LARGE_ASKED && plan.expression !== null) {
          const keys = this.#sql.listLarge.all(plan.expression, LARGE_LISTED)
          if (keys.length < LARGE_LISTED) listed = new Set(keys)
        }
      }
    }
  }
}
