import type Database from 'better-sqlite3'
import { toTime } from '../api/model-from-wire.ts'
import type { WireEmail } from '../api/wire.ts'
import type { IndexedRows } from '../search-index/search-index.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { readKeptIds } from './broken-row.ts'
import { readSealedEmail } from './sealed-wire.ts'

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

/** Reads an e-mail of the platform as search sees it. */
export const createSearchableReader = (database: Database.Database): ((wire: WireEmail) => SearchableEmail) => {
  const selectPieces = database
    .prepare<[string], string>(
      `SELECT text FROM body_pieces WHERE name = ? AND place < ${PIECES_INDEXED} ORDER BY place`,
    )
    .pluck()
  const bodyOf = (body: string | null | undefined, apart: string | null | undefined): string | null =>
    typeof apart === 'string' ? selectPieces.all(apart).join('') : (body ?? null)
  return (wire) => ({
    isOutbound: wire.direction === 'outbound',
    receivedAt: toTime(wire.received_at),
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
  return {
    read: (emailKey) => {
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
