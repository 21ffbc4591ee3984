import { createCursorNotFoundError, type Cursor, type Page } from '../http/pagination.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import type { Folder } from '../storage/threads.ts'
import {
  type SearchableEmail,
  emailIsInFolders,
  emailMatches,
  hasEmailFilter,
  computeRelevance,
  threadMatches,
} from './matching-rules.ts'
import type { EmailFilters, SearchRequest, ThreadFilters, ThreadListRequest } from './search-parameters.ts'

/** A thread in a result. Results are ordered by `activity`, then `latestEmail`, both descending. */
export interface FoundThread {
  readonly seq: number
  readonly id: string
  readonly activity: number
  readonly latestEmail: number
}

export interface MatchedThread extends FoundThread {
  /** The matching e-mail's ID in the index. */
  readonly matchedEmailId: string
  readonly newestMatch: number
}

interface ThreadScanRow extends FoundThread {
  readonly folder: Folder
  readonly unreadCount: number
  readonly outboundCount: number
}

const threadColumns = `threads.seq, threads.id, threads.folder, threads.received_at AS activity,
  threads.latest_email_seq AS latestEmail, threads.unread_count AS unreadCount, threads.outbound_count AS outboundCount`

/** Threads per SQL statement. Batching pays off because a statement costs more than a row. */
const batchSize = 100

/** A position in the thread order: at a thread, or before the first one. */
type Position = Pick<FoundThread, 'activity' | 'latestEmail'>

const beginning: Position = { activity: Number.MAX_SAFE_INTEGER, latestEmail: Number.MAX_SAFE_INTEGER }

/** Always exact and current (platform.md 8.4). @throws ApiError 404 if the cursor is not a thread of this inbox */
export function listThreads(db: Database, inboxSeq: number, request: ThreadListRequest): Page<FoundThread> {
  const { filters, limit, cursor } = request
  const backwards = cursor?.direction === 'before'
  const found: FoundThread[] = []
  let place = cursor ? threadPosition(db, inboxSeq, cursor.id) : beginning
  for (;;) {
    const threads = threadsNextTo(db, inboxSeq, place, backwards ? 'newer' : 'older')
    const last = threads.at(-1)
    if (!last) break
    found.push(...filterThreads(db, inboxSeq, threads, filters))
    if (found.length > limit) break
    place = last
  }
  const items = found.slice(0, limit)
  return { items: backwards ? items.toReversed() : items, hasMore: found.length > limit }
}

function threadPosition(db: Database, inboxSeq: number, id: string): Position {
  const row = db.get<Position>(
    'SELECT received_at AS activity, latest_email_seq AS latestEmail FROM threads WHERE inbox_seq = ? AND id = ?',
    inboxSeq,
    id,
  )
  if (!row) throw createCursorNotFoundError()
  return row
}

/** The next threads from a position, nearest first; empty at the end. */
function threadsNextTo(
  db: Database,
  inboxSeq: number,
  { activity, latestEmail }: Position,
  side: 'older' | 'newer',
): readonly ThreadScanRow[] {
  const [beyond, order] = side === 'older' ? ['<', 'DESC'] : ['>', 'ASC']
  return db.all<ThreadScanRow>(
    `SELECT ${threadColumns} FROM threads WHERE inbox_seq = ? AND (received_at, latest_email_seq) ${beyond} (?, ?)
     ORDER BY received_at ${order}, latest_email_seq ${order} LIMIT ${batchSize}`,
    inboxSeq,
    activity,
    latestEmail,
  )
}

function threadsNow(db: Database, inboxSeq: number, seqs: readonly number[]): readonly ThreadScanRow[] {
  return db.all<ThreadScanRow>(
    `SELECT ${threadColumns} FROM json_each(?) AS wanted CROSS JOIN threads ON threads.seq = wanted.value
     WHERE threads.inbox_seq = ?`,
    JSON.stringify(seqs),
    inboxSeq,
  )
}

function filterThreads(
  db: Database,
  inboxSeq: number,
  threads: readonly ThreadScanRow[],
  filters: ThreadFilters,
): readonly ThreadScanRow[] {
  const labelled = filters.labels && threadsWithLabels(db, inboxSeq, threads, filters.labels)
  return threads.filter((thread) => threadMatches(thread, filters, labelled))
}

function threadsWithLabels(
  db: Database,
  inboxSeq: number,
  threads: readonly ThreadScanRow[],
  labels: readonly string[],
): ReadonlySet<number> {
  const rows = db.all<{ seq: number }>(
    `SELECT thread_seq AS seq FROM json_each(?) AS wanted
       CROSS JOIN thread_labels ON thread_seq = wanted.value JOIN labels ON labels.seq = label_seq
     WHERE labels.inbox_seq = ? AND labels.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(threads.map(({ seq }) => seq)),
    inboxSeq,
    JSON.stringify(labels),
  )
  return new Set(rows.map(({ seq }) => seq))
}

/**
 * Search threads: applies the rules of platform.md 9 to every indexed e-mail, with few rows in memory at a time. It
 * runs in steps of a fraction of a millisecond, so other work can run in between. The result is still consistent:
 * threads that changed during the search are checked again, and the last check and the result share one step.
 * @returns the page, with the last step
 * @throws ApiError 404 if the cursor is not in the results
 */
export function* searchThreads(
  platform: Platform,
  inboxSeq: number,
  request: SearchRequest,
): Generator<void, Page<MatchedThread>> {
  const { db, settings } = platform
  // "Search can lag new emails by up to about one minute."
  const moment = platform.now() - settings.indexDelay
  const matchesAmong = (threads: readonly ThreadScanRow[]): Generator<void, readonly MatchedThread[]> =>
    matchingThreads(db, filterThreads(db, inboxSeq, threads, request.filters), request, moment)
  const changes = platform.threadChanges.watch()
  try {
    const matches: MatchedThread[] = []
    let place = beginning
    for (;;) {
      const threads = threadsNextTo(db, inboxSeq, place, 'older')
      const last = threads.at(-1)
      if (!last) break
      matches.push(...(yield* matchesAmong(threads)))
      place = last
      yield
    }
    const changed = new Map<number, MatchedThread | null>()
    for (let seqs = changes.take(batchSize); seqs.length > 0; seqs = changes.take(batchSize)) {
      for (const seq of seqs) changed.set(seq, null)
      // Don't pause here: otherwise a thread that keeps changing would be checked forever.
      for (const match of runToEnd(matchesAmong(threadsNow(db, inboxSeq, seqs)))) changed.set(match.seq, match)
      if (changes.areLeft()) yield
    }
    return pageOf(keepNewestMatches(withChanges(matches, changed), settings.searchCap), request.cursor, request.limit)
  } finally {
    changes.end()
  }
}

/** Merges the matches with the threads that changed during the search; `null` for a thread that no longer matches. */
function withChanges(
  matches: readonly MatchedThread[],
  changed: ReadonlyMap<number, MatchedThread | null>,
): readonly MatchedThread[] {
  if (changed.size === 0) return matches
  const kept = matches.filter(({ seq }) => !changed.has(seq))
  const found = [...changed.values()].filter((match) => match !== null)
  return [...kept, ...found].toSorted((a, b) => b.activity - a.activity || b.latestEmail - a.latestEmail)
}

/** Runs a generator to its end without pauses. */
export function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/**
 * Limits a search to the threads whose newest matching e-mail is newest (platform.md 9.6). Keeps the order of
 * `matches`.
 */
export function keepNewestMatches(matches: readonly MatchedThread[], cap: number): readonly MatchedThread[] {
  if (matches.length <= cap) return matches
  // Sorting plain numbers takes a tenth of the time that sorting the matches would.
  const times = Float64Array.from(matches, ({ newestMatch }) => newestMatch).sort()
  const oldest = times[times.length - cap] ?? 0
  let equals = cap - times.reduce((newer, time) => newer + Number(time > oldest), 0)
  return matches.filter(({ newestMatch }) => newestMatch > oldest || (newestMatch === oldest && equals-- > 0))
}

function pageOf(matches: readonly MatchedThread[], cursor: Cursor | null, limit: number): Page<MatchedThread> {
  if (!cursor) return { items: matches.slice(0, limit), hasMore: matches.length > limit }
  const at = matches.findIndex(({ id }) => id === cursor.id)
  if (at < 0) throw createCursorNotFoundError()
  if (cursor.direction === 'after') {
    return { items: matches.slice(at + 1, at + 1 + limit), hasMore: matches.length > at + 1 + limit }
  }
  return { items: matches.slice(Math.max(0, at - limit), at), hasMore: at > limit }
}

interface EmailScanRow extends Omit<SearchableEmail, 'hasAttachment'> {
  readonly seq: number
  readonly threadSeq: number
  readonly indexId: string
  readonly hasAttachment: number
}

interface Best {
  readonly email: EmailScanRow
  readonly score: number
  readonly newestMatch: number
}

const emailsPerStep = 50

/**
 * Threads that match platform.md 9.4 and 9.5, in the given order, each with its most relevant e-mail.
 * @param threads threads that already match platform.md 9.3
 * @param moment e-mails stored after this time aren't in the index yet
 */
function* matchingThreads(
  db: Database,
  threads: readonly ThreadScanRow[],
  { filters, emailFilters }: SearchRequest,
  moment: number,
): Generator<void, readonly MatchedThread[]> {
  const { query } = emailFilters
  const filtersEmails = hasEmailFilter(emailFilters)
  const bySeq = new Map(threads.map((thread) => [thread.seq, thread]))
  const bests = new Map<number, Best>()
  const seqs = emailsOf(db, threads, moment)
  // Threads can be arbitrarily long, so limit each step.
  for (let start = 0; start < seqs.length; start += emailsPerStep) {
    for (const row of indexedEmails(db, seqs.slice(start, start + emailsPerStep), emailFilters)) {
      const thread = bySeq.get(row.threadSeq)
      if (!thread) continue
      const email: SearchableEmail = { ...row, hasAttachment: row.hasAttachment === 1 }
      if (filtersEmails && !(emailMatches(email, emailFilters) && emailIsInFolders(thread, email, filters.folders))) {
        continue
      }
      bests.set(thread.seq, updateBest(bests.get(thread.seq), row, query === null ? 0 : computeRelevance(email, query)))
    }
    yield
  }
  return threads.flatMap(({ seq, id, activity, latestEmail }) => {
    const best = bests.get(seq)
    if (!best) return []
    return [{ seq, id, activity, latestEmail, matchedEmailId: best.email.indexId, newestMatch: best.newestMatch }]
  })
}

/**
 * The most relevant match (platform.md 9.18). Ties go to the newest, then to the one stored last (platform.md 11.11).
 */
function updateBest(best: Best | undefined, email: EmailScanRow, score: number): Best {
  if (!best) return { email, score, newestMatch: email.receivedAt }
  const newestMatch = Math.max(best.newestMatch, email.receivedAt)
  const lead = score - best.score || email.receivedAt - best.email.receivedAt || email.seq - best.email.seq
  return lead > 0 ? { email, score, newestMatch } : { ...best, newestMatch }
}

/** E-mails of these threads that are already indexed ("Search can lag new emails by up to about one minute"). */
function emailsOf(db: Database, threads: readonly ThreadScanRow[], moment: number): readonly number[] {
  const rows = db.all<{ seq: number }>(
    `SELECT emails.seq FROM json_each(?) AS wanted CROSS JOIN emails ON emails.thread_seq = wanted.value
     WHERE emails.stored_at <= ?`,
    JSON.stringify(threads.map(({ seq }) => seq)),
    moment,
  )
  return rows.map(({ seq }) => seq)
}

/** Index rows of the e-mails. Columns that no filter needs are empty. */
function indexedEmails(db: Database, seqs: readonly number[], filters: EmailFilters): readonly EmailScanRow[] {
  const text = (column: string, wanted: unknown): string => (wanted === null ? `''` : `search_index.${column}`)
  return db.all<EmailScanRow>(
    `SELECT emails.seq, emails.thread_seq AS threadSeq, emails.index_id AS indexId, emails.direction,
       emails.received_at AS receivedAt, emails.has_attachment AS hasAttachment, ${text('sender', filters.from)} AS sender,
       ${text('recipients', filters.to)} AS recipients, ${text('cc', filters.cc)} AS cc, ${text('bcc', filters.bcc)} AS bcc,
       ${text('subject_words', filters.query)} AS subjectWords, ${text('words', filters.query)} AS words
     FROM json_each(?) AS wanted CROSS JOIN emails ON emails.seq = wanted.value
       CROSS JOIN search_index ON search_index.email_seq = emails.seq`,
    JSON.stringify(seqs),
  )
}
