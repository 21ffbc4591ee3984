import { cursorNotFound, type Cursor, type Page } from '../http/pagination.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import type { Direction } from '../storage/emails.ts'
import type { Folder } from '../storage/threads.ts'
import {
  type EmailFacts,
  type ThreadFacts,
  emailIsInFolders,
  emailMatches,
  hasEmailFilter,
  relevance,
  threadMatches,
} from './matching-rules.ts'
import type { EmailFilters, SearchRequest, ThreadListRequest } from './search-parameters.ts'

/** A thread of a result. The list is ordered by `activity`, ties by `latestEmail`, both descending. */
export interface FoundThread {
  readonly seq: number
  readonly id: string
  readonly activity: number
  readonly latestEmail: number
}

export interface MatchedThread extends FoundThread {
  /** The index's id of the e-mail that matched. */
  readonly matchedEmailId: string
  readonly newestMatch: number
}

interface ThreadScanRow {
  readonly seq: number
  readonly id: string
  readonly folder: Folder
  readonly activity: number
  readonly latestEmail: number
  readonly unreadCount: number
  readonly outboundCount: number
}

const threadColumns = `threads.seq, threads.id, threads.folder, threads.received_at AS activity,
  threads.latest_email_seq AS latestEmail, threads.unread_count AS unreadCount, threads.outbound_count AS outboundCount`

/**
 * List threads: exact and current (platform facts 3.2). Walks the inbox in its own order from the cursor and stops when
 * the page is full.
 *
 * @throws ApiError 404 when the cursor is no thread of this inbox
 */
export function listThreads(db: Database, inboxSeq: number, request: ThreadListRequest): Page<FoundThread> {
  const { filters, limit, cursor } = request
  const labelled = filters.labels && threadsWithLabels(db, inboxSeq, filters.labels)
  const place = cursor && threadPlace(db, inboxSeq, cursor.id)
  const backwards = cursor?.direction === 'before'
  const order = backwards ? 'ASC' : 'DESC'
  const rows = db.iterate<ThreadScanRow>(
    `SELECT ${threadColumns} FROM threads WHERE inbox_seq = ?
     ${place ? `AND (threads.received_at, latest_email_seq) ${backwards ? '>' : '<'} (?, ?)` : ''}
     ORDER BY threads.received_at ${order}, latest_email_seq ${order}`,
    inboxSeq,
    ...(place ? [place.activity, place.latestEmail] : []),
  )
  const found: FoundThread[] = []
  for (const thread of rows) {
    if (!threadMatches(thread, filters, labelled)) continue
    found.push(thread)
    if (found.length > limit) break
  }
  const items = found.slice(0, limit)
  return { items: backwards ? items.toReversed() : items, hasMore: found.length > limit }
}

function threadPlace(db: Database, inboxSeq: number, id: string): FoundThread {
  const row = db.get<FoundThread>(
    'SELECT seq, id, received_at AS activity, latest_email_seq AS latestEmail FROM threads WHERE inbox_seq = ? AND id = ?',
    inboxSeq,
    id,
  )
  if (!row) throw cursorNotFound()
  return row
}

/**
 * Search threads: applies the contract's rules to every e-mail that the index knows, one row in memory at a time.
 *
 * @throws ApiError 404 when the cursor is not in the results
 */
export function searchThreads(platform: Platform, inboxSeq: number, request: SearchRequest): Page<MatchedThread> {
  const matches = coverNewest(matchingThreads(platform, inboxSeq, request), platform.settings.searchCap)
  return pageOf(matches, request.cursor, request.limit)
}

/**
 * Rule 6: "When more than 10,000 threads match, search covers the 10,000 whose newest matching email is newest."
 * @param matches in the order of the result, which the answer keeps
 */
export function coverNewest(matches: readonly MatchedThread[], cap: number): readonly MatchedThread[] {
  if (matches.length <= cap) return matches
  const covered = new Set(matches.toSorted((a, b) => b.newestMatch - a.newestMatch).slice(0, cap))
  return matches.filter((match) => covered.has(match))
}

function pageOf(matches: readonly MatchedThread[], cursor: Cursor | null, limit: number): Page<MatchedThread> {
  if (!cursor) return { items: matches.slice(0, limit), hasMore: matches.length > limit }
  const at = matches.findIndex(({ id }) => id === cursor.id)
  if (at < 0) throw cursorNotFound()
  if (cursor.direction === 'after') {
    return { items: matches.slice(at + 1, at + 1 + limit), hasMore: matches.length > at + 1 + limit }
  }
  return { items: matches.slice(Math.max(0, at - limit), at), hasMore: at > limit }
}

interface EmailScanRow extends ThreadScanRow {
  readonly indexId: string
  readonly direction: Direction
  readonly receivedAt: number
  readonly hasAttachment: number
  readonly sender: string
  readonly recipients: string
  readonly cc: string
  readonly bcc: string
  readonly subjectWords: string
  readonly words: string
}

/** The threads that match rules 1 to 5, latest activity first, each with its most fitting e-mail. */
function matchingThreads(platform: Platform, inboxSeq: number, request: SearchRequest): readonly MatchedThread[] {
  const { filters, emailFilters } = request
  const labelled = filters.labels && threadsWithLabels(platform.db, inboxSeq, filters.labels)
  const filtersEmails = hasEmailFilter(emailFilters)
  const matches: MatchedThread[] = []
  let bestScore = 0
  for (const row of indexedEmails(platform, inboxSeq, emailFilters)) {
    const thread: ThreadFacts = row
    if (!threadMatches(thread, filters, labelled)) continue
    const email: EmailFacts = { ...row, hasAttachment: row.hasAttachment === 1 }
    if (filtersEmails && !(emailMatches(email, emailFilters) && emailIsInFolders(thread, email, filters.folders))) {
      continue
    }
    const score = emailFilters.query === null ? 0 : relevance(email, emailFilters.query)
    const known = matches.at(-1)
    if (known?.seq !== row.seq) matches.push(matchOf(row))
    // The rows of a thread come newest first, so only a better one takes the place.
    else if (score > bestScore) matches[matches.length - 1] = { ...known, matchedEmailId: row.indexId }
    else continue
    bestScore = score
  }
  return matches
}

function matchOf(row: EmailScanRow): MatchedThread {
  return {
    seq: row.seq,
    id: row.id,
    activity: row.activity,
    latestEmail: row.latestEmail,
    matchedEmailId: row.indexId,
    newestMatch: row.receivedAt,
  }
}

/**
 * Every e-mail of an inbox that has reached the index ("Search can lag new emails by up to about one minute"), by its
 * thread's latest activity, within a thread newest first. Texts that no rule will look at are not read.
 */
function indexedEmails(platform: Platform, inboxSeq: number, filters: EmailFilters): Iterable<EmailScanRow> {
  const text = (column: string, wanted: unknown): string => (wanted === null ? `''` : `search_index.${column}`)
  return platform.db.iterate<EmailScanRow>(
    `SELECT ${threadColumns}, emails.index_id AS indexId, emails.direction, emails.received_at AS receivedAt,
       emails.has_attachment AS hasAttachment, ${text('sender', filters.from)} AS sender,
       ${text('recipients', filters.to)} AS recipients, ${text('cc', filters.cc)} AS cc, ${text('bcc', filters.bcc)} AS bcc,
       ${text('subject_words', filters.query)} AS subjectWords, ${text('words', filters.query)} AS words
     FROM threads CROSS JOIN emails ON emails.thread_seq = threads.seq
       CROSS JOIN search_index ON search_index.email_seq = emails.seq
     WHERE threads.inbox_seq = ? AND emails.stored_at <= ?
     ORDER BY threads.received_at DESC, threads.latest_email_seq DESC, emails.received_at DESC, emails.seq DESC`,
    inboxSeq,
    platform.now() - platform.settings.indexDelay,
  )
}

function threadsWithLabels(db: Database, inboxSeq: number, labels: readonly string[]): ReadonlySet<number> {
  const rows = db.all<{ seq: number }>(
    `SELECT DISTINCT thread_seq AS seq FROM thread_labels JOIN labels ON labels.seq = label_seq
     WHERE labels.inbox_seq = ? AND labels.id IN (SELECT value FROM json_each(?))`,
    inboxSeq,
    JSON.stringify(labels),
  )
  return new Set(rows.map(({ seq }) => seq))
}
