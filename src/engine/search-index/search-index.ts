/**
 * The search of this computer: the contract's thread search over the cache, without a network.
 *
 * | what | where it is kept |
 * | --- | --- |
 * | the words of an e-mail, and what else of it never changes (people, attachment, day, sent or not) | `search_words`, full text, a row an e-mail; words are made by `shared/search/words.ts` |
 * | what headers say of an e-mail's kind, for its copy in a thread | `search_kinds`, by what names the copies (`mail-kinds.ts`) |
 * | an e-mail's thread, time and people | `search_documents`, by the same rowid |
 * | a thread's order, folder, read state, labels | `search_threads`, `search_labels`, by place |
 *
 * A thread's place is made from its latest activity, the newest the smallest (`thread-places.ts`), and its e-mails' rowids
 * begin there: rows come in the order of the contract. New mail takes a thread's e-mails along, save those of a thread of
 * very many, which have rowids of their own and are asked apart (`matching-threads.ts`).
 *
 * The stores write it within their own transactions. What an older file holds is indexed in the background, newest first.
 * The index is made from other tables alone: where it turns out to be damaged, it is emptied and made anew.
 */
import type Database from 'better-sqlite3'
import { type AccountList, listKey, readAccountEmailKey } from './account-keys.ts'
import { readPerson, type SearchableEmail } from './searchable-email.ts'
import { here, IndexWriter, there, type EmailSource, type SearchableThread } from './index-writer.ts'
import { People } from './people.ts'
import { Vocabulary } from './vocabulary.ts'
import { WaitingMail } from './waiting-mail.ts'
import { createFindMailWithPerson, NO_MAIL, type FindMailWithPerson } from './mail-with-person.ts'
import { createFindWriters, type FindWriters } from './find-writers.ts'
import { createSuggestPeople, type SuggestPeople } from './suggest-people.ts'
import { personMark, personToken } from './index-tokens.ts'

/** What of the cache the search can look through by now. */
export interface SearchCoverage {
  /** Threads of an older file that wait to be indexed. 0: everything that is here is searched. */
  readonly waiting: number
  /** Of how many threads that were there when indexing began. */
  readonly total: number
}

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

/** Another number has every index made anew: for another way to make words, or other tokens. */
const VERSION = 4
const LISTS = ['received', 'sent'] as const
/**
 * Segments of a level that FTS5 makes one of, 4 by default.
 *
 * | when | why so many |
 * | --- | --- |
 * | usually | with fewer merges storing mail is a sixth faster, finding as fast |
 * | anew | each step of making the index anew writes a segment: merged by many, each word is written twice and not four times |
 * | atLast | what is left then is merged until there are no more segments than in an index that grew |
 */
const MERGED_TOGETHER = { usually: 8n, anew: 64n, atLast: 16n } as const
/** Of a level FTS5 would merge as many in one go, however long that takes (16 by default). It never comes to it: each write merges some. */
const MOST_SEGMENTS = 1_000n
/** For each millisecond of a step, what is written in one step later: of 16 ms some 200 usual e-mails, which take 20 to 25. */
const CHARACTERS_A_MILLISECOND = 36_000
/** Leaf pages that are merged between two looks at the clock. */
const PAGES_AT_ONCE = 32n
/** Threads that are put into the order between two looks at the clock, and e-mails. */
const THREADS_AT_ONCE = 64
const EMAILS_AT_ONCE = 16

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

const prepareStatements = (database: Database.Database) => ({
  state: database.prepare<[string], number>('SELECT value FROM search_state WHERE name = ?').pluck(),
  setState: database.prepare<[string, number]>(
    'INSERT INTO search_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  ),
  countThreads: database.prepare<[], { readonly count: number; readonly last: number | null }>(
    'SELECT count(*) AS count, max(key) AS last FROM threads',
  ),
  isIndexed: database.prepare<[number], number>('SELECT indexed FROM search_threads WHERE thread_key = ?').pluck(),
  setMerging: database.prepare<[string, bigint]>('INSERT INTO search_words (search_words, rank) VALUES (?, ?)'),
  changes: database.prepare<[], number>('SELECT total_changes()').pluck(),
})

/** An e-mail, and in which list it is looked at: the same message may be in a thread and in the list of received ones. */
interface MetEmail {
  /** As the header has it. */
  readonly from: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  readonly list: 'threads' | 'received'
}

/** @returns null where there is too much to look through */
type HasEarlierMail = (email: MetEmail) => boolean | null

/** Names under which one address writes, and longer addresses that begin as it does. */
const MOST_PEOPLE = 200
/** E-mails that are looked at, those of the oldest threads first, where an earlier one is most likely. */
const MOST_EMAILS = 5_000

const createHasEarlierMail = (database: Database.Database, people: People): HasEarlierMail => {
  // A smaller rowid is a thread of later activity (`thread-places.ts`).
  const select = database.prepare<
    [string, number],
    { readonly emailKey: number; readonly receivedAt: number; readonly isOutbound: number; readonly people: string }
  >(
    `SELECT d.email_key AS emailKey, d.received_at AS receivedAt, d.is_outbound AS isOutbound, d.people AS people
     FROM search_words AS w JOIN search_documents AS d ON d.document = w.rowid
     WHERE search_words MATCH ? ORDER BY w.rowid DESC LIMIT ?`,
  )
  return ({ from, receivedAt, list }) => {
    const address = readPerson(from).address.trim().toLowerCase()
    if (address === '') return null
    const similar = people.having(`\n${address}`, MOST_PEOPLE)
    if (similar.length === MOST_PEOPLE) return null
    const keys = similar.filter(({ text }) => text.endsWith(`\n${address}`)).map(({ key }) => key)
    if (keys.length === 0) return false
    const senders = new Set(keys.map((key) => personMark('from', key)))
    const marks = keys.flatMap((key) => (['from', 'to', 'cc', 'bcc'] as const).map((field) => personMark(field, key)))
    const expression = marks.map((mark) => `"${personToken(mark)}"`).join(' OR ')
    let looked = 0
    for (const email of select.iterate(expression, MOST_EMAILS)) {
      looked += 1
      if (email.receivedAt >= receivedAt) continue
      if (email.isOutbound === 1) return true
      const isInList = (readAccountEmailKey(email.emailKey)?.list ?? 'threads') === list
      if (isInList && email.people.split(' ').some((mark) => senders.has(mark))) return true
    }
    return looked === MOST_EMAILS ? null : false
  }
}

/** Keeps the index, and makes it anew. What it finds is asked of `ThreadSearch`. */
export class SearchIndex {
  readonly #database: Database.Database
  readonly #rows: IndexedRows
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #people: People
  readonly #vocabulary: Vocabulary
  readonly #writer: IndexWriter
  readonly #suggestPeople: SuggestPeople
  readonly #findWriters: FindWriters
  readonly #findMailWithPerson: FindMailWithPerson
  readonly #hasEarlierMail: HasEarlierMail
  readonly #reclassified: (threadKey: number) => void
  readonly #versions = { received: 0, sent: 0 }
  readonly #waiting: WaitingMail
  /** Something else was written since the last step. */
  #isDisturbed = false
  /** Threads of this step that wait no more. */
  #done = 0

  /** @param reclassified an e-mail of this thread is of another kind, or another e-mail is, than before */
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
    this.#waiting = new WaitingMail(database, rows, (email) => this.#writer.compose(email))
    this.#suggestPeople = createSuggestPeople(database, this.#people, rows)
    this.#findWriters = createFindWriters(database, rows)
    this.#findMailWithPerson = createFindMailWithPerson(database)
    this.#hasEarlierMail = createHasEarlierMail(database, this.#people)
    if (this.#state('version') !== VERSION) database.transaction(() => this.#begin())()
  }

  /** Another number than before wherever something else may be found in one of the account's own lists. */
  accountListVersion(list: AccountList): number {
    return this.#versions[list]
  }

  /** E-mails of one of those lists that are searched. */
  countAccountEmails(list: AccountList): number {
    return this.#state('version') === VERSION ? this.#state(here(listKey(list))) : 0
  }

  /** A question to a damaged index finds nothing, until the index is made anew. */
  unlessDamaged<Answer>(nothing: NonNullable<Answer>, work: () => Answer): Answer | NonNullable<Answer> {
    try {
      return work()
    } catch (thrown) {
      if (!meansDamagedIndex(thrown)) throw thrown
      this.#condemn()
      return nothing
    }
  }

  suggestPeople(...asked: Parameters<SuggestPeople>): ReturnType<SuggestPeople> {
    return this.unlessDamaged([], () => this.#suggestPeople(...asked))
  }

  writers(...asked: Parameters<FindWriters>): ReturnType<FindWriters> {
    return this.unlessDamaged([], () => this.#findWriters(...asked))
  }

  mailWithPerson(...asked: Parameters<FindMailWithPerson>): ReturnType<FindMailWithPerson> {
    return this.unlessDamaged(NO_MAIL, () => this.#findMailWithPerson(...asked))
  }

  /**
   * Whether mail that is here and earlier than an e-mail is from its sender, or was sent to them. True where that cannot be
   * said, as the index has to be made anew.
   */
  hasEarlierMail(email: MetEmail): boolean | null {
    return this.unlessDamaged<boolean | null>(true, () => this.#hasEarlierMail(email))
  }

  coverage(): SearchCoverage {
    const total = this.#state('total')
    return { waiting: this.#state('version') === VERSION ? this.#state('waiting') : total, total }
  }

  /** Whether every e-mail that is here can be found. */
  isReady(): boolean {
    return this.#state('version') === VERSION && this.#state('waiting') === 0
  }

  /** E-mails of an inbox that are searched, and how many the platform has of its threads that are here. */
  extent(inboxKey: number): { readonly emails: number; readonly of: number } {
    const emails = this.#state(here(inboxKey))
    return { emails, of: Math.max(emails, this.#state(there(inboxKey))) }
  }

  // What is kept is kept within a transaction of the stores.

  keepThread(thread: SearchableThread): void {
    this.#guard(() => this.#writer.keepThread(thread))
  }

  addThreads(inboxKey: number, threads: readonly SearchableThread[]): void {
    this.#guard(() => this.#writer.addThreads(inboxKey, threads))
  }

  keepOrder(threadKeys: readonly number[]): void {
    this.#guard(() => this.#writer.keepOrder(threadKeys))
  }

  keepEmail(threadKey: number, emailKey: number, email: SearchableEmail): void {
    this.#guard(() => this.#writer.keepEmail(threadKey, emailKey, email))
  }

  dropEmail(emailKey: number): void {
    this.#guard(() => this.#writer.dropEmail(emailKey))
  }

  dropThread(threadKey: number): void {
    this.#guard(() => {
      const isWaiting =
        this.#writer.dropThread(threadKey) ?? (threadKey > this.#state('placed') && threadKey <= this.#state('last'))
      if (isWaiting) this.#setState('waiting', Math.max(0, this.#state('waiting') - 1))
    })
  }

  keepAccountEmail(list: AccountList, rowKey: number, email: SearchableEmail): void {
    this.#guard(() => {
      this.#versions[list] += 1
      for (const threadKey of this.#writer.keepAccountEmail(list, rowKey, email)) this.#reclassified(threadKey)
    })
  }

  dropAccountEmail(list: AccountList, rowKey: number): void {
    this.#guard(() => {
      this.#versions[list] += 1
      this.#writer.dropAccountEmail(list, rowKey)
    })
  }

  /**
   * Indexes some of what waits, in one transaction; goes on where it was ended.
   * @param milliseconds after which it stops
   * @returns whether there is more to do
   */
  indexSome(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    const most = milliseconds * CHARACTERS_A_MILLISECOND
    // Where something else writes between the steps, what is prepared would be forgotten each time.
    const isAtOnce = this.#isDisturbed || milliseconds === 0
    this.#isDisturbed = false
    this.#done = 0
    this.#people.settle()
    const isDue = (): boolean => !this.#waiting.isEmpty && this.#waiting.weight >= most
    try {
      return this.#database.transaction(() => {
        if (this.#state('version') !== VERSION) this.#begin()
        // What was prepared in the steps before is written in one of its own.
        let isLeft = !isAtOnce && isDue() && this.#writePrepared()
        if (!isLeft) {
          do {
            isLeft = this.#indexNext()
            if (isAtOnce) this.#writePrepared()
          } while (isLeft && performance.now() < end && !isDue())
        }
        if (this.#done > 0) this.#setState('waiting', this.#state('waiting') - this.#done)
        return isLeft
      })()
    } catch (thrown) {
      // What is prepared may name people whose rows were taken back.
      this.#waiting.forget()
      throw thrown
    }
  }

  #state(name: string): number {
    return this.#sql.state.get(name) ?? 0
  }

  #setState(name: string, value: number): void {
    this.#sql.setState.run(name, value)
  }

  /** Empties the index: `indexSome` makes it anew. */
  #begin(): void {
    this.#database.exec(`
      INSERT INTO search_words (search_words) VALUES ('delete-all');
      DELETE FROM search_documents; DELETE FROM search_threads; DELETE FROM search_labels; DELETE FROM search_kinds;
      DELETE FROM search_state;
    `)
    this.#waiting.forget()
    this.#people.clear()
    this.#vocabulary.clear()
    for (const list of LISTS) this.#versions[list] += 1
    const { count, last } = this.#sql.countThreads.get() ?? { count: 0, last: null }
    this.#mergeAsUsual(count === 0)
    this.#setState('version', VERSION)
    this.#setState('placed', 0)
    // Threads that come later are put into the order as they come.
    this.#setState('last', last ?? 0)
    this.#setState('waiting', count)
    this.#setState('total', count)
    for (const list of LISTS) {
      this.#setState(`${list} placed`, 0)
      this.#setState(`${list} last`, this.#rows.lastAccountEmail(list))
    }
  }

  /** @param isUsual whether mail comes now and then; else the index is made anew */
  #mergeAsUsual(isUsual: boolean): void {
    const { setMerging } = this.#sql
    setMerging.run('automerge', isUsual ? MERGED_TOGETHER.usually : MERGED_TOGETHER.anew)
    setMerging.run('usermerge', MERGED_TOGETHER.atLast)
    setMerging.run('crisismerge', MOST_SEGMENTS)
    this.#setState('unmerged', Number(!isUsual))
  }

  #condemn(): void {
    this.#setState('version', 0)
  }

  /** A write of mail does not fail because the index does: that is made anew. */
  #guard(work: () => void): void {
    this.#isDisturbed = true
    this.#waiting.forget()
    try {
      work()
    } catch (thrown) {
      if (!meansDamagedIndex(thrown)) throw thrown
      this.#condemn()
    }
  }

  #placeSome(): boolean {
    const [placed, last] = [this.#state('placed'), this.#state('last')]
    if (placed >= last) return false
    const threads = this.#rows.threadsAfter(placed, THREADS_AT_ONCE).filter(({ key }) => key <= last)
    for (const thread of threads) this.#writer.keepThread(thread)
    const ready = threads.filter(({ key }) => this.#sql.isIndexed.get(key) !== 0)
    this.#done += ready.length
    this.#setState('placed', threads.at(-1)?.key ?? last)
    return true
  }

  #indexNext(): boolean {
    if (this.#placeSome() || this.#waiting.prepare(EMAILS_AT_ONCE)) return true
    return this.#writePrepared() || this.#readSomeOfLists() || this.#mergeSome()
  }

  /** @returns whether anything was prepared */
  #writePrepared(): boolean {
    const threads = this.#waiting.take()
    for (const thread of threads) this.#writer.writeWaiting(thread)
    this.#done += threads.filter(({ isWhole }) => isWhole).length
    return threads.length > 0
  }

  #readSomeOfLists(): boolean {
    const list = LISTS.find((name) => this.#state(`${name} placed`) < this.#state(`${name} last`))
    if (list === undefined) return false
    const last = this.#state(`${list} last`)
    const emails = this.#rows.accountEmailsAfter(list, this.#state(`${list} placed`), EMAILS_AT_ONCE)
    for (const { key, email } of emails) {
      if (key <= last && email !== undefined) this.#writer.keepAccountEmail(list, key, email)
    }
    this.#versions[list] += 1
    this.#setState(`${list} placed`, emails.at(-1)?.key ?? last)
    return true
  }

  /** Once the index was made anew, it has as few segments as one that grew. */
  #mergeSome(): boolean {
    if (this.#state('unmerged') === 0) return false
    const before = this.#sql.changes.get() ?? 0
    this.#sql.setMerging.run('merge', PAGES_AT_ONCE)
    // As FTS5 has it: with fewer changes there was nothing to merge.
    if ((this.#sql.changes.get() ?? 0) - before < 2) this.#mergeAsUsual(true)
    return true
  }
}
