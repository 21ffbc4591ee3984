/**
 * Matches many searches, such as rules, against a batch of new e-mails. Each search is planned once, considering only
 * the people in these e-mails, and reads only their range of the index. Finds the same mail as `ThreadSearch`, but by
 * e-mail (platform.md 9.1, 9.2 and 9.4).
 */
import type Database from 'better-sqlite3'
import { FOLDERS } from '../../../shared/model.ts'
import type { People } from './people.ts'
import type { SearchIndex } from './search-index.ts'
import { planSearch, type ResolvedFilter } from './search-query.ts'
import { matchesSearchPart } from './searchable-email.ts'
import { Spellings } from './spellings.ts'
import { Vocabulary } from './vocabulary.ts'

export interface StoredEmail {
  /** Increases with each stored e-mail. */
  readonly emailKey: number
  readonly receivedAt: number
  readonly isOutbound: boolean
  readonly inboxId: string
  readonly threadId: string
  readonly threadKey: number
}

interface Row extends Omit<StoredEmail, 'isOutbound'> {
  readonly isOutbound: number
}

type Received = Pick<StoredEmail, 'emailKey' | 'threadId'> & { readonly id: string }

/** An indexed e-mail. Read again in each turn of the event loop, since incoming mail moves documents. */
interface Document {
  readonly emailKey: number
  readonly document: number
  readonly receivedAt: number
  readonly people: string
}

interface Batch {
  readonly emailKeys: readonly number[]
  /** The connection's write count when the documents were read. */
  readonly changes: number
  readonly documents: readonly Document[]
  readonly byDocument: ReadonlyMap<number, Document>
  readonly ranges: readonly (readonly [first: number, last: number])[]
  readonly people: Pick<People, 'find'>
}

interface Matches {
  /** Keys of the matching e-mails, one list per search. */
  readonly found: readonly (readonly number[])[]
}

/** Maximum number of index ranges to read; the gaps between them are skipped. */
const MAX_RANGES = 4

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
  // The CAST is needed because FTS5 ignores a rowid bound that is a JavaScript number, which arrives as REAL.
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

/**
 * Index ranges that cover the documents. More than one only if there are large gaps, because reading a range costs as
 * much as the mail in it.
 */
const rangesOf = (sorted: readonly Document[]): readonly (readonly [first: number, last: number])[] => {
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return []
  const wide = (last.document - first.document) / MAX_RANGES
  const ranges: [number, number][] = [[first.document, first.document]]
  for (const { document } of sorted) {
    const range = ranges.at(-1)
    if (range === undefined || document - range[1] > wide) ranges.push([document, document])
    else range[1] = document
  }
  return ranges
}

/** Searches only among the people in these e-mails. */
const peopleOf = (documents: readonly Document[], textOf: (key: number) => string): Pick<People, 'find'> => {
  const keys = new Set(
    documents.flatMap(({ people }) => (people === '' ? [] : people.split(' '))).map((mark) => Number(mark.slice(1))),
  )
  const all = [...keys].map((key) => ({ key, text: textOf(key) }))
  return {
    find: (parts, most) => {
      const found = all.filter(({ text }) => parts.some((part) => matchesSearchPart(text, part))).map(({ key }) => key)
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

  /** True if all local e-mails are indexed. */
  isReady(): boolean {
    return this.#index.isReady()
  }

  /** Key of the most recently stored e-mail, or 0. */
  last(): number {
    return Math.max(0, this.#sql.last.get() ?? 0)
  }

  idAt(emailKey: number): string | undefined {
    return this.#sql.idAt.get(emailKey)
  }

  /** Inbox e-mails stored after the given one, in order. */
  after(emailKey: number, limit: number): readonly StoredEmail[] {
    return this.#sql.after.all(emailKey, limit).map((row) => ({ ...row, isOutbound: row.isOutbound === 1 }))
  }

  /** IDs of the received e-mails that match, by thread. */
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

  newestActivity(inboxId: string): number | null {
    return this.#sql.newest.get(inboxId) ?? null
  }

  /**
   * Matches searches against e-mails within a time limit.
   * @param emailKeys e-mails of a single inbox
   * @param filters their folders, labels and read state are ignored
   * @param milliseconds the time limit; at least one search is run
   * @returns results of the searches that were run
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

  /** Cached until the next write, since incoming mail moves documents. */
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
