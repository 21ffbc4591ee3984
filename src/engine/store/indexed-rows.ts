import type Database from 'better-sqlite3'
import { toTime } from '../api/model-from-wire.ts'
import type { WireEmail } from '../api/wire.ts'
import { readAccountEmailKey, type AccountList } from '../search-index/account-keys.ts'
import type { IndexedRows } from '../search-index/search-index.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { readKeptIds } from './broken-row.ts'
import { readSealedEmail, readSealedReceivedEmail, readSealedSentEmail, type ReadWire } from './sealed-wire.ts'

/** Pieces of a body that is kept apart: as much of it as the index takes. */
const PIECES_INDEXED = 8

/** The platform's words behind their checksum, where there is one. */
const JSON_TEXT = "iif(substr(wire, 1, 1) = '{', wire, substr(wire, 9))"

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

/** What of an e-mail is searched, whichever list it is of. */
type SearchableWire = Pick<WireEmail, 'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'text' | 'html'> &
  Partial<Pick<WireEmail, 'attachments' | 'direction' | 'received_at' | 'text_apart' | 'html_apart'>>
type EmailFacts = Pick<SearchableEmail, 'isOutbound' | 'receivedAt'>

/** Reads an e-mail of the platform as search sees it. @param facts of one that does not tell them itself */
export const createSearchableReader = (
  database: Database.Database,
): ((wire: SearchableWire, facts?: EmailFacts) => SearchableEmail) => {
  const selectPieces = database
    .prepare<[string], string>(
      `SELECT text FROM body_pieces WHERE name = ? AND place < ${PIECES_INDEXED} ORDER BY place`,
    )
    .pluck()
  const bodyOf = (body: string | null | undefined, apart: string | null | undefined): string | null =>
    typeof apart === 'string' ? selectPieces.all(apart).join('') : (body ?? null)
  return (wire, facts = { isOutbound: wire.direction === 'outbound', receivedAt: toTime(wire.received_at) }) => ({
    ...facts,
    subject: wire.subject ?? null,
    text: bodyOf(wire.text, wire.text_apart),
    html: bodyOf(wire.html, wire.html_apart),
    from: wire.from === null || wire.from === undefined || wire.from === '' ? [] : [wire.from],
    to: wire.to ?? [],
    cc: wire.cc ?? [],
    bcc: wire.bcc ?? [],
    attachments: (wire.attachments ?? []).map(({ filename }) => filename ?? null),
  })
}

interface AccountRow {
  readonly key: number
  readonly id: string
  readonly created_at: number
  readonly wire: string
}

const prepareAccountList = <Wire extends SearchableWire>(
  database: Database.Database,
  table: 'received_emails' | 'sent_emails',
  read: (text: string, id: string) => ReadWire<Wire> | null,
) => {
  const COLUMNS = `SELECT key, id, created_at, wire FROM ${table}`
  return {
    read,
    one: database.prepare<[number], AccountRow>(`${COLUMNS} WHERE key = ?`),
    after: database.prepare<[number, number], AccountRow>(`${COLUMNS} WHERE key > ? ORDER BY key LIMIT ?`),
    last: database.prepare<[], number | null>(`SELECT max(key) FROM ${table}`).pluck(),
  }
}

/** The rows of threads and e-mails that the search index is made from. */
export const createIndexedRows = (database: Database.Database): IndexedRows => {
  const selectEmail = database.prepare<[number], { readonly id: string; readonly wire: string }>(
    'SELECT id, wire FROM emails WHERE key = ?',
  )
  const selectThreads = database.prepare<[number, number], ThreadRow>(
    `SELECT key, inbox_key AS inboxKey, received_at AS receivedAt, folder, read, in_sent AS hasOutbound,
       label_ids AS labelIds,
       coalesce(iif(json_valid(${JSON_TEXT}), json_extract(${JSON_TEXT}, '$.email_count'), 1), 1) AS emailCount
     FROM threads WHERE key > ? ORDER BY key LIMIT ?`,
  )
  const toSearchable = createSearchableReader(database)
  const ofAccount = {
    received: prepareAccountList(database, 'received_emails', readSealedReceivedEmail),
    sent: prepareAccountList(database, 'sent_emails', readSealedSentEmail),
  } as const
  const readOfAccount = (list: AccountList, row: AccountRow | undefined): SearchableEmail | undefined => {
    const wire = row === undefined ? undefined : ofAccount[list].read(row.wire, row.id)?.wire
    if (row === undefined || wire === undefined) return undefined
    return toSearchable(wire, { isOutbound: list === 'sent', receivedAt: row.created_at })
  }
  return {
    accountEmailsAfter: (list, key, limit) =>
      ofAccount[list].after.all(key, limit).map((row) => ({ key: row.key, email: readOfAccount(list, row) })),
    lastAccountEmail: (list) => ofAccount[list].last.get() ?? 0,
    read: (emailKey) => {
      const account = readAccountEmailKey(emailKey)
      if (account !== null) return readOfAccount(account.list, ofAccount[account.list].one.get(account.rowKey))
      const row = selectEmail.get(emailKey)
      const wire = row === undefined ? undefined : readSealedEmail(row.wire, row.id)?.wire
      return wire === undefined ? undefined : toSearchable(wire)
    },
    threadsAfter: (key, limit) =>
      selectThreads.all(key, limit).map((row) => ({
        ...row,
        read: row.read === 1,
        hasOutbound: row.hasOutbound === 1,
        labelIds: readKeptIds(row.labelIds) ?? [],
      })),
  }
}
