import Database from 'better-sqlite3'

const TABLES = [
  'inboxes',
  'labels',
  'threads',
  'emails',
  'received_emails',
  'sent_emails',
  'contacts',
  'contact_topics',
] as const

/**
 * How many rows a cache has of each kind, counted over a connection of its own that changes nothing. A file that cannot
 * be counted gives none: what it is worth knowing for is then in the log.
 */
export const countRows = (file: string): Readonly<Record<string, number>> => {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 500 })
    try {
      const count = (table: string): number =>
        database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
      return Object.fromEntries(TABLES.map((table) => [table, count(table)]))
    } finally {
      database.close()
    }
  } catch {
    return {}
  }
}
