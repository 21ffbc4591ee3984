import type Database from 'better-sqlite3'
import { COUNTED_FOLDERS, countPerFolder, type FolderCounts } from '../../../shared/folder-counts.ts'
import { FOLDERS } from '../../../shared/model.ts'
import { NO_FILTER, type EmailFilter } from '../../../shared/thread-query.ts'
import { endOfDocuments, type EmailSource } from './index-writer.ts'
import {
  isSpamOrTrash,
  MatchingThreads,
  THREAD_COLUMNS,
  type EmailHit,
  type IndexedInbox,
  type IndexedThread,
  type ThreadHit,
} from './matching-threads.ts'
import { People } from './people.ts'
import type { SearchIndex } from './search-index.ts'
import { planSearch, type ResolvedFilter, type ResolvedThreadQuery, type SearchPlan } from './search-query.ts'
import { computeRelevance, tokenizeEmail } from './searchable-email.ts'
import { Spellings } from './spellings.ts'
import { computeRowidRange, accountEmailKey, listKey, decodeAccountEmailKey, type AccountList } from './thread-order.ts'
import { Vocabulary } from './vocabulary.ts'

export interface FoundThread {
  readonly id: string
  /** Latest activity, in milliseconds since the epoch. */
  readonly time: number
  /**
   * The matching e-mail: the most relevant for words or phrases, otherwise the newest (platform.md 9.18, but with the
   * e-mail's own ID). Null unless all of the thread's e-mails are stored.
   */
  readonly emailId: string | null
}

interface FoundPage {
  readonly threads: readonly FoundThread[]
  readonly hasMore: boolean
}

export type AccountListQuery = Pick<ResolvedFilter, keyof EmailFilter | 'lastWordIsPrefix'>

export interface StepBounds {
  readonly limit: number
  readonly milliseconds: number
}

export interface FoundRows {
  /** Newest first. */
  readonly rowKeys: readonly number[]
  /** Last row examined, whether it matched or not; null at the end. */
  readonly next: number | null
}

interface CountedByFolder {
  readonly folders: FolderCounts
  /** Position to continue from; null at the end. */
  readonly next: number | null
}

interface CountedThreads {
  readonly count: number
  readonly next: number | null
}

/**
 * Number of e-mails searched between clock checks. Each query has a fixed cost, so the number doubles after a quick
 * one.
 */
const SCAN_STEP = { first: 2_048, longest: 16_384, quickMs: 4 } as const
/** Maximum e-mails of a thread that are ranked by relevance, newest first. */
const MAX_WEIGHED = 200

const PAGE_SIZE = 100

const NOTHING: FoundPage = { threads: [], hasMore: false }

const rowKeyOf = (threadKey: number): number | null => decodeAccountEmailKey(threadKey)?.rowKey ?? null

const prepareStatements = (database: Database.Database) => ({
  inbox: database.prepare<[string], number>('SELECT key FROM inboxes WHERE id = ?').pluck(),
  // Takes one index step per folder; DISTINCT would read all threads.
  folders: database
    .prepare<{ readonly inboxKey: number }, string>(
      `WITH RECURSIVE each(folder) AS (
         SELECT min(folder) FROM search_threads WHERE inbox_key = @inboxKey
         UNION ALL
         SELECT (SELECT min(folder) FROM search_threads WHERE inbox_key = @inboxKey AND folder > each.folder)
         FROM each WHERE folder IS NOT NULL)
       SELECT folder FROM each WHERE folder IS NOT NULL`,
    )
    .pluck(),
  threadId: database.prepare<[number], string>('SELECT id FROM threads WHERE key = ?').pluck(),
  emailId: database.prepare<[number], string>('SELECT id FROM emails WHERE key = ?').pluck(),
  isWhole: database.prepare<[number], number>('SELECT emails_at IS received_at FROM threads WHERE key = ?').pluck(),
  threadById: database.prepare<[number, string], IndexedThread>(
    `SELECT ${THREAD_COLUMNS} FROM search_threads
     WHERE thread_key = (SELECT key FROM threads WHERE inbox_key = ? AND id = ?)`,
  ),
  thread: database.prepare<[number], IndexedThread>(
    `SELECT ${THREAD_COLUMNS} FROM search_threads WHERE thread_key = ?`,
  ),
  behind: database
    .prepare<[number, number, number], number>(
      'SELECT place FROM search_threads WHERE place >= ? AND place < ? ORDER BY place LIMIT 1 OFFSET ?',
    )
    .pluck(),
  lastBefore: database
    .prepare<[number], number>('SELECT thread_key FROM search_threads WHERE place < ? ORDER BY place DESC LIMIT 1')
    .pluck(),
  newest: database.prepare<[number, number], EmailHit>(
    `SELECT email_key AS emailKey, received_at AS receivedAt, is_outbound AS isOutbound FROM search_documents
     WHERE document >= ? AND document < ? ORDER BY received_at DESC, email_key DESC LIMIT 1`,
  ),
})

/**
 * Searches local mail by the rules of platform.md 9.1 to 9.5, including pending changes and other spellings
 * (`spellings.ts`). Returns results synchronously from cache and index, by page or step. If the index is damaged,
 * nothing is found.
 */
export class ThreadSearch {
  readonly #index: Pick<SearchIndex, 'unlessDamaged'>
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #people: People
  readonly #vocabulary: Vocabulary
  readonly #spellings: Spellings
  readonly #matching: MatchingThreads
  readonly #source: EmailSource

  constructor(database: Database.Database, source: EmailSource, index: Pick<SearchIndex, 'unlessDamaged'>) {
    this.#index = index
    this.#sql = prepareStatements(database)
    this.#people = new People(database)
    this.#vocabulary = new Vocabulary(database)
    this.#spellings = new Spellings(database)
    this.#matching = new MatchingThreads(database)
    this.#source = source
  }

  /**
   * A page of matches: latest activity first; at equal times, the thread stored later comes first (platform.md 9.16 and
   * 11.13).
   * @param after last thread of the previous page, even if it no longer matches; null for the first page. An unknown
   * thread gives an empty page.
   */
  page(query: ResolvedThreadQuery, after: Pick<FoundThread, 'id'> | null, limit: number): FoundPage {
    return this.#searchInbox(query, NOTHING, (inbox, plan) => {
      const last = after === null ? null : this.#sql.threadById.get(inbox.key, after.id)
      if (last === undefined) return NOTHING
      const from = last === null ? inbox.range.first : last.place + last.room
      const hits: ThreadHit[] = []
      for (const hit of this.#matching.from(inbox, from, plan)) {
        hits.push(hit)
        // One extra match shows that there is another page.
        if (hits.length > limit) break
      }
      return {
        threads: hits.slice(0, limit).map((hit) => this.#toFoundThread(hit, plan)),
        hasMore: hits.length > limit,
      }
    })
  }

  /** The given threads that currently match, in the given order. */
  matching(query: ResolvedThreadQuery, threadIds: readonly string[]): readonly FoundThread[] {
    return this.#searchInbox(query, [], (inbox, plan) =>
      threadIds.flatMap((threadId) => {
        const thread = this.#sql.threadById.get(inbox.key, threadId)
        const hit = thread === undefined ? null : this.#matching.matchOf(inbox, thread, plan)
        return hit === null ? [] : [this.#toFoundThread(hit, plan)]
      }),
    )
  }

  spellings(query: ResolvedThreadQuery): readonly string[] {
    return this.#searchInbox(query, [], (_inbox, plan) => plan.spellings)
  }

  /**
   * Counts matches among a number of threads, without choosing their matching e-mails.
   * @param from where the previous count stopped, or null
   * @param threads number of threads to examine, matching or not; determines the time taken
   */
  count(query: ResolvedThreadQuery, from: number | null, threads: number): CountedThreads {
    return this.#searchInbox(query, { count: 0, next: null }, (inbox, plan) => {
      let count = 0
      const next = this.#forEachMatch(inbox, plan, from, threads, () => (count += 1))
      return { count, next }
    })
  }

  /** Counts matches by folder, plus snoozed ones, regardless of the query's folders. */
  countByFolder(query: ResolvedThreadQuery, from: number | null, threads: number): CountedByFolder {
    return this.#searchInbox(
      { ...query, folders: FOLDERS },
      { folders: countPerFolder(() => 0), next: null },
      (inbox, plan) => {
        const folders = countPerFolder(() => 0)
        const next = this.#forEachMatch(inbox, plan, from, threads, ({ thread, emails }) => {
          const wasSent =
            plan.email === null ? thread.hasOutbound === 1 : emails.some(({ isOutbound }) => isOutbound === 1)
          for (const folder of COUNTED_FOLDERS) {
            const isHere = folder === 'sent' ? wasSent && !isSpamOrTrash(thread) : thread.folder === folder
            if (isHere) folders[folder] += 1
          }
        })
        return { folders, next }
      },
    )
  }

  /**
   * Searches one of the account's own lists by the same rules, newest first. The platform can't search these lists.
   * Results are valid until `SearchIndex.accountListVersion` changes.
   * @param after row to continue after, or null
   * @returns null if that row isn't in the index
   */
  searchList(
    list: AccountList,
    query: AccountListQuery,
    after: number | null,
    { limit, milliseconds }: StepBounds,
  ): FoundRows | null {
    const everywhere = { ...NO_FILTER, ...query, folders: FOLDERS }
    return this.#searchByKey(listKey(list), everywhere, { rowKeys: [], next: null }, (inbox, plan) => {
      let now = performance.now()
      const end = now + milliseconds
      const cursor = after === null ? null : this.#sql.thread.get(accountEmailKey(list, after))
      if (cursor === undefined) return null
      const last = this.#matching.endOfPlaces(inbox, plan)
      const rowKeys: number[] = []
      let from = cursor === null ? inbox.range.first : cursor.place + cursor.room
      for (let length: number = SCAN_STEP.first; from < last;) {
        const beyond = this.#sql.behind.get(from, inbox.range.end, length)
        for (const { thread } of this.#matching.from(inbox, from, plan, Math.min(last, beyond ?? inbox.range.end))) {
          const rowKey = rowKeyOf(thread.threadKey)
          if (rowKey !== null) rowKeys.push(rowKey)
          if (rowKeys.length >= limit) return { rowKeys, next: rowKey }
        }
        if (beyond === undefined) break
        from = beyond
        const startedAt = now
        now = performance.now()
        if (now >= end) return { rowKeys, next: rowKeyOf(this.#sql.lastBefore.get(beyond) ?? 0) }
        if (now - startedAt < SCAN_STEP.quickMs) length = Math.min(2 * length, SCAN_STEP.longest)
      }
      return { rowKeys, next: null }
    })
  }

  /** @param key key of an inbox or list @param nothing result to return if nothing can match */
  #searchByKey<Answer>(
    key: number | undefined,
    filter: ResolvedFilter,
    nothing: NonNullable<Answer>,
    work: (inbox: IndexedInbox, plan: SearchPlan) => Answer,
  ): Answer | NonNullable<Answer> {
    return this.#index.unlessDamaged(nothing, () => {
      const range = key === undefined ? null : computeRowidRange(key)
      if (key === undefined || range === null) return nothing
      const folders = this.#sql.folders.all({ inboxKey: key })
      const plan = planSearch(filter, this.#people, this.#vocabulary, this.#spellings, folders)
      return plan === null ? nothing : work({ key, range }, plan)
    })
  }

  #searchInbox<Answer>(
    query: ResolvedThreadQuery,
    nothing: NonNullable<Answer>,
    work: (inbox: IndexedInbox, plan: SearchPlan) => Answer,
  ): Answer | NonNullable<Answer> {
    return this.#searchByKey(this.#sql.inbox.get(query.inboxId), query, nothing, work)
  }

  /** Calls `each` for every match among a number of threads. @returns the next position; null at the end */
  #forEachMatch(
    inbox: IndexedInbox,
    plan: SearchPlan,
    from: number | null,
    threads: number,
    each: (hit: ThreadHit) => void,
  ): number | null {
    const [first, end] = [from ?? inbox.range.first, this.#matching.endOfPlaces(inbox, plan)]
    const next = this.#sql.behind.get(first, end, threads) ?? null
    for (const hit of this.#matching.from(inbox, first, plan, next ?? end)) each(hit)
    return next
  }

  #toFoundThread(hit: ThreadHit, plan: SearchPlan): FoundThread {
    const emailKey = this.#chooseEmail(hit, plan)
    return {
      id: this.#sql.threadId.get(hit.thread.threadKey) ?? '',
      time: hit.thread.time,
      emailId: emailKey === null ? null : (this.#sql.emailId.get(emailKey) ?? null),
    }
  }

  /** Rules: platform.md 9.18. The most relevant match for words or phrases, otherwise the newest. */
  #chooseEmail({ thread, emails }: ThreadHit, plan: SearchPlan): number | null {
    if (plan.email === null) {
      if (this.#sql.isWhole.get(thread.threadKey) !== 1) return null
      return this.#sql.newest.get(thread.documentsFrom, endOfDocuments(thread))?.emailKey ?? null
    }
    const newestFirst = emails.toSorted((a, b) => b.receivedAt - a.receivedAt || b.emailKey - a.emailKey)
    const [newest] = newestFirst
    if (newest === undefined) return null
    if (newestFirst.length === 1 || plan.terms.length === 0) return newest.emailKey
    let best = newest.emailKey
    let bestScore = -1
    for (const { emailKey } of newestFirst.slice(0, MAX_WEIGHED)) {
      const email = this.#source.read(emailKey)
      const score = email === undefined ? 0 : computeRelevance(tokenizeEmail(email), plan.terms)
      if (score <= bestScore) continue
      best = emailKey
      bestScore = score
    }
    return best
  }
}

/** IDs of all matches, in pages. Threads that change in the meantime may appear twice. */
export const iterateMatchPages = function* (
  search: Pick<ThreadSearch, 'page'>,
  query: ResolvedThreadQuery,
): Generator<readonly string[], void> {
  for (let after: FoundThread | null = null; ;) {
    const { threads, hasMore } = search.page(query, after, PAGE_SIZE)
    yield threads.map(({ id }) => id)
    after = threads.at(-1) ?? null
    if (!hasMore || after === null) return
  }
}
