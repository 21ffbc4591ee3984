import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { PEOPLE_FIELDS } from '../../../shared/thread-query.ts'
import {
  attachmentToken,
  FIELD_SEPARATOR,
  kindToken,
  OUTBOUND_TOKEN,
  toPersonReference,
  personToken,
  subjectToken,
  listTimeTokens,
} from './index-tokens.ts'
import { MailKinds } from './mail-kinds.ts'
import type { People } from './people.ts'
import { tokenizeEmail, type SearchableEmail } from './searchable-email.ts'
import type { ReadWords, Vocabulary } from './vocabulary.ts'
import {
  computeRowidRange,
  ThreadOrder,
  type AllocatedRange,
  accountEmailKey,
  listKey,
  type AccountList,
} from './thread-order.ts'

/** A thread as displayed, including pending changes. */
export interface SearchableThread {
  readonly key: number
  readonly inboxKey: number
  /** Latest activity, in milliseconds since the epoch. */
  readonly receivedAt: number
  readonly folder: string
  readonly read: boolean
  /** True if at least one of its e-mails is known to be sent from the inbox. */
  readonly hasOutbound: boolean
  readonly labelIds: readonly string[]
  /** Number of e-mails according to the platform. */
  readonly emailCount: number
}

/** E-mail texts, which the index doesn't store. */
export interface EmailSource {
  readonly read: (emailKey: number) => SearchableEmail | undefined
  /** E-mails of a thread after the given key, in order, parsed on demand. */
  readonly ofThread: (threadKey: number, after: number, limit: number) => readonly LazyEmail[]
}

interface LazyEmail {
  readonly key: number
  readonly read: () => SearchableEmail | undefined
}

interface ThreadRow {
  readonly threadKey: number
  readonly inboxKey: number
  readonly place: number
  readonly room: number
  readonly time: number
  readonly documentsFrom: number
  readonly emailCount: number
  readonly labelIds: string
}

type Placing = Pick<ThreadRow, 'place' | 'room' | 'time' | 'documentsFrom'>

interface DocumentRow {
  readonly document: number
  readonly threadKey: number
  readonly emailKey: number
  readonly digest: number
}

/**
 * Maximum e-mails that move along with their thread. If a thread has more, its documents are stored apart from the
 * order.
 */
const MAX_MOVED = 24
/** Document numbers reserved for a thread stored apart, more than any thread can use. */
const LARGE_THREAD_ROOM = 2 ** 15
/** Document numbers reserved for a new thread. A thread that outgrows them moves. */
const ROOM = 8

/** Counter names: the number of an inbox's indexed e-mails, and the number of its e-mails on the platform. */
export const indexedCounter = (inboxKey: number): string => `here ${inboxKey}`
export const platformCounter = (inboxKey: number): string => `there ${inboxKey}`

const firstSeparateDocument = (threadKey: number): number => -(threadKey + 1) * LARGE_THREAD_ROOM

/** Exclusive end of a thread's document numbers. */
export const endOfDocuments = ({ documentsFrom, room }: Pick<ThreadRow, 'documentsFrom' | 'room'>): number =>
  documentsFrom + (documentsFrom < 0 ? LARGE_THREAD_ROOM : room)

interface WrittenDocument {
  readonly words: string
  readonly marks: string
  readonly digest: number
  readonly vocabulary: ReadWords
}

const documentOf = (
  email: SearchableEmail,
  people: People,
  terms: Vocabulary,
  kinds: Pick<MailKinds, 'of'>,
): WrittenDocument => {
  const marks: string[] = []
  const wordsOfPeople: (readonly string[])[] = []
  for (const field of PEOPLE_FIELDS) {
    for (const said of email[field]) {
      const { key, words } = people.named(said)
      marks.push(toPersonReference(field, key))
      wordsOfPeople.push(...words)
    }
  }
  const distinct = [...new Set(marks)]
  const facts = [
    attachmentToken(email.attachments.length > 0),
    ...(email.isOutbound ? [OUTBOUND_TOKEN] : []),
    kindToken(kinds.of(email)),
    ...listTimeTokens(email.receivedAt),
    ...distinct.map(personToken),
  ]
  const { subject, fields } = tokenizeEmail(email, wordsOfPeople)
  const vocabulary = terms.read(fields)
  const parts = [
    [...facts, ...vocabulary.beginnings, ...subject.map(subjectToken)].join(' '),
    ...fields.map((words) => words.join(' ')),
  ]
  const words = parts.join(` ${FIELD_SEPARATOR} `)
  return { words, marks: distinct.join(' '), digest: crc32(`${email.receivedAt} ${words}`), vocabulary }
}

const parseLabelIds = (json: string): readonly string[] => JSON.parse(json) as readonly string[]

const DOCUMENT = 'SELECT document, thread_key AS threadKey, email_key AS emailKey, digest FROM search_documents'

const prepareStatements = (database: Database.Database) => ({
  thread: database.prepare<[number], ThreadRow>(
    `SELECT thread_key AS threadKey, inbox_key AS inboxKey, place, room, time, documents_from AS documentsFrom,
       email_count AS emailCount, label_ids AS labelIds
     FROM search_threads WHERE thread_key = ?`,
  ),
  next: database.prepare<[number, number], Pick<ThreadRow, 'place' | 'time'>>(
    'SELECT place, time FROM search_threads WHERE place > ? AND place < ? ORDER BY place LIMIT 1',
  ),
  firstOf: database
    .prepare<[number, number], number>(
      'SELECT thread_key FROM search_threads WHERE inbox_key = ? AND time = ? ORDER BY place LIMIT 1',
    )
    .pluck(),
  nextOf: database
    .prepare<[number, number, number], number | null>(
      'SELECT min(thread_key) FROM search_threads WHERE inbox_key = ? AND time = ? AND thread_key > ?',
    )
    .pluck(),
  insertThread: database.prepare<
    [number, number, number, number, number, number, string, number, number, number, string, number | null]
  >(
    `INSERT INTO search_threads (thread_key, inbox_key, place, room, time, documents_from, folder, read, has_outbound,
       email_count, label_ids, unindexed_after)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  updateState: database.prepare<[string, number, number, number, string, number]>(
    `UPDATE search_threads SET folder = ?, read = ?, has_outbound = ?, email_count = ?, label_ids = ?
     WHERE thread_key = ?`,
  ),
  updateFolderAndRead: database.prepare<[string, number, number]>(
    'UPDATE search_threads SET folder = ?, read = ? WHERE thread_key = ?',
  ),
  updatePlace: database.prepare<[number, number, number, number, number]>(
    'UPDATE search_threads SET place = ?, room = ?, time = ?, documents_from = ? WHERE thread_key = ?',
  ),
  setOutbound: database.prepare<[number]>(
    'UPDATE search_threads SET has_outbound = 1 WHERE thread_key = ? AND has_outbound = 0',
  ),
  deleteThread: database.prepare<[number]>('DELETE FROM search_threads WHERE thread_key = ?'),
  unindexed: database.prepare<[], { readonly threadKey: number; readonly after: number }>(
    `SELECT thread_key AS threadKey, unindexed_after AS after FROM search_threads
     WHERE unindexed_after IS NOT NULL ORDER BY place LIMIT 1`,
  ),
  setUnindexed: database.prepare<[number | null, number]>(
    'UPDATE search_threads SET unindexed_after = ? WHERE thread_key = ?',
  ),
  insertLabel: database.prepare<[number, string, number]>(
    'INSERT OR IGNORE INTO search_labels (inbox_key, label_id, place) VALUES (?, ?, ?)',
  ),
  deleteLabel: database.prepare<[number, string, number]>(
    'DELETE FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place = ?',
  ),
  hasOutboundDocument: database
    .prepare<[number, number], number>(
      'SELECT 1 FROM search_documents WHERE document >= ? AND document < ? AND is_outbound = 1 LIMIT 1',
    )
    .pluck(),
  countEmails: database.prepare<[number], number>('SELECT count(*) FROM emails WHERE thread_key = ?').pluck(),
  document: database.prepare<[number], DocumentRow>(`${DOCUMENT} WHERE email_key = ?`),
  documents: database.prepare<[number, number], DocumentRow>(
    `${DOCUMENT} WHERE document >= ? AND document < ? ORDER BY document`,
  ),
  lastDocument: database
    .prepare<[number, number], number | null>(
      'SELECT max(document) FROM search_documents WHERE document >= ? AND document < ?',
    )
    .pluck(),
  insertDocument: database.prepare<[number, number, number, number, number, string, number]>(
    `INSERT INTO search_documents (document, thread_key, email_key, received_at, is_outbound, people, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ),
  deleteDocument: database.prepare<[number]>('DELETE FROM search_documents WHERE document = ?'),
  insertWords: database.prepare<[bigint, string]>('INSERT INTO search_words (rowid, words) VALUES (?, ?)'),
  deleteWords: database.prepare<[bigint]>('DELETE FROM search_words WHERE rowid = ?'),
  addToCount: database.prepare<[string, number]>(
    `INSERT INTO search_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
  ),
})

/** Writes the search index. Call its methods within a transaction of the stores. */
export class IndexWriter {
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #people: People
  readonly #vocabulary: Vocabulary
  readonly #kinds: MailKinds
  readonly #source: EmailSource
  readonly #places: ThreadOrder

  constructor(database: Database.Database, people: People, vocabulary: Vocabulary, source: EmailSource) {
    this.#sql = prepareStatements(database)
    this.#people = people
    this.#vocabulary = vocabulary
    this.#kinds = new MailKinds(database)
    this.#source = source
    this.#places = new ThreadOrder(database, (threadKey, place) => this.#shift(threadKey, place))
  }

  /** Stores a thread's state. If its activity time has changed, its e-mails move. */
  indexThread(thread: SearchableThread): void {
    const range = computeRowidRange(thread.inboxKey)
    if (range === null) return
    const { key, inboxKey, receivedAt: time, folder, read } = thread
    const row = this.#sql.thread.get(key)
    if (row === undefined) {
      const emails = this.#sql.countEmails.get(key) ?? 0
      const want = emails > MAX_MOVED ? 1 : Math.max(ROOM, 2 * emails)
      this.#addThread(thread, this.#places.find(range, { threadKey: key, inboxKey, time }, { want, need: 1 }), emails)
      this.#count(platformCounter(inboxKey), thread.emailCount)
      return
    }
    const labelIds = JSON.stringify(thread.labelIds)
    const hasOutbound =
      thread.hasOutbound || this.#sql.hasOutboundDocument.get(row.documentsFrom, endOfDocuments(row)) !== undefined
    this.#sql.updateState.run(folder, Number(read), Number(hasOutbound), thread.emailCount, labelIds, key)
    this.#count(platformCounter(inboxKey), thread.emailCount - row.emailCount)
    if (labelIds !== row.labelIds) {
      for (const labelId of parseLabelIds(row.labelIds)) this.#sql.deleteLabel.run(inboxKey, labelId, row.place)
      for (const labelId of thread.labelIds) this.#sql.insertLabel.run(inboxKey, labelId, row.place)
    }
    if (time !== row.time) this.#relocate({ ...row, labelIds }, time, this.#countMoved(row))
  }

  /** Cheaper than `indexThread`, if nothing else has changed. */
  indexState(thread: SearchableThread): void {
    const { changes } = this.#sql.updateFolderAndRead.run(thread.folder, Number(thread.read), thread.key)
    if (changes === 0) this.indexThread(thread)
  }

  /** Records the platform's order of threads with equal times. No field reveals this order. */
  recordOrder(threadKeys: readonly number[]): void {
    let next: Pick<ThreadRow, 'place' | 'time'> | undefined
    for (const key of threadKeys.toReversed()) {
      const row = this.#sql.thread.get(key)
      // A thread that is listed twice on a page may already have moved.
      if (row === undefined || (next !== undefined && row.time !== next.time)) continue
      if (next !== undefined && row.place > next.place) {
        this.#relocate(row, row.time, this.#countMoved(row), next.place)
      }
      next = this.#sql.thread.get(key)
    }
  }

  indexEmail(threadKey: number, emailKey: number, email: SearchableEmail): void {
    const known = this.#sql.document.get(emailKey)
    const row = known === undefined ? this.#sql.thread.get(threadKey) : undefined
    if (known === undefined && row === undefined) return
    const written = documentOf(email, this.#people, this.#vocabulary, this.#kinds)
    if (written.digest === known?.digest) return
    this.#vocabulary.keep(written.vocabulary)
    if (known !== undefined) {
      this.#remove(known.document)
      this.#write(known.document, known, email, written)
      return
    }
    if (row === undefined) return
    let document = this.#nextDocument(row)
    if (document >= endOfDocuments(row)) {
      this.#relocate(row, row.time, this.#documentsOf(row).length + 1)
      const moved = this.#sql.thread.get(threadKey) ?? row
      document = this.#nextDocument(moved)
      if (document >= endOfDocuments(moved)) return
    }
    this.#write(document, { threadKey, emailKey }, email, written)
    this.#count(indexedCounter(row.inboxKey), 1)
  }

  dropEmail(emailKey: number): void {
    const known = this.#sql.document.get(emailKey)
    if (known === undefined) return
    this.#remove(known.document)
    const row = this.#sql.thread.get(known.threadKey)
    if (row !== undefined) this.#count(indexedCounter(row.inboxKey), -1)
  }

  dropThread(threadKey: number): void {
    const row = this.#sql.thread.get(threadKey)
    if (row === undefined) return
    const documents = this.#removeFromOrder(row, false)
    this.#sql.deleteThread.run(threadKey)
    this.#count(indexedCounter(row.inboxKey), -documents.length)
    this.#count(platformCounter(row.inboxKey), -row.emailCount)
  }

  /**
   * Stores an e-mail of the account's own lists. At equal times, the greater key comes first.
   * @returns keys of threads in which an e-mail's kind has changed as a result
   */
  indexAccountEmail(list: AccountList, rowKey: number, email: SearchableEmail): readonly number[] {
    const copies = list === 'received' ? this.#kinds.learn(rowKey, email) : []
    const [key, inboxKey] = [accountEmailKey(list, rowKey), listKey(list)]
    const state = { folder: 'inbox', read: true, hasOutbound: email.isOutbound, labelIds: [], emailCount: 1 }
    const { receivedAt } = email
    const known = this.#sql.thread.get(key)
    const isMoved = known?.time !== receivedAt
    // Index the words before moving the e-mail: the move rewrites them, and can use the vocabulary learned here.
    if (known !== undefined) this.indexEmail(key, key, email)
    this.indexThread({ key, inboxKey, receivedAt, ...state })
    // The e-mail was placed last among those with equal times. Move it before the one with the next smaller row key.
    const first = isMoved ? (this.#sql.firstOf.get(inboxKey, receivedAt) ?? key) : key
    const next = first < key ? this.#sql.nextOf.get(inboxKey, receivedAt, key) : first
    if (next !== undefined && next !== null && next !== key) this.recordOrder([key, next])
    if (known === undefined) this.indexEmail(key, key, email)
    return copies.flatMap((emailKey) => this.#rewriteIfChanged(emailKey))
  }

  dropAccountEmail(list: AccountList, rowKey: number): void {
    if (list === 'received') this.#kinds.forget(rowKey)
    this.dropThread(accountEmailKey(list, rowKey))
  }

  /** Indexes up to `limit` e-mails of the newest thread that isn't wholly indexed. @returns false if there is none */
  indexUnindexed(limit: number): boolean {
    const thread = this.#sql.unindexed.get()
    if (thread === undefined) return false
    const emails = this.#source.ofThread(thread.threadKey, thread.after, limit)
    for (const { key, read } of emails) {
      const email = this.#sql.document.get(key) === undefined ? read() : undefined
      if (email !== undefined) this.indexEmail(thread.threadKey, key, email)
    }
    this.#sql.setUnindexed.run(emails.length < limit ? null : (emails.at(-1)?.key ?? null), thread.threadKey)
    return true
  }

  /** Rewrites an e-mail if its indexed content has changed. @returns its thread's key if so, else an empty list */
  #rewriteIfChanged(emailKey: number): readonly number[] {
    const before = this.#sql.document.get(emailKey)
    const email = before === undefined ? undefined : this.#source.read(emailKey)
    if (before === undefined || email === undefined) return []
    this.indexEmail(before.threadKey, emailKey, email)
    return this.#sql.document.get(emailKey)?.digest === before.digest ? [] : [before.threadKey]
  }

  #count(name: string, difference: number): void {
    if (difference !== 0) this.#sql.addToCount.run(name, difference)
  }

  #write(
    document: number,
    { threadKey, emailKey }: Pick<DocumentRow, 'threadKey' | 'emailKey'>,
    { receivedAt, isOutbound }: Pick<SearchableEmail, 'receivedAt' | 'isOutbound'>,
    { words, marks, digest }: WrittenDocument,
  ): void {
    this.#sql.insertDocument.run(document, threadKey, emailKey, receivedAt, Number(isOutbound), marks, digest)
    this.#sql.insertWords.run(BigInt(document), words)
    if (isOutbound) this.#sql.setOutbound.run(threadKey)
  }

  #remove(document: number): void {
    this.#sql.deleteDocument.run(document)
    this.#sql.deleteWords.run(BigInt(document))
  }

  #documentsOf(row: ThreadRow): readonly DocumentRow[] {
    return this.#sql.documents.all(row.documentsFrom, endOfDocuments(row))
  }

  #nextDocument(row: ThreadRow): number {
    return (this.#sql.lastDocument.get(row.documentsFrom, endOfDocuments(row)) ?? row.documentsFrom - 1) + 1
  }

  /** Number of e-mails that move with their thread; 0 if they are stored separately. */
  #countMoved(row: ThreadRow): number {
    return row.documentsFrom < 0 ? 0 : this.#documentsOf(row).length
  }

  /** @param emails number of cached e-mails still to be indexed */
  #addThread(thread: SearchableThread, { place, room }: AllocatedRange, emails: number): void {
    const { key, inboxKey, receivedAt: time, folder, read, hasOutbound, emailCount } = thread
    const documentsFrom = emails > MAX_MOVED ? firstSeparateDocument(key) : place
    const state = [folder, Number(read), Number(hasOutbound), emailCount, JSON.stringify(thread.labelIds)] as const
    this.#sql.insertThread.run(key, inboxKey, place, room, time, documentsFrom, ...state, emails === 0 ? null : 0)
    for (const labelId of thread.labelIds) this.#sql.insertLabel.run(inboxKey, labelId, place)
  }

  /** Removes a thread from the order. @returns the e-mails removed along with it */
  #removeFromOrder(row: ThreadRow, isKeepingDocuments: boolean): readonly DocumentRow[] {
    for (const labelId of parseLabelIds(row.labelIds)) this.#sql.deleteLabel.run(row.inboxKey, labelId, row.place)
    // Park the thread at a negative place, which no thread uses.
    this.#sql.updatePlace.run(-row.threadKey - 1, row.room, row.time, row.documentsFrom, row.threadKey)
    const documents = isKeepingDocuments ? [] : this.#documentsOf(row)
    // Delete everything before inserting, each in ascending order: FTS5 flushes whenever a rowid goes backwards.
    for (const { document } of documents) this.#remove(document)
    return documents
  }

  #putBack(row: ThreadRow, to: Placing, documents: readonly DocumentRow[]): void {
    this.#sql.updatePlace.run(to.place, to.room, to.time, to.documentsFrom, row.threadKey)
    for (const labelId of parseLabelIds(row.labelIds)) this.#sql.insertLabel.run(row.inboxKey, labelId, to.place)
    let next = to.documentsFrom
    for (const document of documents) {
      const email = this.#source.read(document.emailKey)
      if (email === undefined) continue
      this.#write(next, document, email, documentOf(email, this.#people, this.#vocabulary, this.#kinds))
      next += 1
    }
    this.#count(indexedCounter(row.inboxKey), next - to.documentsFrom - documents.length)
  }

  /** Makes room by moving a thread among those with the same time. */
  #shift(threadKey: number, place: number): void {
    const row = this.#sql.thread.get(threadKey)
    if (row === undefined) return
    const isApart = row.documentsFrom < 0
    const documents = this.#removeFromOrder(row, isApart)
    this.#putBack(row, { ...row, place, documentsFrom: isApart ? row.documentsFrom : place }, documents)
  }

  /** Moves a thread to the place for its time, with room for this many e-mails. */
  #relocate(row: ThreadRow, time: number, emails: number, before?: number): void {
    const range = computeRowidRange(row.inboxKey)
    if (range === null) return
    const next = this.#sql.next.get(row.place, range.end)
    const isBeforeEqual = before === undefined && time === row.time && next?.time === time
    const isApart = row.documentsFrom < 0 || emails > MAX_MOVED
    const room = isApart ? { want: 1, need: 1 } : { want: Math.max(ROOM, 2 * emails), need: Math.max(1, emails) }
    const documents = this.#removeFromOrder(row, row.documentsFrom < 0)
    const found = this.#places.find(range, { ...row, time }, room, isBeforeEqual ? next.place : before)
    const documentsFrom = isApart ? firstSeparateDocument(row.threadKey) : found.place
    this.#putBack(row, { ...found, time, documentsFrom }, documents)
  }
}
