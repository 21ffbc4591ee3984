import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { PEOPLE_FIELDS } from '../../shared/thread-query.ts'
import {
  attachmentToken,
  FIELD_END,
  OUTBOUND,
  personMark,
  personToken,
  subjectToken,
  timeTokens,
} from './index-tokens.ts'
import type { People } from './people.ts'
import { peopleOf, personText, wordsOfEmail, type SearchableEmail } from './searchable-email.ts'
import { accountEmailKey, listKey, type AccountList } from './account-keys.ts'
import type { ReadWords, Vocabulary } from './vocabulary.ts'
import { createThreadPlaces, placesOfInbox, type AmongEquals, type FoundPlace } from './thread-places.ts'

/** What the search knows of a thread, as a person sees it: with the pending changes laid over the platform's word. */
export interface SearchableThread {
  readonly key: number
  readonly inboxKey: number
  /** Its latest activity, milliseconds since the epoch. */
  readonly receivedAt: number
  readonly folder: string
  readonly read: boolean
  /** Whether one of its e-mails is known to have been sent from the inbox. */
  readonly hasOutbound: boolean
  readonly labelIds: readonly string[]
  /** E-mails, as the platform counts them. */
  readonly emailCount: number
}

/** The texts of the e-mails, which the index does not keep. */
export interface EmailSource {
  /** Undefined for an e-mail that is not there or cannot be read. */
  readonly read: (emailKey: number) => SearchableEmail | undefined
}

export interface IndexWriter {
  /** Keeps where a thread stands; its e-mails go along where its activity is another. */
  readonly keepThread: (thread: SearchableThread) => void
  /** The same for threads of an inbox that the cache did not have before, best in the order of the platform's list. */
  readonly addThreads: (inboxKey: number, threads: readonly SearchableThread[]) => void
  /** Takes note of the order in which the platform lists threads of one time: no field tells it. Keys in that order. */
  readonly keepOrder: (threadKeys: readonly number[]) => void
  readonly keepEmail: (threadKey: number, emailKey: number, email: SearchableEmail) => void
  readonly dropEmail: (emailKey: number) => void
  /** @returns whether its e-mails were still waiting to be indexed; null for a thread that the index does not have */
  readonly dropThread: (threadKey: number) => boolean | null
  /** Keeps an e-mail of one of the account's own lists; of those with one time, one with a greater key comes first. */
  readonly keepAccountEmail: (list: AccountList, rowKey: number, email: SearchableEmail) => void
  /**
   * Indexes e-mails of a thread that an older Linnet kept, from one on.
   * @param after the key of the last that was looked at; 0 at the beginning
   * @returns the last that was looked at now; null where all are: the thread waits no more
   */
  readonly indexWaiting: (threadKey: number, after: number, limit: number) => number | null
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

interface DocumentRow {
  readonly document: number
  readonly threadKey: number
  readonly emailKey: number
  readonly digest: number
}

/** E-mails of a thread that go along when it gets another place; those of a thread with more are kept apart. */
const MOST_MOVED = 24
/** Documents of a thread that is kept apart: more than the engine takes of any. */
export const ROOM_APART = 2 ** 15
/** What a thread gets at first; one that outgrows it moves. */
const ROOM = 8

/** The names under which an inbox's e-mails are counted: those that are indexed, and those that the platform has. */
export const here = (inboxKey: number): string => `here ${inboxKey}`
export const there = (inboxKey: number): string => `there ${inboxKey}`

const documentsApart = (threadKey: number): number => -(threadKey + 1) * ROOM_APART

/** What is written of an e-mail. */
interface WrittenDocument {
  readonly words: string
  /** Its people. */
  readonly marks: string
  readonly digest: number
  readonly vocabulary: ReadWords
}

const documentOf = (email: SearchableEmail, people: People, terms: Vocabulary): WrittenDocument => {
  const named = peopleOf(email)
  const marks = PEOPLE_FIELDS.flatMap((field) => [
    ...new Set(named[field].map((person) => personMark(field, people.keyOf(personText(person))))),
  ])
  const facts = [
    attachmentToken(email.attachments.length > 0),
    ...(email.isOutbound ? [OUTBOUND] : []),
    ...timeTokens(email.receivedAt),
    ...marks.map(personToken),
  ]
  const { subject, fields } = wordsOfEmail(email, named)
  const vocabulary = terms.read(fields)
  const parts = [
    [...facts, ...vocabulary.beginnings, ...subject.map(subjectToken)].join(' '),
    ...fields.map((words) => words.join(' ')),
  ]
  const words = parts.join(` ${FIELD_END} `)
  return { words, marks: marks.join(' '), digest: crc32(`${email.receivedAt} ${words}`), vocabulary }
}

const readLabelIds = (json: string): readonly string[] => JSON.parse(json) as readonly string[]

export const createIndexWriter = (
  database: Database.Database,
  people: People,
  vocabulary: Vocabulary,
  source: EmailSource,
): IndexWriter => {
  const selectThread = database.prepare<[number], ThreadRow>(
    `SELECT thread_key AS threadKey, inbox_key AS inboxKey, place, room, time, documents_from AS documentsFrom,
       email_count AS emailCount, label_ids AS labelIds
     FROM search_threads WHERE thread_key = ?`,
  )
  const selectNext = database.prepare<[number, number], Pick<ThreadRow, 'place' | 'time'>>(
    'SELECT place, time FROM search_threads WHERE place > ? AND place < ? ORDER BY place LIMIT 1',
  )
  const selectFirstOf = database
    .prepare<[number, number], number>(
      'SELECT thread_key FROM search_threads WHERE inbox_key = ? AND time = ? ORDER BY place LIMIT 1',
    )
    .pluck()
  const selectNextOf = database
    .prepare<[number, number, number], number | null>(
      'SELECT min(thread_key) FROM search_threads WHERE inbox_key = ? AND time = ? AND thread_key > ?',
    )
    .pluck()
  const insertThread = database.prepare<
    [number, number, number, number, number, number, string, number, number, number, string, number]
  >(
    `INSERT INTO search_threads (thread_key, inbox_key, place, room, time, documents_from, folder, read, has_outbound,
       email_count, label_ids, indexed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const updateState = database.prepare<[string, number, number, number, string, number]>(
    `UPDATE search_threads SET folder = ?, read = ?, has_outbound = ?, email_count = ?, label_ids = ?
     WHERE thread_key = ?`,
  )
  const updatePlace = database.prepare<[number, number, number, number, number]>(
    'UPDATE search_threads SET place = ?, room = ?, time = ?, documents_from = ? WHERE thread_key = ?',
  )
  const setOutbound = database.prepare<[number]>(
    'UPDATE search_threads SET has_outbound = 1 WHERE thread_key = ? AND has_outbound = 0',
  )
  const deleteThread = database.prepare<[number]>('DELETE FROM search_threads WHERE thread_key = ?')
  const selectIsIndexed = database
    .prepare<[number], number>('SELECT indexed FROM search_threads WHERE thread_key = ?')
    .pluck()
  const setIndexed = database.prepare<[number]>('UPDATE search_threads SET indexed = 1 WHERE thread_key = ?')
  const insertLabel = database.prepare<[number, string, number]>(
    'INSERT OR IGNORE INTO search_labels (inbox_key, label_id, place) VALUES (?, ?, ?)',
  )
  const deleteLabel = database.prepare<[number, string, number]>(
    'DELETE FROM search_labels WHERE inbox_key = ? AND label_id = ? AND place = ?',
  )
  const hasOutboundDocument = database
    .prepare<[number, number], number>(
      'SELECT 1 FROM search_documents WHERE document >= ? AND document < ? AND is_outbound = 1 LIMIT 1',
    )
    .pluck()
  const countEmails = database.prepare<[number], number>('SELECT count(*) FROM emails WHERE thread_key = ?').pluck()
  const selectWaiting = database
    .prepare<[number, number, number], number>(
      'SELECT key FROM emails WHERE thread_key = ? AND key > ? ORDER BY key LIMIT ?',
    )
    .pluck()
  const DOCUMENT = 'SELECT document, thread_key AS threadKey, email_key AS emailKey, digest FROM search_documents'
  const selectDocument = database.prepare<[number], DocumentRow>(`${DOCUMENT} WHERE email_key = ?`)
  const selectDocuments = database.prepare<[number, number], DocumentRow>(
    `${DOCUMENT} WHERE document >= ? AND document < ? ORDER BY document`,
  )
  const selectLast = database
    .prepare<[number, number], number | null>(
      'SELECT max(document) FROM search_documents WHERE document >= ? AND document < ?',
    )
    .pluck()
  const insertDocument = database.prepare<[number, number, number, number, number, string, number]>(
    `INSERT INTO search_documents (document, thread_key, email_key, received_at, is_outbound, people, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const deleteDocument = database.prepare<[number]>('DELETE FROM search_documents WHERE document = ?')
  const insertWords = database.prepare<[bigint, string]>('INSERT INTO search_words (rowid, words) VALUES (?, ?)')
  const deleteWords = database.prepare<[bigint]>('DELETE FROM search_words WHERE rowid = ?')

  const addToCount = database.prepare<[string, number]>(
    `INSERT INTO search_state (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
  )
  const count = (name: string, difference: number): void => {
    if (difference !== 0) addToCount.run(name, difference)
  }

  const write = (
    document: number,
    { threadKey, emailKey }: Pick<DocumentRow, 'threadKey' | 'emailKey'>,
    email: SearchableEmail,
    { words, marks, digest } = documentOf(email, people, vocabulary),
  ): void => {
    insertDocument.run(document, threadKey, emailKey, email.receivedAt, Number(email.isOutbound), marks, digest)
    insertWords.run(BigInt(document), words)
    if (email.isOutbound) setOutbound.run(threadKey)
  }
  const remove = (document: number): void => {
    deleteDocument.run(document)
    deleteWords.run(BigInt(document))
  }
  const endOfDocuments = ({ documentsFrom, room }: Pick<ThreadRow, 'documentsFrom' | 'room'>): number =>
    documentsFrom + (documentsFrom < 0 ? ROOM_APART : room)
  const documentsOf = (row: ThreadRow): readonly DocumentRow[] =>
    selectDocuments.all(row.documentsFrom, endOfDocuments(row))
  const nextDocument = (row: ThreadRow): number =>
    (selectLast.get(row.documentsFrom, endOfDocuments(row)) ?? row.documentsFrom - 1) + 1

  type Placing = Pick<ThreadRow, 'place' | 'room' | 'time' | 'documentsFrom'>

  /** Takes a thread out of the order. @returns the e-mails whose documents went with it */
  const lift = (row: ThreadRow, isKeepingDocuments: boolean): readonly DocumentRow[] => {
    for (const labelId of readLabelIds(row.labelIds)) deleteLabel.run(row.inboxKey, labelId, row.place)
    // No thread's place is below zero.
    updatePlace.run(-row.threadKey - 1, row.room, row.time, row.documentsFrom, row.threadKey)
    const documents = isKeepingDocuments ? [] : documentsOf(row)
    // All that goes goes before all that comes, each in order: FTS5 writes what it has gathered at every step back.
    for (const { document } of documents) remove(document)
    return documents
  }
  const putBack = (row: ThreadRow, to: Placing, documents: readonly DocumentRow[]): void => {
    updatePlace.run(to.place, to.room, to.time, to.documentsFrom, row.threadKey)
    for (const labelId of readLabelIds(row.labelIds)) insertLabel.run(row.inboxKey, labelId, to.place)
    let next = to.documentsFrom
    for (const document of documents) {
      const email = source.read(document.emailKey)
      if (email === undefined) continue
      write(next, document, email)
      next += 1
    }
    count(here(row.inboxKey), next - to.documentsFrom - documents.length)
  }

  const places = createThreadPlaces(database, (threadKey, place) => {
    const row = selectThread.get(threadKey)
    if (row === undefined) return
    const isApart = row.documentsFrom < 0
    const documents = lift(row, isApart)
    putBack(row, { ...row, place, documentsFrom: isApart ? row.documentsFrom : place }, documents)
  })

  /** Finds a thread another place, by its time and for so many e-mails. */
  const relocate = (row: ThreadRow, time: number, emails: number, among?: AmongEquals): void => {
    const range = placesOfInbox(row.inboxKey)
    if (range === null) return
    const next = selectNext.get(row.place, range.end)
    const isBeforeEqual = among === undefined && time === row.time && next?.time === time
    const isApart = row.documentsFrom < 0 || emails > MOST_MOVED
    const room = isApart ? { want: 1, need: 1 } : { want: Math.max(ROOM, 2 * emails), need: Math.max(1, emails) }
    const documents = lift(row, row.documentsFrom < 0)
    const found = places.find(range, { ...row, time }, room, isBeforeEqual ? { before: next.place } : among)
    const documentsFrom = isApart ? documentsApart(row.threadKey) : found.place
    putBack(row, { ...found, time, documentsFrom }, documents)
  }

  /** @param emails that the cache has of it: they wait to be indexed */
  const addThread = (thread: SearchableThread, { place, room }: FoundPlace, emails: number): void => {
    const { key, inboxKey, receivedAt: time, folder, read, hasOutbound, emailCount } = thread
    const documentsFrom = emails > MOST_MOVED ? documentsApart(key) : place
    const state = [folder, Number(read), Number(hasOutbound), emailCount, JSON.stringify(thread.labelIds)] as const
    insertThread.run(key, inboxKey, place, room, time, documentsFrom, ...state, Number(emails === 0))
    for (const labelId of thread.labelIds) insertLabel.run(inboxKey, labelId, place)
  }

  const addThreads: IndexWriter['addThreads'] = (inboxKey, threads) => {
    const range = placesOfInbox(inboxKey)
    if (range === null) return
    const find = places.findEach(range, ROOM)
    let emails = 0
    for (const thread of threads) {
      addThread(thread, find({ threadKey: thread.key, inboxKey, time: thread.receivedAt }), 0)
      emails += thread.emailCount
    }
    count(there(inboxKey), emails)
  }

  const keepThread: IndexWriter['keepThread'] = (thread) => {
    const range = placesOfInbox(thread.inboxKey)
    if (range === null) return
    const { key, inboxKey, receivedAt: time, folder, read } = thread
    const row = selectThread.get(key)
    if (row === undefined) {
      const emails = countEmails.get(key) ?? 0
      const want = emails > MOST_MOVED ? 1 : Math.max(ROOM, 2 * emails)
      addThread(thread, places.find(range, { threadKey: key, inboxKey, time }, { want, need: 1 }), emails)
      count(there(inboxKey), thread.emailCount)
      return
    }
    const labelIds = JSON.stringify(thread.labelIds)
    const hasOutbound =
      thread.hasOutbound || hasOutboundDocument.get(row.documentsFrom, endOfDocuments(row)) !== undefined
    updateState.run(folder, Number(read), Number(hasOutbound), thread.emailCount, labelIds, key)
    count(there(inboxKey), thread.emailCount - row.emailCount)
    if (labelIds !== row.labelIds) {
      for (const labelId of readLabelIds(row.labelIds)) deleteLabel.run(inboxKey, labelId, row.place)
      for (const labelId of thread.labelIds) insertLabel.run(inboxKey, labelId, row.place)
    }
    if (time !== row.time) relocate({ ...row, labelIds }, time, row.documentsFrom < 0 ? 0 : documentsOf(row).length)
  }

  const keepEmail: IndexWriter['keepEmail'] = (threadKey, emailKey, email) => {
    const known = selectDocument.get(emailKey)
    const row = known === undefined ? selectThread.get(threadKey) : undefined
    if (known === undefined && row === undefined) return
    const written = documentOf(email, people, vocabulary)
    if (written.digest === known?.digest) return
    vocabulary.keep(written.vocabulary)
    if (known !== undefined) {
      remove(known.document)
      write(known.document, known, email, written)
      return
    }
    if (row === undefined) return
    let document = nextDocument(row)
    if (document >= endOfDocuments(row)) {
      relocate(row, row.time, documentsOf(row).length + 1)
      const moved = selectThread.get(threadKey) ?? row
      document = nextDocument(moved)
      if (document >= endOfDocuments(moved)) return
    }
    write(document, { threadKey, emailKey }, email, written)
    count(here(row.inboxKey), 1)
  }

  const keepOrder: IndexWriter['keepOrder'] = (threadKeys) => {
    let next: Pick<ThreadRow, 'place' | 'time'> | undefined
    for (const key of threadKeys.toReversed()) {
      const row = selectThread.get(key)
      // A page that names a thread twice may have put it elsewhere by now.
      if (row === undefined || (next !== undefined && row.time !== next.time)) continue
      if (next !== undefined && row.place > next.place) {
        relocate(row, row.time, row.documentsFrom < 0 ? 0 : documentsOf(row).length, { before: next.place })
      }
      next = selectThread.get(key)
    }
  }

  const keepAccountEmail: IndexWriter['keepAccountEmail'] = (list, rowKey, email) => {
    const [key, inboxKey] = [accountEmailKey(list, rowKey), listKey(list)]
    const state = { folder: 'inbox', read: true, hasOutbound: email.isOutbound, labelIds: [], emailCount: 1 }
    const { receivedAt } = email
    const known = selectThread.get(key)
    const isMoved = known?.time !== receivedAt
    // Its words first: what moves is written anew, with words that are known by then.
    if (known !== undefined) keepEmail(key, key, email)
    keepThread({ key, inboxKey, receivedAt, ...state })
    // It was put behind all of its time: it goes before the next of those whose rows have smaller keys.
    const first = isMoved ? (selectFirstOf.get(inboxKey, receivedAt) ?? key) : key
    const next = first < key ? selectNextOf.get(inboxKey, receivedAt, key) : first
    if (next !== undefined && next !== null && next !== key) keepOrder([key, next])
    if (known === undefined) keepEmail(key, key, email)
  }

  return {
    keepThread,
    addThreads,
    keepOrder,
    keepAccountEmail,
    keepEmail,
    dropEmail: (emailKey) => {
      const known = selectDocument.get(emailKey)
      if (known === undefined) return
      remove(known.document)
      const row = selectThread.get(known.threadKey)
      if (row !== undefined) count(here(row.inboxKey), -1)
    },
    dropThread: (threadKey) => {
      const row = selectThread.get(threadKey)
      if (row === undefined) return null
      const isWaiting = selectIsIndexed.get(threadKey) === 0
      const documents = lift(row, false)
      deleteThread.run(threadKey)
      count(here(row.inboxKey), -documents.length)
      count(there(row.inboxKey), -row.emailCount)
      return isWaiting
    },
    indexWaiting: (threadKey, after, limit) => {
      const row = selectThread.get(threadKey)
      if (row === undefined) return null
      const emailKeys = selectWaiting.all(threadKey, after, limit)
      const [first, end] = [nextDocument(row), endOfDocuments(row)]
      let document = first
      for (const emailKey of emailKeys) {
        const email = selectDocument.get(emailKey) === undefined ? source.read(emailKey) : undefined
        if (email === undefined) continue
        if (document >= end) {
          // It outgrows its place: what is left is kept as new mail is.
          keepEmail(threadKey, emailKey, email)
          continue
        }
        const written = documentOf(email, people, vocabulary)
        vocabulary.keep(written.vocabulary)
        write(document, { threadKey, emailKey }, email, written)
        document += 1
      }
      count(here(row.inboxKey), document - first)
      const last = emailKeys.at(-1)
      if (last !== undefined && emailKeys.length === limit) return last
      setIndexed.run(threadKey)
      return null
    },
  }
}
