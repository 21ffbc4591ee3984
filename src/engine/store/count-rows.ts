import { lookIntoDatabase } from './look-into-database.ts'

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
export const countRows = (file: string): Readonly<Record<string, number>> =>
  lookIntoDatabase<Readonly<Record<string, number>>>(
    file,
    (database) => {
      const count = (table: string): number =>
        database.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0
      return Object.fromEntries(TABLES.map((table) => [table, count(table)]))
    },
    {},
  )
