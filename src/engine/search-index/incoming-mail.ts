/**
 * Asks many searches about some e-mails at once: rules about new mail. Each search is planned once for all of them, with
 * the people that these e-mails name, and the index is read from the first to the last of them only. It finds what
 * `ThreadSearch` finds, e-mail by e-mail (contract, Search threads, rules 1, 2 and 4).
 */
import type Database from 'better-sqlite3'
import { FOLDERS } from '../../shared/model.ts'
import type { People } from './people.ts'
import type { SearchIndex } from './search-index.ts'
import { planSearch, type ResolvedFilter } from './search-query.ts'
import { hasPart } from './searchable-email.ts'
import { Spellings } from './spellings.ts'
import { Vocabulary } from './vocabulary.ts'

/** An e-mail that was stored. */
export interface StoredEmail {
  /** The later it was stored, the greater. */
  readonly emailKey: number
  readonly receivedAt: number
  /** Whether it was sent from the inbox. */
  readonly isOutbound: boolean
  readonly inboxId: string
  readonly threadId: string
  readonly threadKey: number
}

interface Row extends Omit<StoredEmail, 'isOutbound'> {
  readonly isOutbound: number
}

type Received = Pick<StoredEmail, 'emailKey' | 'threadId'> & { readonly id: string }

/** What of an e-mail that searches are asked about is read anew in each turn: mail that comes meanwhile moves it. */
interface Document {
  readonly emailKey: number
  readonly document: number
  readonly receivedAt: number
  readonly people: string
}

/** Some e-mails that searches are asked about. */
interface Batch {
  readonly emailKeys: readonly number[]
  /** How often this connection had written when they were read. */
  readonly changes: number
  /** In the order of the index. */
  readonly documents: readonly Document[]
  readonly byDocument: ReadonlyMap<number, Document>
  readonly ranges: readonly (readonly [first: number, last: number])[]
  readonly people: Pick<People, 'find'>
}

interface Matches {
  /** For each search that was asked, which of the e-mails it finds. */
  readonly found: readonly (readonly number[])[]
}

/** Parts in which the index is read at most: what lies far between e-mails is passed over. */
const MOST_RANGES = 4

const prepare = (database: Database.Database) => ({
  changes: database.prepare<[], number>('SELECT total_changes()').pluck(),
  last: database.prepare<[], number | null>('SELECT max(email_key) FROM search_documents').pluck(),
  idAt: database.prepare<[number], string>('SELECT id FROM emails WHERE key = ?').pluck(),
  after: database.prepare<[number, number], Row>(
    `SELECT d.email_key AS emailKey, d.received_at AS receivedAt, d.is_outbound AS isOutbound, d.thread_key AS threadKey,
       inboxes.id AS inboxId, threads.id AS threadId
     FROM search_documents AS d
       CROSS JOIN threads ON threads.key = d.thread_key
       CROSS JOIN inboxes ON inboxes.key = threads.inbox_key
     WHERE d.email_key > ? ORDER BY d.email_key LIMIT ?`,
  ),
  received: database.prepare<[string, string], Received>(
    `SELECT emails.key AS emailKey, emails.id AS id, threads.id AS threadId
     FROM threads
       CROSS JOIN emails ON emails.thread_key = threads.key
       CROSS JOIN search_documents AS d ON d.email_key = emails.key
     WHERE threads.inbox_key = (SELECT key FROM inboxes WHERE id = ?)
       AND threads.id IN (SELECT value FROM json_each(?)) AND d.is_outbound = 0`,
  ),
  documents: database.prepare<[string], Document>(
    `SELECT email_key AS emailKey, document, received_at AS receivedAt, people FROM search_documents
     WHERE email_key IN (SELECT value FROM json_each(?)) ORDER BY document`,
  ),
  person: database.prepare<[number], string>('SELECT text FROM search_people WHERE key = ?').pluck(),
  // FTS5 takes a number of JavaScript, which comes as a real one, for no bound of a rowid.
  matching: database
    .prepare<[string, number, number], number>(
      `SELECT rowid FROM search_words
       WHERE search_words MATCH ? AND rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)`,
    )
    .pluck(),
  newest: database
    .prepare<[string], number>(
      `SELECT time FROM search_threads WHERE inbox_key = (SELECT key FROM inboxes WHERE id = ?)
       ORDER BY time DESC LIMIT 1`,
    )
    .pluck(),
})

/** The e-mails in one stretch, or a few where much lies between them: a stretch costs as much as the mail in it. */
const rangesOf = (sorted: readonly Document[]): readonly (readonly [first: number, last: number])[] => {
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const wide = (last.document - first.document) / MOST_RANGES
  const ranges: [number, number][] = [[first.document, first.document]]
  for (const { document } of sorted) {
    const range = ranges.at(-1)
    if (range === undefined || document - range[1] > wide) ranges.push([document, document])
    else range[1] = document
  }
  return ranges
}

/** The people that some e-mails name, in the place of all of them. */
const peopleOf = (documents: readonly Document[], textOf: (key: number) => string): Pick<People, 'find'> => {
  const keys = new Set(
    documents.flatMap(({ people }) => (people === '' ? [] : people.split(' '))).map((mark) => Number(mark.slice(1))),
  )
  const all = [...keys].map((key) => ({ key, text: textOf(key) }))
  return {
    find: (parts, most) => {
      const found = all.filter(({ text }) => parts.some((part) => hasPart(text, part))).map(({ key }) => key)
      const among = new Set(found)
      return { keys: found.length > most ? null : found, includes: (key) => among.has(key) }
    },
  }
}

export class IncomingMail {
  readonly #index: Pick<SearchIndex, 'unlessDamaged' | 'isReady'>
  readonly #sql: ReturnType<typeof prepare>
  readonly #vocabulary: Vocabulary
  readonly #spellings: Spellings
  #batch: Batch | null = null

  constructor(database: Database.Database, index: Pick<SearchIndex, 'unlessDamaged' | 'isReady'>) {
    this.#index = index
    this.#sql = prepare(database)
    this.#vocabulary = new Vocabulary(database)
    this.#spellings = new Spellings(database)
  }

  /** Whether all e-mails that are here can be asked about. */
  isReady(): boolean {
    return this.#index.isReady()
  }

  /** The key of the e-mail that was stored last; 0 where none is here. */
  last(): number {
    return Math.max(0, this.#sql.last.get() ?? 0)
  }

  /** The platform's ID of an e-mail; undefined where it is not here any more. */
  idAt(emailKey: number): string | undefined {
    return this.#sql.idAt.get(emailKey)
  }

  /** E-mails of inboxes that were stored after one, in the order in which they were. */
  after(emailKey: number, limit: number): readonly StoredEmail[] {
    return this.#sql.after.all(emailKey, limit).map((row) => ({ ...row, isOutbound: row.isOutbound === 1 }))
  }

  /** The IDs of the e-mails that came into some threads and that a search finds, by thread. */
  matchingIn(
    inboxId: string,
    threadIds: readonly string[],
    filter: ResolvedFilter,
  ): ReadonlyMap<string, readonly string[]> {
    const received = this.#sql.received.all(inboxId, JSON.stringify(threadIds))
    const keys = received.map(({ emailKey }) => emailKey)
    const found = new Set(this.match(keys, [filter], Number.POSITIVE_INFINITY).found[0])
    const matching = Map.groupBy(
      received.filter(({ emailKey }) => found.has(emailKey)),
      ({ threadId }) => threadId,
    )
    return new Map([...matching].map(([threadId, emails]) => [threadId, emails.map(({ id }) => id)]))
  }

  /** The latest activity of an inbox that is known here; null where none is. */
  newestActivity(inboxId: string): number | null {
    return this.#sql.newest.get(inboxId) ?? null
  }

  /**
   * Asks searches about e-mails, for about as long as it may take.
   * @param emailKeys of one inbox
   * @param filters of e-mails alone: folders, labels and read state are not looked at
   * @param milliseconds after which it stops; one search is asked at least
   * @returns the answers of as many searches as were asked
   */
  match(emailKeys: readonly number[], filters: readonly ResolvedFilter[], milliseconds: number): Matches {
    return this.#index.unlessDamaged<Matches>({ found: filters.map(() => []) }, () => {
      const batch = this.#batchOf(emailKeys)
      const end = performance.now() + milliseconds
      const found: (readonly number[])[] = []
      for (const filter of filters) {
        found.push(this.#matchOne(filter, batch))
        if (performance.now() >= end) break
      }
      return { found }
    })
  }

  /** The e-mails as the index has them now: mail that comes moves others, so that a write has them read anew. */
  #batchOf(emailKeys: readonly number[]): Batch {
    const changes = this.#sql.changes.get() ?? 0
    if (this.#batch?.emailKeys === emailKeys && this.#batch.changes === changes) return this.#batch
    const documents = this.#sql.documents.all(JSON.stringify(emailKeys))
    this.#batch = {
      ...{ emailKeys, changes, documents },
      byDocument: new Map(documents.map((each) => [each.document, each])),
      ranges: rangesOf(documents),
      people: peopleOf(documents, (key) => this.#sql.person.get(key) ?? ''),
    }
    return this.#batch
  }

  #matchOne(filter: ResolvedFilter, { documents, byDocument, ranges, people }: Batch): readonly number[] {
    const asked = { ...filter, folders: FOLDERS, labelIds: [], read: null, dropped: null }
    const plan = planSearch(asked, people, this.#vocabulary, this.#spellings)
    if (plan === null) return []
    const { expression, email } = plan
    if (email === null) return documents.map(({ emailKey }) => emailKey)
    const candidates =
      expression === null
        ? documents
        : ranges
            .flatMap(([first, last]) => this.#sql.matching.all(expression, first, last))
            .flatMap((document) => byDocument.get(document) ?? [])
    return candidates
      .filter(
        ({ receivedAt, people: marks }) =>
          receivedAt >= email.since && receivedAt < email.until && email.people.every((fits) => fits(marks.split(' '))),
      )
      .map(({ emailKey }) => emailKey)
  }
}
