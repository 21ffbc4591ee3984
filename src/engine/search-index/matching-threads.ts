/**
 * Reads the index in the order of the contract. Two sides find the next thread, the e-mails that the words name and the
 * threads that folder, labels and read state name; whichever is ahead, the other one is asked from there on. Neither needs
 * to know how much there is of anything.
 */
import type Database from 'better-sqlite3'
import { endOfDocuments } from './index-writer.ts'
import type { SearchPlan } from './search-query.ts'
import type { PlaceRange } from './thread-places.ts'

/** A thread as the index has it. */
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
  /** Its e-mails that match; empty where the query speaks of threads alone. */
  readonly emails: readonly EmailHit[]
}

/** An inbox, or one of the account's own lists, as the index knows it. */
export interface IndexedInbox {
  readonly key: number
  readonly range: PlaceRange
}

/** E-mails in a row whose threads do not fit, before the threads' side is asked where the next fitting one is. */
const MISSES = 64
/** Threads of very many e-mails that are asked one by one, before the index is asked for all of them at once. */
const LARGE_ASKED = 32
/** With more e-mails than these in threads of very many, one of the next threads is sure to match. */
const LARGE_LISTED = 2_000

/** In SQL: the columns of an `IndexedThread`. */
export const THREAD = `thread_key AS threadKey, place, room, time, documents_from AS documentsFrom, folder, read,
  has_outbound AS hasOutbound`
const DOCUMENT = `document, email_key AS emailKey, received_at AS receivedAt, is_outbound AS isOutbound, people,
  search_threads.${THREAD}`

// FTS5 takes a number of JavaScript, which comes as a real one, for no bound of a rowid.
const BETWEEN = 'BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)'
const MATCHING = `SELECT ${DOCUMENT} FROM search_words
     CROSS JOIN search_documents ON document = search_words.rowid
     CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
   WHERE search_words MATCH ? AND search_words.rowid ${BETWEEN} ORDER BY search_words.rowid`
const EVERY = `SELECT ${DOCUMENT} FROM search_documents
     CROSS JOIN search_threads ON search_threads.thread_key = search_documents.thread_key
   WHERE document ${BETWEEN} ORDER BY document`

const prepareStatements = (database: Database.Database) => {
  const nextIn = (condition: string) =>
    database
      .prepare<(number | string)[], number>(
        `SELECT place FROM search_threads WHERE inbox_key = ? AND ${condition} AND place >= ? ORDER BY place LIMIT 1`,
      )
      .pluck()
  return {
    nextInFolder: nextIn('folder = ?'),
    nextRead: nextIn('read = ?'),
    nextOutbound: nextIn('has_outbound = 1'),
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
      `SELECT ${THREAD} FROM search_threads WHERE inbox_key = ? AND place >= ? AND place < ? AND documents_from < 0
       ORDER BY place LIMIT 1`,
    ),
    listLarge: database
      .prepare<[string, number], number>(
        `SELECT thread_key FROM search_words CROSS JOIN search_documents ON document = search_words.rowid
         WHERE search_words MATCH ? AND search_words.rowid < CAST(0 AS INTEGER) LIMIT ?`,
      )
      .pluck(),
    at: database.prepare<[number], IndexedThread>(`SELECT ${THREAD} FROM search_threads WHERE place = ?`),
    notOlder: database.prepare<[number, number], IndexedThread>(
      `SELECT ${THREAD} FROM search_threads WHERE inbox_key = ? AND time >= ? ORDER BY time, place DESC LIMIT 1`,
    ),
    isThere: database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck(),
    isLabelled: database
      .prepare<[number, string, number], number>(
        'SELECT 1 FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place = ?',
      )
      .pluck(),
  }
}

export const isPutAway = ({ folder }: IndexedThread): boolean => folder === 'spam' || folder === 'trash'

/** Contract, Search threads, `folders`; of `sent`, docs/service.md, "where does an e-mail lie". */
const isInFolders = (thread: IndexedThread, wasSent: boolean, { folders }: SearchPlan): boolean =>
  folders.has(thread.folder)
    ? thread.folder !== 'sent' || wasSent
    : folders.has('sent') && wasSent && !isPutAway(thread)

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

const firstOf = (places: readonly (number | undefined)[]): number =>
  Math.min(...places.map((place) => place ?? Infinity))

type Documents = Database.Statement<(string | number)[], DocumentRow>

/** The threads that a plan finds, latest activity first. */
export class MatchingThreads {
  readonly #database: Database.Database
  readonly #sql: ReturnType<typeof prepareStatements>
  /** Several are read at the same time: one in the order, and others in between. */
  readonly #idle = new Map<string, Documents[]>()

  constructor(database: Database.Database) {
    this.#database = database
    this.#sql = prepareStatements(database)
  }

  /** The threads of the places from one on that match. @param end exclusive */
  from(inbox: IndexedInbox, from: number, plan: SearchPlan, end = this.endOfPlaces(inbox, plan)): Generator<ThreadHit> {
    return plan.email === null ? this.#alone(inbox, from, end, plan) : this.#withEmail(inbox, from, end, plan)
  }

  /** The end of the places in which a thread may have an e-mail that is not too old. */
  endOfPlaces(inbox: IndexedInbox, { email }: SearchPlan): number {
    if (email === null || email.since === -Infinity) return inbox.range.end
    const oldest = this.#sql.notOlder.get(inbox.key, email.since)
    return oldest === undefined ? inbox.range.first : oldest.place + oldest.room
  }

  /** A thread by itself; null where it does not match. */
  matchOf(inbox: IndexedInbox, thread: IndexedThread, plan: SearchPlan): ThreadHit | null {
    if (!this.#fits(inbox, thread, plan)) return null
    if (plan.email === null) return isInFolders(thread, thread.hasOutbound === 1, plan) ? { thread, emails: [] } : null
    const emails = this.#emailsOf(thread, plan)
    return emails.length === 0 ? null : { thread, emails }
  }

  /** The index does not know what the platform has dropped: the thread's own row does. */
  #fitsDropped({ threadKey }: IndexedThread, { dropped }: SearchPlan): boolean {
    return dropped === null || this.#sql.isThere.get(threadKey) === Number(!dropped)
  }

  #fitsLabels({ key }: IndexedInbox, { place }: IndexedThread, plan: SearchPlan): boolean {
    const has = (id: string): boolean => this.#sql.isLabelled.get(key, id, place) !== undefined
    const { labelIds, markLabelIds, withoutLabelIds } = plan
    return (labelIds.length === 0 || labelIds.some(has)) && markLabelIds.every(has) && !withoutLabelIds.some(has)
  }

  /** What is asked of a thread as a whole, save for its folder. */
  #fits(inbox: IndexedInbox, thread: IndexedThread, plan: SearchPlan): boolean {
    return (
      (plan.read === null || thread.read === Number(plan.read)) &&
      this.#fitsLabels(inbox, thread, plan) &&
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

  /** The first place from one on at which a thread may fit, by folder, labels and read state. Infinity at the end. */
  #nextPlace(inbox: IndexedInbox, from: number, plan: SearchPlan): number {
    const { nextLabelled, nextInFolder, nextOutbound, nextRead, nextAny } = this.#sql
    const { folders, labelIds, markLabelIds, read, isAnywhere } = plan
    const sides: ((place: number) => number)[] = []
    if (labelIds.length > 0) {
      sides.push((place) => firstOf(labelIds.map((id) => nextLabelled.get(inbox.key, id, place))))
    }
    for (const id of markLabelIds) sides.push((place) => nextLabelled.get(inbox.key, id, place) ?? Infinity)
    if (!isAnywhere) {
      sides.push((place) =>
        firstOf([
          ...[...folders].map((folder) => nextInFolder.get(inbox.key, folder, place)),
          ...(folders.has('sent') ? [nextOutbound.get(inbox.key, place)] : []),
        ]),
      )
    }
    if (read !== null) sides.push((place) => nextRead.get(inbox.key, Number(read), place) ?? Infinity)
    if (sides.length === 0) return nextAny.get(from, inbox.range.end) ?? Infinity
    for (let place = from, agreeing = 0; ;) {
      for (const next of sides) {
        const at = next(place)
        agreeing = at === place ? agreeing + 1 : 1
        place = at
        if (place === Infinity || agreeing >= sides.length) return place
      }
    }
  }

  /** The threads from one place to another that match a query about threads alone. @param end exclusive */
  *#alone(inbox: IndexedInbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    for (let place = this.#nextPlace(inbox, from, plan); place < end; place = this.#nextPlace(inbox, place + 1, plan)) {
      const thread = this.#sql.at.get(place)
      if (thread === undefined || !this.#fitsDropped(thread, plan) || !this.#fitsLabels(inbox, thread, plan)) continue
      if (isInFolders(thread, thread.hasOutbound === 1, plan)) yield { thread, emails: [] }
    }
  }

  *#withEmail(inbox: IndexedInbox, from: number, end: number, plan: SearchPlan): Generator<ThreadHit> {
    const last = end - 1
    const nextLarge = this.#largeFrom(inbox, from, plan)
    for (const hit of this.#inOrder(inbox, from, last, plan)) {
      for (let other = nextLarge(hit.thread.place); other !== null; other = nextLarge(hit.thread.place)) yield other
      yield hit
    }
    for (let other = nextLarge(last + 1); other !== null; other = nextLarge(last + 1)) yield other
  }

  /** Threads with an e-mail that matches, of those whose e-mails are in the order itself. */
  *#inOrder(inbox: IndexedInbox, from: number, last: number, plan: SearchPlan): Generator<ThreadHit> {
    let rows = this.#documentsBetween(plan, from, last)
    let found: { readonly thread: IndexedThread; readonly emails: EmailHit[] } | null = null
    let misses = 0
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
        // Of a thread that matches, each e-mail may be the one that matched.
        if (misses < MISSES || found !== null) continue
        misses = MISSES / 2
        // From the thread itself on: a later e-mail of it may fit where this one does not.
        const place = this.#nextPlace(inbox, row.place, plan)
        // The place of a thread is where its documents begin.
        if (place <= row.place + row.room) continue
        rows.return()
        if (place > last) return
        rows = this.#documentsBetween(plan, place, last)
      }
    } finally {
      rows.return()
    }
  }

  /** The e-mails of a thread that match. */
  #emailsOf(thread: IndexedThread, plan: SearchPlan): readonly EmailHit[] {
    const documents = this.#documentsBetween(plan, thread.documentsFrom, endOfDocuments(thread) - 1)
    return [...documents].filter((row) => fitsEmail(row, plan))
  }

  /**
   * Threads of very many e-mails, which are apart from the order, each asked by itself.
   * @returns gives the next of them that matches and comes before a place
   */
  #largeFrom(inbox: IndexedInbox, from: number, plan: SearchPlan): (before: number) => ThreadHit | null {
    let position = from
    let asked = 0
    /** All that match, once that is known. */
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
