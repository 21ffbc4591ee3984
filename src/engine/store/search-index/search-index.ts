/**
 * Local search: the platform's thread search (platform.md 9) over the cache, without a network.
 * - `search_words`, full-text: an e-mail's words (`shared/search/word-tokenizer.ts`), people, attachments, day, and whether it
 * was sent
 * - `search_kinds`: kinds found in headers, by the names that copies share (`mail-kinds.ts`)
 * - `search_documents`, with the same rowid: an e-mail's thread, time and people
 * - `search_threads`, `search_labels`, by place: a thread's order, folder, read state and labels
 *
 * A thread's place follows from its latest activity, newest first (`thread-order.ts`). Its e-mails' rowids start at its
 * place, so rows come in the platform's order. When new mail moves a thread, its e-mails move along, except in very
 * large threads, whose rowids are stored apart (`matching-threads.ts`).
 *
 * The stores write the index in their transactions. Files of older versions are indexed in the background, newest mail
 * first. A damaged index is emptied and rebuilt from other tables.
 */
import type Database from 'better-sqlite3'
import { type AccountList, listKey, decodeAccountEmailKey } from './thread-order.ts'
import { parsePerson, type SearchableEmail } from './searchable-email.ts'
import { detectMailAuthor } from './mail-kind.ts'
import { MailKinds } from './mail-kinds.ts'
import {
  indexedCounter,
  IndexWriter,
  platformCounter,
  type EmailSource,
  type SearchableThread,
} from './index-writer.ts'
import { runInTransaction } from '../watch-database.ts'
import { People } from './people.ts'
import { Vocabulary } from './vocabulary.ts'
import { createFindMailWithPerson, NO_MAIL_WITH_PERSON, type FindMailWithPerson } from './mail-with-person.ts'
import { createFindSenders, type SenderLookup } from './find-senders.ts'
import { createSuggestPeople, type SuggestPeople } from './suggest-people.ts'
import { toPersonReference, personToken } from './index-tokens.ts'

export interface IndexedRows extends EmailSource {
  /** Threads in order, after the given key. */
  readonly threadsAfter: (key: number, limit: number) => readonly SearchableThread[]
  /** E-mails in order, after the given key; `email` is undefined if unreadable. */
  readonly accountEmailsAfter: (
    list: AccountList,
    key: number,
    limit: number,
  ) => readonly { readonly key: number; readonly email: SearchableEmail | undefined }[]
  /** Key of the last e-mail in the list; 0 if the list is empty. */
  readonly lastAccountEmail: (list: AccountList) => number
}

/** Increase to rebuild all indexes, for example after a change to words or tokens. */
const VERSION = 4
const LISTS = ['received', 'sent'] as const
/**
 * Number of segments of a level that FTS5 merges at once (4 by default).
 * - `usually`: fewer merges make storing mail a sixth faster, and searches take the same time
 * - `anew`: each step of a rebuild writes a segment; with large merges, each word is written twice instead of four
 * times
 * - `atLast`: after a rebuild, merges until there are no more segments than in an index that grew over time
 */
const SEGMENTS_PER_MERGE = { usually: 8n, anew: 64n, atLast: 16n } as const
/**
 * Number of segments (16 by default) at which FTS5 merges all of them in one go, however long that takes. So high that
 * it is never reached.
 */
const MAX_SEGMENTS = 1_000n
/** Leaf pages merged between clock checks. */
const PAGES_AT_ONCE = 32n
/** Threads and e-mails processed between clock checks. */
const THREADS_AT_ONCE = 64
const EMAILS_AT_ONCE = 16

/** True if only the index is damaged, not its file or the disk. */
const isDamagedIndexError = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  /^SQLITE_(?:CORRUPT_VTAB|CONSTRAINT)/.test(thrown.code)

/** Schedules a rebuild if SQLite's integrity check finds only the index damaged. @returns true if so */
export const scheduleIndexRebuild = (database: Database.Database, finding: string): boolean => {
  if (!/(?:^fts5: .* table "|inverted index for FTS5 table main\.)search_/.test(finding)) return false
  database.exec("UPDATE search_state SET value = 0 WHERE name = 'version'")
  return true
}

const prepareStatements = (database: Database.Database) => ({
  state: database.prepare<[string], number>('SELECT value FROM search_state WHERE name = ?').pluck(),
  setState: database.prepare<[string, number]>(
    'INSERT INTO search_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ),
  lastThread: database.prepare<[], number | null>('SELECT max(key) FROM threads').pluck(),
  countUnindexed: database
    .prepare<[number, number], number>(
      `SELECT (SELECT count(*) FROM search_threads WHERE unindexed_after IS NOT NULL)
         + (SELECT count(*) FROM threads WHERE key > ? AND key <= ?)`,
    )
    .pluck(),
  setMerging: database.prepare<[string, bigint]>('INSERT INTO search_words (search_words, rank) VALUES (?, ?)'),
  changes: database.prepare<[], number>('SELECT total_changes()').pluck(),
})

/** An e-mail and the list in which the user sees it: the same message may be in a thread and in the received list. */
interface SeenEmail {
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly list: 'threads' | 'received'
}

type IncomingEmail = Pick<SearchableEmail, 'id' | 'messageId' | 'from' | 'subject'>

/** Searches for earlier mail with the sender. @returns null if there is too much mail to search */
type HasEarlierMail = (email: SeenEmail) => boolean | null

/** Maximum names per address, including those of longer addresses that start the same way. */
const MAX_PEOPLE = 200
/** Maximum e-mails examined. Starts with the oldest threads, which are most likely to have an earlier e-mail. */
const MAX_EMAILS = 5_000

const createHasEarlierMail = (database: Database.Database, people: People): HasEarlierMail => {
  // Smaller rowids belong to threads with later activity (`thread-order.ts`).
  const select = database.prepare<
    [string, number],
    { readonly emailKey: number; readonly receivedAt: number; readonly isOutbound: number; readonly people: string }
  >(
    `SELECT d.email_key AS emailKey, d.received_at AS receivedAt, d.is_outbound AS isOutbound, d.people AS people
     FROM search_words AS w JOIN search_documents AS d ON d.document = w.rowid
     WHERE search_words MATCH ? ORDER BY w.rowid DESC LIMIT ?`,
  )
  return ({ from, receivedAt, list }) => {
    const address = parsePerson(from).address.trim().toLowerCase()
    if (address === '') return null
    const similar = people.containing(`\n${address}`, MAX_PEOPLE)
    if (similar.length === MAX_PEOPLE) return null
    const keys = similar.filter(({ text }) => text.endsWith(`\n${address}`)).map(({ key }) => key)
    if (keys.length === 0) return false
    const senders = new Set(keys.map((key) => toPersonReference('from', key)))
    const marks = keys.flatMap((key) =>
      (['from', 'to', 'cc', 'bcc'] as const).map((field) => toPersonReference(field, key)),
    )
    const expression = marks.map((mark) => `"${personToken(mark)}"`).join(' OR ')
    let looked = 0
    for (const email of select.iterate(expression, MAX_EMAILS)) {
      looked += 1
      if (email.receivedAt >= receivedAt) continue
      if (email.isOutbound === 1) return true
      const isInList = (decodeAccountEmailKey(email.emailKey)?.list ?? 'threads') === list
      if (isInList && email.people.split(' ').some((mark) => senders.has(mark))) return true
    }
    return looked === MAX_EMAILS ? null : false
  }
}

/** Maintains the index; `ThreadSearch` queries it. */
export class SearchIndex {
  readonly #database: Database.Database
  readonly #rows: IndexedRows
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #people: People
  readonly #vocabulary: Vocabulary
  readonly #writer: IndexWriter
  readonly #kinds: MailKinds
  readonly #suggestPeople: SuggestPeople
  readonly #findWriters: SenderLookup
  readonly #findMailWithPerson: FindMailWithPerson
  readonly #hasEarlierMail: HasEarlierMail
  readonly #reclassified: (threadKey: number) => void
  readonly #versions = { received: 0, sent: 0 }

  /** @param reclassified called with the key of each thread in which an e-mail's kind has changed */
  constructor(
    database: Database.Database,
    rows: IndexedRows,
    reclassified: (threadKey: number) => void = () => undefined,
  ) {
    this.#reclassified = reclassified
    this.#database = database
    this.#rows = rows
    this.#sql = prepareStatements(database)
    this.#people = new People(database)
    this.#vocabulary = new Vocabulary(database)
    this.#writer = new IndexWriter(database, this.#people, this.#vocabulary, rows)
    this.#kinds = new MailKinds(database)
    this.#suggestPeople = createSuggestPeople(database, this.#people, rows)
    this.#findWriters = createFindSenders(database, rows)
    this.#findMailWithPerson = createFindMailWithPerson(database)
    this.#hasEarlierMail = createHasEarlierMail(database, this.#people)
    if (this.#state('version') !== VERSION) runInTransaction(database, () => this.#emptyIndex())
  }

  /** Changes whenever results for one of the account's own lists may change. */
  accountListVersion(list: AccountList): number {
    return this.#versions[list]
  }

  countAccountEmails(list: AccountList): number {
    return this.#state('version') === VERSION ? this.#state(indexedCounter(listKey(list))) : 0
  }

  /** Runs `work`. If the index is damaged, returns `nothing`, and the index is rebuilt. */
  unlessDamaged<Answer>(nothing: NonNullable<Answer>, work: () => Answer): Answer | NonNullable<Answer> {
    try {
      return work()
    } catch (thrown) {
      if (!isDamagedIndexError(thrown)) throw thrown
      this.rebuild()
      return nothing
    }
  }

  suggestPeople(...asked: Parameters<SuggestPeople>): ReturnType<SuggestPeople> {
    return this.unlessDamaged([], () => this.#suggestPeople(...asked))
  }

  writers(...asked: Parameters<SenderLookup>): ReturnType<SenderLookup> {
    return this.unlessDamaged([], () => this.#findWriters(...asked))
  }

  mailWithPerson(...asked: Parameters<FindMailWithPerson>): ReturnType<FindMailWithPerson> {
    return this.unlessDamaged(NO_MAIL_WITH_PERSON, () => this.#findMailWithPerson(...asked))
  }

  /**
   * True if there is an earlier local e-mail from the sender or to them. Also true if the index is damaged; null if
   * there is too much mail to search.
   */
  hasEarlierMail(email: SeenEmail): boolean | null {
    return this.unlessDamaged<boolean | null>(true, () => this.#hasEarlierMail(email))
  }

  /** True if a person wrote an incoming e-mail, rather than a program or a newsletter. */
  isFromPerson(email: IncomingEmail): boolean {
    const [from = ''] = email.from
    if (detectMailAuthor({ ...email, from, headers: null }) !== 'person') return false
    const kind = () => this.#kinds.of({ ...email, isOutbound: false, headers: null })
    return this.unlessDamaged('person', kind) === 'person'
  }

  /** Threads still to be indexed; 0 if everything is searchable. */
  countUnindexed(): number {
    const isBegun = this.#state('version') === VERSION
    const [placed, last] = isBegun ? [this.#state('placed'), this.#state('last')] : [0, this.#sql.lastThread.get() ?? 0]
    return this.#sql.countUnindexed.get(placed, last) ?? 0
  }

  isReady(): boolean {
    return this.#state('version') === VERSION && this.countUnindexed() === 0
  }

  /** Number of an inbox's indexed e-mails, and the platform's total for its local threads. */
  extent(inboxKey: number): { readonly emails: number; readonly of: number } {
    const emails = this.#state(indexedCounter(inboxKey))
    return { emails, of: Math.max(emails, this.#state(platformCounter(inboxKey))) }
  }

  /** Runs a write to the index. Call within a transaction of the stores. A damaged index doesn't make storing mail fail. */
  write(work: (writer: IndexWriter) => void): void {
    this.unlessDamaged<unknown>(true, () => work(this.#writer))
  }

  indexAccountEmail(list: AccountList, rowKey: number, email: SearchableEmail): void {
    this.#versions[list] += 1
    this.write((writer) => writer.indexAccountEmail(list, rowKey, email).forEach(this.#reclassified))
  }

  dropAccountEmail(list: AccountList, rowKey: number): void {
    this.#versions[list] += 1
    this.write((writer) => writer.dropAccountEmail(list, rowKey))
  }

  /**
   * Indexes some pending mail in one transaction, continuing where the last call stopped. @returns true if more is left
   */
  indexSome(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    this.#people.settle()
    const indexUntil = (): boolean => {
      if (this.#state('version') !== VERSION) this.#emptyIndex()
      let isLeft: boolean
      do {
        isLeft =
          this.#placeSome() ||
          this.#writer.indexUnindexed(EMAILS_AT_ONCE) ||
          this.#readSomeOfLists() ||
          this.#mergeSome()
      } while (isLeft && performance.now() < end)
      return isLeft
    }
    return this.unlessDamaged(false, () => runInTransaction(this.#database, indexUntil))
  }

  #state(name: string): number {
    return this.#sql.state.get(name) ?? 0
  }

  #setState(name: string, value: number): void {
    this.#sql.setState.run(name, value)
  }

  /** Empties the index; `indexSome` rebuilds it. */
  #emptyIndex(): void {
    this.#database.exec(`
      INSERT INTO search_words (search_words) VALUES ('delete-all');
      DELETE FROM search_documents; DELETE FROM search_threads; DELETE FROM search_labels; DELETE FROM search_kinds;
      DELETE FROM search_state;
    `)
    this.#people.clear()
    this.#vocabulary.clear()
    for (const list of LISTS) this.#versions[list] += 1
    const last = this.#sql.lastThread.get() ?? 0
    this.#configureMerging(last === 0)
    this.#setState('version', VERSION)
    this.#setState('placed', 0)
    // Threads with later keys are indexed as they arrive.
    this.#setState('last', last)
    for (const list of LISTS) {
      this.#setState(`${list} placed`, 0)
      this.#setState(`${list} last`, this.#rows.lastAccountEmail(list))
    }
  }

  /** Sets FTS5's merge settings. @param isUsual false while the index is being rebuilt */
  #configureMerging(isUsual: boolean): void {
    const { setMerging } = this.#sql
    setMerging.run('automerge', isUsual ? SEGMENTS_PER_MERGE.usually : SEGMENTS_PER_MERGE.anew)
    setMerging.run('usermerge', SEGMENTS_PER_MERGE.atLast)
    setMerging.run('crisismerge', MAX_SEGMENTS)
    this.#setState('unmerged', Number(!isUsual))
  }

  /** Has everything indexed again in the background. */
  rebuild(): void {
    this.#setState('version', 0)
  }

  #placeSome(): boolean {
    const [placed, last] = [this.#state('placed'), this.#state('last')]
    if (placed >= last) return false
    const threads = this.#rows.threadsAfter(placed, THREADS_AT_ONCE).filter(({ key }) => key <= last)
    for (const thread of threads) this.#writer.indexThread(thread)
    this.#setState('placed', threads.at(-1)?.key ?? last)
    return true
  }

  #readSomeOfLists(): boolean {
    const list = LISTS.find((name) => this.#state(`${name} placed`) < this.#state(`${name} last`))
    if (list === undefined) return false
    const last = this.#state(`${list} last`)
    const emails = this.#rows.accountEmailsAfter(list, this.#state(`${list} placed`), EMAILS_AT_ONCE)
    for (const { key, email } of emails) {
      if (key <= last && email !== undefined) this.#writer.indexAccountEmail(list, key, email)
    }
    this.#versions[list] += 1
    this.#setState(`${list} placed`, emails.at(-1)?.key ?? last)
    return true
  }

  /**
   * Merges some pages after a rebuild, until there are as few segments as in an index that grew over time. @returns
   * false if nothing is left to merge
   */
  #mergeSome(): boolean {
    if (this.#state('unmerged') === 0) return false
    const before = this.#sql.changes.get() ?? 0
    this.#sql.setMerging.run('merge', PAGES_AT_ONCE)
    // FTS5 documentation: fewer than two changes mean that nothing was left to merge.
    if ((this.#sql.changes.get() ?? 0) - before < 2) this.#configureMerging(true)
    return true
  }
}
