import type Database from 'better-sqlite3'
import { findUnlistedRecipients } from '../../shared/envelope-recipients.ts'
import type { FetchedReceivedEmail } from '../platform/resources/received-emails.ts'
import type { FetchedEmail } from '../platform/resources/thread-emails.ts'
import { THREAD_PATHS } from '../platform/resources/threads.ts'
import { decodeAccountEmailKey, type AccountList } from './search-index/thread-order.ts'
import type { IndexedRows } from './search-index/search-index.ts'
import type { SearchableEmail } from './search-index/searchable-email.ts'
import { createLargeBodyStore } from './large-bodies.ts'
import {
  PAYLOAD_JSON_SQL,
  parseChecksummedEmail,
  parseChecksummedReceivedEmail,
  parseChecksummedSentEmail,
  type ChecksummedPayload,
  parseStoredIds,
} from './checksummed-payload.ts'

interface ThreadRow {
  readonly key: number
  readonly inboxKey: number
  readonly receivedAt: number
  readonly folder: string
  readonly read: number
  readonly hasOutbound: number
  readonly labelIds: string
  readonly emailCount: number
}

const numberAt = (path: string): string =>
  `iif(json_type(${PAYLOAD_JSON_SQL}, '${path}') IN ('integer', 'real'), json_extract(${PAYLOAD_JSON_SQL}, '${path}'), NULL)`

/** SQL for a thread's e-mail count, from its payload; 1 if missing or damaged. */
export const EMAIL_COUNT = `iif(json_valid(${PAYLOAD_JSON_SQL}), coalesce(${THREAD_PATHS.emailCount.map(numberAt).join(', ')}, 1), 1)`

type SearchedFields = Pick<
  FetchedEmail,
  'id' | 'messageId' | 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'text' | 'html' | 'attachments'
> &
  Partial<Pick<FetchedReceivedEmail, 'headers' | 'receivedFor'>>
type EmailFacts = Pick<SearchableEmail, 'isOutbound' | 'receivedAt'>

/** The searchable text of an e-mail. */
export const toSearchable = (
  { id, messageId, headers, subject, text, html, from, to, cc, bcc, attachments, receivedFor = [] }: SearchedFields,
  facts: EmailFacts,
): SearchableEmail => ({
  ...facts,
  id,
  messageId,
  // E-mails known only from their list have no headers.
  headers: headers === undefined || Object.keys(headers).length === 0 ? null : headers,
  subject,
  text,
  html,
  from: from === '' ? [] : [from],
  // For catch-all mail, add the address that received it.
  to: [...to, ...findUnlistedRecipients(receivedFor, [...to, ...cc, ...bcc])],
  cc,
  bcc,
  attachments: attachments.map(({ filename }) => filename),
})

export const toEmailFacts = ({
  direction,
  receivedAt,
}: Pick<FetchedEmail, 'direction' | 'receivedAt'>): EmailFacts => ({
  isOutbound: direction === 'outbound',
  receivedAt,
})

interface EmailRow {
  readonly key: number
  readonly id: string
  readonly wire: string
}

interface AccountRow {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly wire: string
}

const prepareAccountList = <Fetched extends SearchedFields>(
  database: Database.Database,
  table: 'received_emails' | 'sent_emails',
  read: (text: string, id: string) => ChecksummedPayload<Fetched> | null,
) => {
  const COLUMNS = `SELECT key, id, created_at, wire FROM ${table}`
  return {
    read,
    one: database.prepare<[number], AccountRow>(`${COLUMNS} WHERE key = ?`),
    after: database.prepare<[number, number], AccountRow>(`${COLUMNS} WHERE key > ? ORDER BY key LIMIT ?`),
    last: database.prepare<[], number | null>(`SELECT max(key) FROM ${table}`).pluck(),
  }
}

export const createIndexedRows = (database: Database.Database): IndexedRows => {
  const selectEmail = database.prepare<[number], EmailRow>('SELECT key, id, wire FROM emails WHERE key = ?')
  const selectOfThread = database.prepare<[number, number, number], EmailRow>(
    'SELECT key, id, wire FROM emails WHERE thread_key = ? AND key > ? ORDER BY key LIMIT ?',
  )
  const selectThreads = database.prepare<[number, number], ThreadRow>(
    `SELECT key, inbox_key AS inboxKey, received_at AS receivedAt, folder, read, in_sent AS hasOutbound,
       label_ids AS labelIds, ${EMAIL_COUNT} AS emailCount
     FROM threads WHERE key > ? ORDER BY key LIMIT ?`,
  )
  const largeBodies = createLargeBodyStore(database)
  const ofAccount = {
    received: prepareAccountList(database, 'received_emails', parseChecksummedReceivedEmail),
    sent: prepareAccountList(database, 'sent_emails', parseChecksummedSentEmail),
  } as const
  const readOfAccount = (list: AccountList, row: AccountRow | undefined): SearchableEmail | undefined => {
    const email = row === undefined ? undefined : ofAccount[list].read(row.wire, row.id)?.thing
    if (row === undefined || email === undefined) return undefined
    return toSearchable(email, { isOutbound: list === 'sent', receivedAt: row.created_at })
  }
  const readEmail = ({ key, id, wire }: EmailRow): SearchableEmail | undefined => {
    const email = parseChecksummedEmail(wire, id)?.thing
    return email && toSearchable(largeBodies.complete(key, email), toEmailFacts(email))
  }
  return {
    accountEmailsAfter: (list, key, limit) =>
      ofAccount[list].after.all(key, limit).map((row) => ({ key: row.key, email: readOfAccount(list, row) })),
    lastAccountEmail: (list) => ofAccount[list].last.get() ?? 0,
    read: (emailKey) => {
      const account = decodeAccountEmailKey(emailKey)
      if (account !== null) return readOfAccount(account.list, ofAccount[account.list].one.get(account.rowKey))
      const row = selectEmail.get(emailKey)
      return row === undefined ? undefined : readEmail(row)
    },
    ofThread: (threadKey, after, limit) =>
      selectOfThread.all(threadKey, after, limit).map((row) => ({ key: row.key, read: () => readEmail(row) })),
    threadsAfter: (key, limit) =>
      selectThreads.all(key, limit).map((row) => ({
        ...row,
        read: row.read === 1,
        hasOutbound: row.hasOutbound === 1,
        labelIds: parseStoredIds(row.labelIds) ?? [],
      })),
  }
}
