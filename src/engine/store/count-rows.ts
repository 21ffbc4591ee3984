import { readDatabaseFile } from './read-database-file.ts'

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

/** Row counts by kind, for the log. Read through a separate connection. Empty if the file is unreadable. */
export const countRows = (file: string): Readonly<Record<string, number>> =>
  readDatabaseFile<Readonly<Record<string, number>>>(
    file,
    (database) => {
      const count = (table: string): number =>
        database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
      return Object.fromEntries(TABLES.map((table) => [table, count(table)]))
    },
    {},
  )
