import type Database from 'better-sqlite3'
import { PAYLOAD_JSON_SQL } from './checksummed-payload.ts'
import type { UntrustedRow } from './damaged-database.ts'
import { EMAIL_COUNT } from './indexed-rows.ts'

type CopiedTable = 'inboxes' | 'threads' | 'emails' | 'large_bodies' | 'received_emails' | 'sent_emails'

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
}

/** The value, or an empty one if it is damaged: mail is worth keeping without it. */
const toFitting = (value: unknown, { type, notnull }: Column): unknown => {
  const isInteger = type === 'INTEGER'
  if (isInteger ? Number.isSafeInteger(value) : typeof value === 'string') return value
  return notnull === 0 ? null : isInteger ? 0 : ''
}

/** Writes rows of a damaged cache into this one. Triggers derive counts, labels and the queue of mail to keep. */
export const createRowCopier = (database: Database.Database) => {
  const prepareCopy = (table: CopiedTable) => {
    const columns = database
      .prepare<[string], Column>('SELECT name, type, "notnull" FROM pragma_table_info(?) WHERE name <> \'key\'')
      .all(table)
    const names = columns.map(({ name }) => name)
    const insert = database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
    )
    return { columns, insert }
  }
  const copies = new Map<CopiedTable, ReturnType<typeof prepareCopy>>()
  const checkEmails = database.prepare<[number]>(
    `UPDATE threads SET emails_at = NULL WHERE key = ? AND emails_at IS NOT NULL
       AND (SELECT count(*) FROM emails WHERE thread_key = threads.key AND json_valid(${PAYLOAD_JSON_SQL}))
         < iif(on_server = 1, ${EMAIL_COUNT}, 1)`,
  )
  return {
    /** Copies a row unless it exists. @returns the new row's key; undefined if the row exists */
    copy: (table: CopiedTable, row: UntrustedRow): number | undefined => {
      const { columns, insert } = copies.get(table) ?? prepareCopy(table)
      copies.set(table, { columns, insert })
      const { changes, lastInsertRowid } = insert.run(...columns.map((column) => toFitting(row[column.name], column)))
      return changes === 0 ? undefined : Number(lastInsertRowid)
    },
    /** Has a thread's e-mails fetched again if some couldn't be copied. */
    checkEmails: (threadKey: number): void => void checkEmails.run(threadKey),
  }
}
