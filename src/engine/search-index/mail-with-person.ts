/** The mail with one person: their threads, what was sent to them, and how much there is of all of it. */
import type Database from 'better-sqlite3'
import { PEOPLE_FIELDS, type PeopleField } from '../../shared/thread-query.ts'
import { listKey, readAccountEmailKey } from './account-keys.ts'
import { personMark, personToken } from './index-tokens.ts'
import { ROOM_APART } from './index-writer.ts'
import { placesOfInbox } from './thread-places.ts'

/** How much of a kind of mail there is with someone; times in milliseconds since the epoch. */
export interface MailExtent {
  readonly emails: number
  readonly first: number
  readonly last: number
}

export interface MailWithPerson {
  /** Latest activity first, of all inboxes. */
  readonly threads: readonly { readonly inboxId: string; readonly threadId: string }[]
  /** Rows of the account's own list of sent e-mails that went to them, newest first. */
  readonly sentKeys: readonly number[]
  /** E-mails of threads, and of the account's own lists; null for none. */
  readonly extent: Readonly<Record<'threads' | 'received' | 'sent', MailExtent | null>>
  /** Whether `extent` counts all of them: somebody with very many has more, and older ones. */
  readonly isAll: boolean
}

/**
 * @param addresses of one person, in all ways in which they are written, in lower case
 * @param inboxKeys whose threads are looked through
 */
export type FindMailWithPerson = (
  addresses: readonly string[],
  inboxKeys: readonly number[],
  most: { readonly threads: number; readonly sent: number },
) => MailWithPerson

/** Names under which an address is looked for, the newest: a program may write another one in each e-mail. */
const MOST_NAMES = 200
/** E-mails that are counted: nobody waits longer for those of a program that writes every minute. */
const MOST_COUNTED = 20_000
/** Threads of very many e-mails that are looked at. */
const MOST_APART = 100

const RECIPIENTS: readonly PeopleField[] = ['to', 'cc', 'bcc']

export const NO_MAIL: MailWithPerson = {
  threads: [],
  sentKeys: [],
  extent: { threads: null, received: null, sent: null },
  isAll: true,
}

interface FoundRow {
  readonly inboxId: string
  readonly threadId: string
  readonly time: number
  /** Where the thread's documents end. */
  readonly end: number
}

export const createFindMailWithPerson = (database: Database.Database): FindMailWithPerson => {
  const selectKeys = database
    .prepare<[string, number], number>(
      'SELECT key FROM search_people WHERE substr(text, instr(text, char(10)) + 1) = ? ORDER BY key DESC LIMIT ?',
    )
    .pluck()
  const selectThread = database.prepare<[string, number, number], FoundRow>(
    `SELECT inboxes.id AS inboxId, threads.id AS threadId, s.time,
       s.documents_from + iif(s.documents_from < 0, ${ROOM_APART}, s.room) AS end
     FROM search_words AS w
     JOIN search_documents AS d ON d.document = w.rowid
     JOIN search_threads AS s ON s.thread_key = d.thread_key
     JOIN threads ON threads.key = d.thread_key
     JOIN inboxes ON inboxes.key = threads.inbox_key
     WHERE search_words MATCH ? AND w.rowid >= ? AND w.rowid < ? ORDER BY w.rowid LIMIT 1`,
  )
  const selectSent = database
    .prepare<[string, number, number, number], number>(
      `SELECT d.email_key FROM search_words AS w JOIN search_documents AS d ON d.document = w.rowid
       WHERE search_words MATCH ? AND w.rowid >= ? AND w.rowid < ? ORDER BY w.rowid LIMIT ?`,
    )
    .pluck()
  // The account's own e-mails have keys below zero, even ones those that were received (`account-keys.ts`).
  const selectExtent = database.prepare<
    [string, number],
    MailExtent & { readonly place: 'threads' | 'received' | 'sent' }
  >(
    `SELECT iif(d.thread_key >= 0, 'threads', iif(d.thread_key % 2 = 0, 'received', 'sent')) AS place,
       count(*) AS emails, min(d.received_at) AS first, max(d.received_at) AS last
     FROM (SELECT rowid FROM search_words WHERE search_words MATCH ? LIMIT ?) AS w
     CROSS JOIN search_documents AS d ON d.document = w.rowid
     GROUP BY 1`,
  )

  const expressionOf = (keys: readonly number[], fields: readonly PeopleField[]): string =>
    keys.flatMap((key) => fields.map((field) => `"${personToken(personMark(field, key))}"`)).join(' OR ')

  /** Threads of one stretch of documents, by their order there: of each one step, however many e-mails it has. */
  const threadsIn = (expression: string, first: number, end: number, most: number): readonly FoundRow[] => {
    const found: FoundRow[] = []
    for (let from = first; found.length < most;) {
      const row = selectThread.get(expression, from, end)
      if (row === undefined) break
      found.push(row)
      from = row.end
    }
    return found
  }

  return (addresses, inboxKeys, most) => {
    const keys = addresses.flatMap((address) => selectKeys.all(address, MOST_NAMES)).slice(0, MOST_NAMES)
    if (keys.length === 0) return NO_MAIL
    const anywhere = expressionOf(keys, PEOPLE_FIELDS)
    const inPlace = inboxKeys.flatMap((inboxKey) => {
      const range = placesOfInbox(inboxKey)
      return range === null ? [] : threadsIn(anywhere, range.first, range.end, most.threads)
    })
    const apart = threadsIn(anywhere, Number.MIN_SAFE_INTEGER, 0, MOST_APART)
    const sent = placesOfInbox(listKey('sent'))
    const sentKeys =
      sent === null ? [] : selectSent.all(expressionOf(keys, RECIPIENTS), sent.first, sent.end, most.sent)
    const extents = selectExtent.all(anywhere, MOST_COUNTED)
    const extentOf = (place: 'threads' | 'received' | 'sent'): MailExtent | null => {
      const found = extents.find((each) => each.place === place)
      return found === undefined ? null : { emails: found.emails, first: found.first, last: found.last }
    }
    return {
      threads: [...inPlace, ...apart]
        .toSorted((a, b) => b.time - a.time)
        .slice(0, most.threads)
        .map(({ inboxId, threadId }) => ({ inboxId, threadId })),
      sentKeys: sentKeys.flatMap((key) => readAccountEmailKey(key)?.rowKey ?? []),
      extent: { threads: extentOf('threads'), received: extentOf('received'), sent: extentOf('sent') },
      isAll: extents.reduce((sum, { emails }) => sum + emails, 0) < MOST_COUNTED,
    }
  }
}
