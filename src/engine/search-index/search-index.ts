/**
 * The search of this computer: the contract's thread search over the cache, without a network.
 *
 * | what | where it is kept |
 * | --- | --- |
 * | the words of an e-mail, and what else of it never changes (people, attachment, day, sent or not) | `search_words`, full text, a row an e-mail; words are made by `shared/search/words.ts` |
 * | an e-mail's thread, time and people | `search_documents`, by the same rowid |
 * | a thread's order, folder, read state, labels | `search_threads`, `search_labels`, by place |
 *
 * A thread's place is made from its latest activity, the newest the smallest (`thread-places.ts`), and its e-mails' rowids
 * begin there: rows come in the order of the contract. New mail takes a thread's e-mails along, save those of a thread of
 * very many, which have rowids of their own and are asked apart (`search-threads.ts`).
 *
 * The stores write it within their own transactions. What an older file holds is indexed in the background, newest first.
 * The index is made from other tables alone: where it turns out to be damaged, it is emptied and made anew.
 */
import type Database from 'better-sqlite3'
import { FOLDERS } from '../../shared/model.ts'
import { NO_FILTER, type EmailFilter } from '../../shared/thread-query.ts'
import { accountEmailKey, listKey, type AccountList } from './account-keys.ts'
import type { SearchableEmail } from './searchable-email.ts'
import {
  createIndexWriter,
  here,
  there,
  type EmailSource,
  type IndexWriter,
  type SearchableThread,
} from './index-writer.ts'
import { createPeople } from './people.ts'
import { createSpellings } from './spellings.ts'
import { planSearch, type ResolvedThreadQuery, type SearchPlan } from './search-query.ts'
import { createVocabulary } from './vocabulary.ts'
import { createFindMailWithPerson, NO_MAIL, type FindMailWithPerson } from './mail-with-person.ts'
import { createHasEarlierMail, type HasEarlierMail } from './earlier-mail.ts'
import { createSuggestPeople, type SuggestPeople } from './suggest-people.ts'
import {
  createThreadSearch,
  type CountedByFolder,
  type CountedThreads,
  type FoundPage,
  type FoundRows,
  type FoundThread,
  type StepBounds,
  type ThreadCursor,
} from './search-threads.ts'

/** What of the cache the search can look through by now. */
export interface SearchCoverage {
  /** Threads of an older file that wait to be indexed. 0: everything that is here is searched. */
  readonly waiting: number
  /** Of how many threads that were there when indexing began. */
  readonly total: number
}

/** The rows that the index is made from. */
export interface IndexedRows extends EmailSource {
  /** Threads of the cache with a greater key, by key. */
  readonly threadsAfter: (key: number, limit: number) => readonly SearchableThread[]
  /** E-mails of one of the account's own lists with a greater key, by key; undefined for one that cannot be read. */
  readonly accountEmailsAfter: (
    list: AccountList,
    key: number,
    limit: number,
  ) => readonly { readonly key: number; readonly email: SearchableEmail | undefined }[]
  /** The greatest key of one of those lists; 0 for an empty one. */
  readonly lastAccountEmail: (list: AccountList) => number
}

export interface SearchIndex {
  /**
   * Searches threads by rules 1 to 5 of the contract, newest activity first.
   * @param after the last thread of the page before
   * @param limit threads of a page
   * @returns null where the cursor is a thread that the cache does not know
   */
  readonly searchThreads: (query: ResolvedThreadQuery, after: ThreadCursor | null, limit: number) => FoundPage | null
  /**
   * Counts what `searchThreads` finds in an inbox, without a look at which of their e-mails match.
   * @param from where the count before ended; null at the beginning
   * @param threads to go through, whether they match or not: a count takes as long as they are many
   */
  readonly countThreads: (query: ResolvedThreadQuery, from: number | null, threads: number) => CountedThreads
  /** The same by folder, wherever the query looks itself. */
  readonly countByFolder: (query: ResolvedThreadQuery, from: number | null, threads: number) => CountedByFolder
  /** Those of some threads of an inbox that match as they are now, in the order in which they are given. */
  readonly matchThreads: (
    query: ResolvedThreadQuery,
    inboxId: string,
    threadIds: readonly string[],
  ) => readonly FoundThread[]
  /** In which other spellings the words of a widened query are looked for. */
  readonly spellings: (query: ResolvedThreadQuery) => readonly string[]
  /**
   * Looks through one of the account's own lists by the same rules, which the platform cannot search, newest first. What it
   * finds holds as long as `accountListVersion` does.
   * @param after the row key after which it goes on; null at the top
   * @returns null where that e-mail is not in the index
   */
  readonly searchAccountEmails: (
    list: AccountList,
    query: AccountListQuery,
    after: number | null,
    bounds: StepBounds,
  ) => FoundRows | null
  /** Another number than before wherever something else may be found in one of those lists. */
  readonly accountListVersion: (list: AccountList) => number
  /** E-mails of one of those lists that are searched. */
  readonly countAccountEmails: (list: AccountList) => number
  readonly suggestPeople: SuggestPeople
  readonly mailWithPerson: FindMailWithPerson
  /** Whether mail that is here and earlier than an e-mail is from its sender, or was sent to them. */
  readonly hasEarlierMail: HasEarlierMail
  readonly coverage: () => SearchCoverage
  /** E-mails of an inbox that are searched, and how many the platform has of its threads that are here. */
  readonly extent: (inboxKey: number) => { readonly emails: number; readonly of: number }
  /** Within a transaction of the stores, each of these. */
  readonly keepThread: IndexWriter['keepThread']
  readonly addThreads: IndexWriter['addThreads']
  readonly keepOrder: IndexWriter['keepOrder']
  readonly keepEmail: IndexWriter['keepEmail']
  readonly dropEmail: IndexWriter['dropEmail']
  readonly dropThread: (threadKey: number) => void
  readonly dropAccountEmail: (list: AccountList, rowKey: number) => void
  readonly keepAccountEmail: IndexWriter['keepAccountEmail']
  /**
   * Indexes some of what waits, in one transaction; goes on where it was ended.
   * @param milliseconds after which it stops
   * @returns whether there is more to do
   */
  readonly indexSome: (milliseconds: number) => boolean
}

/** What the e-mails of one of the account's own lists can be searched by. */
export type AccountListQuery = Pick<ResolvedThreadQuery, keyof EmailFilter | 'lastWordIsPrefix'>

/** Another number has every index made anew: for another way to make words, or other tokens. */
const VERSION = 2
const LISTS = ['received', 'sent'] as const
/** Segments of a level that FTS5 makes one of, 4 by default: with fewer merges indexing is a sixth faster, finding as fast. */
const MERGED_TOGETHER = 8
/** Threads that are put into the order between two looks at the clock, and e-mails. */
const THREADS_AT_ONCE = 64
const EMAILS_AT_ONCE = 16

const NO_THREADS: CountedByFolder['folders'] = { inbox: 0, archive: 0, spam: 0, sent: 0, trash: 0 }
const NOTHING: FoundPage = { threads: [], hasMore: false }

/** Whether the index itself is at fault: not the file around it, and not the disk. */
const meansDamagedIndex = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  /^SQLITE_(?:CORRUPT_VTAB|CONSTRAINT)/.test(thrown.code)

/**
 * Sees to what SQLite finds wrong with a file where it concerns the index alone: that is made anew when the file is open.
 * @returns whether it does
 */
export const condemnSearchIndex = (database: Database.Database, finding: string): boolean => {
  if (!/(?:^fts5: .* table "|inverted index for FTS5 table main\.)search_/.test(finding)) return false
  database.exec("UPDATE search_state SET value = 0 WHERE name = 'version'")
  return true
}

export const createSearchIndex = (database: Database.Database, rows: IndexedRows): SearchIndex => {
  const selectState = database.prepare<[string], number>('SELECT value FROM search_state WHERE name = ?').pluck()
  const setState = database.prepare<[string, number]>(
    'INSERT INTO search_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  const countThreads = database.prepare<[], { readonly count: number; readonly last: number | null }>(
    'SELECT count(*) AS count, max(key) AS last FROM threads',
  )
  const selectIsIndexed = database
    .prepare<[number], number>('SELECT indexed FROM search_threads WHERE thread_key = ?')
    .pluck()
  const selectWaiting = database.prepare<[], { readonly threadKey: number }>(
    'SELECT thread_key AS threadKey FROM search_threads WHERE indexed = 0 ORDER BY place LIMIT 1',
  )
  const people = createPeople(database)
  const vocabulary = createVocabulary(database)
  const spellings = createSpellings(database)
  const writer = createIndexWriter(database, people, vocabulary, rows)
  const search = createThreadSearch(database, rows)
  const suggestPeople = createSuggestPeople(database, people, rows)
  const findMailWithPerson = createFindMailWithPerson(database)
  const hasEarlierMail = createHasEarlierMail(database, people)

  const state = (name: string): number => selectState.get(name) ?? 0
  const versions = { received: 0, sent: 0 }

  /** Empties the index: `indexSome` makes it anew. */
  const begin = (): void => {
    database.exec(`
      INSERT INTO search_words (search_words) VALUES ('delete-all');
      INSERT INTO search_words (search_words, rank) VALUES ('automerge', ${MERGED_TOGETHER});
      DELETE FROM search_documents; DELETE FROM search_threads; DELETE FROM search_labels; DELETE FROM search_state;
    `)
    people.clear()
    vocabulary.clear()
    for (const list of LISTS) versions[list] += 1
    const { count, last } = countThreads.get() ?? { count: 0, last: null }
    setState.run('version', VERSION)
    setState.run('placed', 0)
    // Threads that come later are put into the order as they come.
    setState.run('last', last ?? 0)
    setState.run('waiting', count)
    setState.run('total', count)
    for (const list of LISTS) {
      setState.run(`${list} placed`, 0)
      setState.run(`${list} last`, rows.lastAccountEmail(list))
    }
  }

  const condemn = (): void => {
    setState.run('version', 0)
  }
  /** A write of mail does not fail because the index does: that is made anew. */
  const guarded =
    <Input extends readonly unknown[]>(work: (...input: Input) => void) =>
    (...input: Input): void => {
      try {
        work(...input)
      } catch (thrown) {
        if (!meansDamagedIndex(thrown)) throw thrown
        condemn()
      }
    }

  /** Where indexing the e-mails of a thread goes on: a thread of very many takes several steps. */
  let reading = { threadKey: -1, after: 0 }
  /** Threads of this step that wait no more. */
  let done = 0

  const placeSome = (): boolean => {
    const [placed, last] = [state('placed'), state('last')]
    if (placed >= last) return false
    const threads = rows.threadsAfter(placed, THREADS_AT_ONCE).filter(({ key }) => key <= last)
    for (const thread of threads) writer.keepThread(thread)
    const ready = threads.filter(({ key }) => selectIsIndexed.get(key) !== 0)
    done += ready.length
    setState.run('placed', threads.at(-1)?.key ?? last)
    return true
  }

  const readSome = (): boolean => {
    const next = selectWaiting.get()
    if (next === undefined) return false
    const { threadKey } = next
    const after = writer.indexWaiting(threadKey, reading.threadKey === threadKey ? reading.after : 0, EMAILS_AT_ONCE)
    reading = { threadKey, after: after ?? 0 }
    if (after === null) done += 1
    return true
  }

  const readSomeOfLists = (): boolean => {
    const list = LISTS.find((name) => state(`${name} placed`) < state(`${name} last`))
    if (list === undefined) return false
    const last = state(`${list} last`)
    const emails = rows.accountEmailsAfter(list, state(`${list} placed`), EMAILS_AT_ONCE)
    for (const { key, email } of emails) {
      if (key <= last && email !== undefined) writer.keepAccountEmail(list, key, email)
    }
    versions[list] += 1
    setState.run(`${list} placed`, emails.at(-1)?.key ?? last)
    return true
  }

  /** A question to a damaged index finds nothing, until the index is made anew. */
  const answering = <Answer>(nothing: NonNullable<Answer>, work: () => Answer): Answer | NonNullable<Answer> => {
    try {
      return work()
    } catch (thrown) {
      if (!meansDamagedIndex(thrown)) throw thrown
      condemn()
      return nothing
    }
  }
  const ask = <Answer>(
    query: ResolvedThreadQuery,
    nothing: NonNullable<Answer>,
    work: (plan: SearchPlan) => Answer,
  ): Answer | NonNullable<Answer> =>
    answering(nothing, () => {
      const plan = planSearch(query, people, vocabulary, spellings)
      return plan === null ? nothing : work(plan)
    })

  if (state('version') !== VERSION) database.transaction(begin)()

  return {
    searchThreads: (query, after, limit) => ask(query, NOTHING, (plan) => search.search(plan, after, limit)),
    countThreads: (query, from, threads) =>
      ask(query, { count: 0, next: null }, (plan) => search.count(plan, from, threads)),
    countByFolder: (query, from, threads) =>
      ask({ ...query, folders: FOLDERS }, { folders: NO_THREADS, next: null }, (plan) =>
        search.countByFolder(plan, from, threads),
      ),
    spellings: (query) => ask(query, [], (plan) => plan.spellings),
    matchThreads: (query, inboxId, threadIds) => ask(query, [], (plan) => search.matching(plan, inboxId, threadIds)),
    searchAccountEmails: (list, query, after, bounds) =>
      ask({ ...NO_FILTER, ...query, folders: FOLDERS, inboxIds: [] }, { rowKeys: [], next: null }, (plan) =>
        search.searchList(plan, list, after, bounds),
      ),
    accountListVersion: (list) => versions[list],
    countAccountEmails: (list) => (state('version') === VERSION ? state(here(listKey(list))) : 0),
    suggestPeople: (...asked) => answering([], () => suggestPeople(...asked)),
    mailWithPerson: (...asked) => answering(NO_MAIL, () => findMailWithPerson(...asked)),
    // Nothing can be said where the index has to be made anew.
    hasEarlierMail: (email) => answering<boolean | null>(true, () => hasEarlierMail(email)),
    extent: (inboxKey) => {
      const emails = selectState.get(here(inboxKey)) ?? 0
      return { emails, of: Math.max(emails, selectState.get(there(inboxKey)) ?? 0) }
    },
    coverage: () => {
      const total = state('total')
      return { waiting: state('version') === VERSION ? state('waiting') : total, total }
    },
    keepThread: guarded(writer.keepThread),
    addThreads: guarded(writer.addThreads),
    keepOrder: guarded(writer.keepOrder),
    keepEmail: guarded(writer.keepEmail),
    dropEmail: guarded(writer.dropEmail),
    dropThread: guarded((threadKey) => {
      const isWaiting = writer.dropThread(threadKey) ?? (threadKey > state('placed') && threadKey <= state('last'))
      if (isWaiting) setState.run('waiting', Math.max(0, state('waiting') - 1))
    }),
    dropAccountEmail: guarded((list, rowKey) => {
      versions[list] += 1
      writer.dropThread(accountEmailKey(list, rowKey))
    }),
    keepAccountEmail: guarded((list, ...email) => {
      versions[list] += 1
      writer.keepAccountEmail(list, ...email)
    }),
    indexSome: (milliseconds) => {
      const end = performance.now() + milliseconds
      done = 0
      people.settle()
      return database.transaction(() => {
        if (state('version') !== VERSION) begin()
        let isLeft: boolean
        do isLeft = placeSome() || readSome() || readSomeOfLists()
        while (isLeft && performance.now() < end)
        if (done > 0) setState.run('waiting', state('waiting') - done)
        return isLeft
      })()
    },
  }
}
