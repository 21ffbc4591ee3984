import type Database from 'better-sqlite3'
import { FOLDERS, type Folder } from '../../shared/model.ts'
import { NO_FILTER, type EmailFilter } from '../../shared/thread-query.ts'
import { accountEmailKey, listKey, readAccountEmailKey, type AccountList } from './account-keys.ts'
import { endOfDocuments, type EmailSource } from './index-writer.ts'
import {
  isPutAway,
  MatchingThreads,
  THREAD,
  type EmailHit,
  type IndexedInbox,
  type IndexedThread,
  type ThreadHit,
} from './matching-threads.ts'
import { People } from './people.ts'
import type { SearchIndex } from './search-index.ts'
import { planSearch, type ResolvedThreadQuery, type SearchPlan } from './search-query.ts'
import { relevanceOf, wordsOfEmail } from './searchable-email.ts'
import { Spellings } from './spellings.ts'
import { placesOfInbox } from './thread-places.ts'
import { Vocabulary } from './vocabulary.ts'

/** A thread that a search found. */
interface FoundThread {
  readonly inboxId: string
  readonly threadId: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /**
   * The e-mail that matched: with words or phrases the most relevant, else the newest (contract, `matched_email_id`; this is
   * the e-mail's own ID, which the platform's is not). Null where not all of the thread's e-mails are here.
   */
  readonly matchedEmailId: string | null
}

/** The thread after which a page goes on. */
interface ThreadCursor {
  readonly inboxId: string
  readonly threadId: string
}

interface FoundPage {
  readonly threads: readonly FoundThread[]
  readonly hasMore: boolean
}

/** What the e-mails of one of the account's own lists can be searched by. */
export type AccountListQuery = Pick<ResolvedThreadQuery, keyof EmailFilter | 'lastWordIsPrefix'>

/** How much is looked for in one turn of the engine's thread. */
export interface StepBounds {
  /** E-mails that are found at most. */
  readonly limit: number
  /** After which it stops, whatever it has found. */
  readonly milliseconds: number
}

/** Some e-mails of one of the account's own lists, by their rows. */
export interface FoundRows {
  /** Newest first. */
  readonly rowKeys: readonly number[]
  /** The row after which looking goes on, whether it was found or not; null where the list was looked through. */
  readonly next: number | null
}

interface CountedByFolder {
  readonly folders: Readonly<Record<Folder, number>>
  /** Where counting goes on; null at the end. */
  readonly next: number | null
}

interface CountedThreads {
  readonly count: number
  /** Where counting goes on; null at the end. */
  readonly next: number | null
}

/** Threads of one inbox that match, as far as a page has taken them. */
interface Source {
  readonly inbox: IndexedInbox
  readonly hits: Generator<ThreadHit>
  /** The next of them. */
  head: IteratorResult<ThreadHit>
}

interface Page {
  readonly page: readonly { readonly inbox: IndexedInbox; readonly hit: ThreadHit }[]
  readonly hasMore: boolean
}

/**
 * E-mails of one of the account's own lists that are looked through between two looks at the clock: at first, and at most.
 * Asking the index costs something by itself, so that what was quick is asked of twice as many.
 */
const STRETCH = { first: 2_048, longest: 16_384, quickMs: 4 } as const
/** E-mails of one thread whose relevance is weighed; the newest of them. */
const MOST_WEIGHED = 200

const noThreads = (): Record<Folder, number> => ({ inbox: 0, archive: 0, spam: 0, sent: 0, trash: 0 })

const rowKeyOf = (threadKey: number): number | null => readAccountEmailKey(threadKey)?.rowKey ?? null

const prepareStatements = (database: Database.Database) => ({
  inbox: database.prepare<[string], number>('SELECT key FROM inboxes WHERE id = ?').pluck(),
  threadId: database.prepare<[number], string>('SELECT id FROM threads WHERE key = ?').pluck(),
  emailId: database.prepare<[number], string>('SELECT id FROM emails WHERE key = ?').pluck(),
  isWhole: database.prepare<[number], number>('SELECT emails_at IS received_at FROM threads WHERE key = ?').pluck(),
  threadById: database.prepare<[number, string], IndexedThread>(
    `SELECT ${THREAD} FROM search_threads
     WHERE thread_key = (SELECT key FROM threads WHERE inbox_key = ? AND id = ?)`,
  ),
  thread: database.prepare<[number], IndexedThread>(`SELECT ${THREAD} FROM search_threads WHERE thread_key = ?`),
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

/** Takes the threads of a page from several inboxes, latest activity first. */
const mergePage = (sources: readonly Source[], limit: number): Page => {
  const page: { readonly inbox: IndexedInbox; readonly hit: ThreadHit }[] = []
  while (page.length <= limit) {
    let newest: Source | null = null
    for (const source of sources) {
      if (source.head.done === true) continue
      const time = newest === null || newest.head.done === true ? -Infinity : newest.head.value.thread.time
      if (newest === null || source.head.value.thread.time > time) newest = source
    }
    if (newest === null || newest.head.done === true) break
    page.push({ inbox: newest.inbox, hit: newest.head.value })
    newest.head = newest.hits.next()
  }
  return { page: page.slice(0, limit), hasMore: page.length > limit }
}

/**
 * Searches the mail of this computer by rules 1 to 5 of the contract, pending changes included, and for words in their other
 * spellings as well (`spellings.ts`). Every question is answered at once, from the cache and its index alone: a page or a step
 * at a time. A damaged index finds nothing.
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
   * A page of threads, latest activity first; of those with the same time, the one stored later first (contract, Search
   * threads, order).
   * @param after the last thread of the page before: null for the first page. It may fit no more.
   * @returns null where the cursor is a thread that the cache does not know
   */
  page(query: ResolvedThreadQuery, after: ThreadCursor | null, limit: number): FoundPage | null {
    return this.#ask(query, { threads: [], hasMore: false }, (plan) => {
      const found = this.#pageAfter(plan, after, limit)
      if (found === null) return null
      return { threads: found.page.map(({ inbox, hit }) => this.#found(inbox, hit, plan)), hasMore: found.hasMore }
    })
  }

  /** Those of some threads of an inbox that match as they are now, in the order in which they are given. */
  matching(query: ResolvedThreadQuery, inboxId: string, threadIds: readonly string[]): readonly FoundThread[] {
    return this.#ask(query, [], (plan) => {
      const inbox = this.#openInboxes(plan).find(({ id }) => id === inboxId)
      if (inbox === undefined) return []
      return threadIds.flatMap((threadId) => {
        const thread = this.#sql.threadById.get(inbox.key, threadId)
        const hit = thread === undefined ? null : this.#matching.matchOf(inbox, thread, plan)
        return hit === null ? [] : [this.#found(inbox, hit, plan)]
      })
    })
  }

  /** In which other spellings than its own the words of a widened query are looked for. */
  spellings(query: ResolvedThreadQuery): readonly string[] {
    return this.#ask(query, [], (plan) => plan.spellings)
  }

  /**
   * Goes through so many threads of the inbox of a search and counts those that match, without a look at which of their
   * e-mails do.
   * @param from where the count before ended; null at the beginning
   * @param threads whether they match or not: a count takes as long as they are many
   */
  count(query: ResolvedThreadQuery, from: number | null, threads: number): CountedThreads {
    return this.#ask(query, { count: 0, next: null }, (plan) => {
      let count = 0
      const next = this.#goThrough(plan, from, threads, () => (count += 1))
      return { count, next }
    })
  }

  /** The same by folder, wherever the query looks itself. */
  countByFolder(query: ResolvedThreadQuery, from: number | null, threads: number): CountedByFolder {
    return this.#ask({ ...query, folders: FOLDERS }, { folders: noThreads(), next: null }, (plan) => {
      const folders = noThreads()
      const next = this.#goThrough(plan, from, threads, ({ thread, emails }) => {
        const wasSent =
          plan.email === null ? thread.hasOutbound === 1 : emails.some(({ isOutbound }) => isOutbound === 1)
        for (const folder of FOLDERS) {
          const isHere = folder === 'sent' ? wasSent && !isPutAway(thread) : thread.folder === folder
          if (isHere) folders[folder] += 1
        }
      })
      return { folders, next }
    })
  }

  /**
   * Looks through one of the account's own lists by the same rules, which the platform cannot search, newest first, for as
   * long as `bounds` say. What it finds holds as long as `SearchIndex.accountListVersion` does.
   * @param after the row after which it goes on; null at the top
   * @returns null where that row is not in the index
   */
  searchList(list: AccountList, query: AccountListQuery, after: number | null, bounds: StepBounds): FoundRows | null {
    const everywhere = { ...NO_FILTER, ...query, folders: FOLDERS, inboxIds: [] }
    return this.#ask(everywhere, { rowKeys: [], next: null }, (plan) => this.#goThroughList(plan, list, after, bounds))
  }

  /** Plans a search and answers it. @param nothing where it can find nothing, or the index is damaged */
  #ask<Answer>(
    query: ResolvedThreadQuery,
    nothing: NonNullable<Answer>,
    work: (plan: SearchPlan) => Answer,
  ): Answer | NonNullable<Answer> {
    return this.#index.unlessDamaged(nothing, () => {
      const plan = planSearch(query, this.#people, this.#vocabulary, this.#spellings)
      return plan === null ? nothing : work(plan)
    })
  }

  #goThroughList(
    plan: SearchPlan,
    list: AccountList,
    after: number | null,
    { limit, milliseconds }: StepBounds,
  ): FoundRows | null {
    let now = performance.now()
    const end = now + milliseconds
    const key = listKey(list)
    const range = placesOfInbox(key)
    if (range === null) return null
    const inbox = { key, id: list, range }
    const cursor = after === null ? undefined : this.#sql.thread.get(accountEmailKey(list, after))
    if (after !== null && cursor === undefined) return null
    const last = this.#matching.endOfPlaces(inbox, plan)
    const rowKeys: number[] = []
    let from = cursor === undefined ? range.first : cursor.place + cursor.room
    for (let length: number = STRETCH.first; from < last;) {
      const beyond = this.#sql.behind.get(from, range.end, length)
      for (const { thread } of this.#matching.from(inbox, from, plan, Math.min(last, beyond ?? range.end))) {
        const rowKey = rowKeyOf(thread.threadKey)
        if (rowKey !== null) rowKeys.push(rowKey)
        if (rowKeys.length >= limit) return { rowKeys, next: rowKey }
      }
      if (beyond === undefined) break
      from = beyond
      const startedAt = now
      now = performance.now()
      if (now >= end) return { rowKeys, next: rowKeyOf(this.#sql.lastBefore.get(beyond) ?? 0) }
      if (now - startedAt < STRETCH.quickMs) length = Math.min(2 * length, STRETCH.longest)
    }
    return { rowKeys, next: null }
  }

  /** Goes through threads of the first inbox of a search. @returns where going on begins; null at the end */
  #goThrough(plan: SearchPlan, from: number | null, threads: number, each: (hit: ThreadHit) => void): number | null {
    const [inbox] = this.#openInboxes(plan)
    if (inbox === undefined) return null
    const [first, end] = [from ?? inbox.range.first, this.#matching.endOfPlaces(inbox, plan)]
    const next = this.#sql.behind.get(first, end, threads) ?? null
    for (const hit of this.#matching.from(inbox, first, plan, next ?? end)) each(hit)
    return next
  }

  #openInboxes({ inboxIds }: SearchPlan): readonly IndexedInbox[] {
    return inboxIds.flatMap((id) => {
      const key = this.#sql.inbox.get(id)
      const range = key === undefined ? null : placesOfInbox(key)
      return key === undefined || range === null ? [] : [{ key, id, range }]
    })
  }

  /** The threads of a page; null where the cursor is a thread that the cache does not know. */
  #pageAfter(plan: SearchPlan, after: ThreadCursor | null, limit: number): Page | null {
    const inboxes = this.#openInboxes(plan)
    const cursorAt = inboxes.findIndex(({ id }) => id === after?.inboxId)
    const cursorInbox = inboxes[cursorAt]
    const cursorThread =
      after === null || cursorInbox === undefined
        ? undefined
        : this.#sql.threadById.get(cursorInbox.key, after.threadId)
    if (after !== null && cursorThread === undefined) return null

    const placeIn = (inbox: IndexedInbox, at: number): number => {
      if (cursorThread === undefined) return inbox.range.first
      if (inbox.id === cursorInbox?.id) return cursorThread.place + cursorThread.room
      // Threads of one time are in the order of their inboxes.
      return this.#matching.placeBehind(inbox, at > cursorAt ? cursorThread.time + 1 : cursorThread.time)
    }
    const hitsOf = inboxes.map((inbox, at) => this.#matching.from(inbox, placeIn(inbox, at), plan))
    try {
      return mergePage(
        inboxes.flatMap((inbox, at) => {
          const hits = hitsOf[at]
          return hits === undefined ? [] : [{ inbox, hits, head: hits.next() }]
        }),
        limit,
      )
    } finally {
      for (const hits of hitsOf) hits.return(undefined)
    }
  }

  #found(inbox: IndexedInbox, hit: ThreadHit, plan: SearchPlan): FoundThread {
    const emailKey = this.#chooseEmail(hit, plan)
    return {
      inboxId: inbox.id,
      threadId: this.#sql.threadId.get(hit.thread.threadKey) ?? '',
      receivedAt: hit.thread.time,
      matchedEmailId: emailKey === null ? null : (this.#sql.emailId.get(emailKey) ?? null),
    }
  }

  /** Contract, `matched_email_id`: "With words or phrases in `query` it is the most relevant match; otherwise the newest." */
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
    for (const { emailKey } of newestFirst.slice(0, MOST_WEIGHED)) {
      const email = this.#source.read(emailKey)
      const score = email === undefined ? 0 : relevanceOf(wordsOfEmail(email), plan.terms)
      if (score <= bestScore) continue
      best = emailKey
      bestScore = score
    }
    return best
  }
}
