import Database from 'better-sqlite3'
import type { InboxIdentity } from '../../shared/engine-api.ts'
import { CACHE_FILE_KIND } from './cache.ts'
import { InboxStore } from './inboxes.ts'

/** Time to wait for a locked file, in milliseconds. */
const LOCK_TIMEOUT_MS = 500

/**
 * Reads from a database file of any version, whether or not it is open elsewhere, without changing it.
 * @param otherwise result if the file is missing, unreadable or not a database
 */
export const readDatabaseFile = <Value>(
  file: string,
  read: (database: Database.Database) => Value,
  otherwise: Value,
): Value => {
  try {
    // Don't open the connection read-only: it would leave its WAL behind, which looks like a crash and causes a full
    // check.
    const database = new Database(file, { fileMustExist: true, timeout: LOCK_TIMEOUT_MS })
    try {
      database.pragma('query_only = ON')
      return read(database)
    } finally {
      database.close()
    }
  } catch {
    return otherwise
  }
}

/** Version of the bundled SQLite, such as `3.51.0`, not of the one built into Node. */
export const readSqliteVersion = (): string => {
  const database = new Database(':memory:')
  try {
    return database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? 'unknown'
  } finally {
    database.close()
  }
}

const TABLES = ['inboxes', 'labels', 'threads', 'emails', 'received_emails', 'sent_emails', 'contacts'] as const

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

/** The inboxes in a cache file, which identify its account. Empty if the file is missing, unreadable or not a cache. */
export const readInboxNames = (file: string): readonly InboxIdentity[] =>
  readDatabaseFile<readonly InboxIdentity[]>(
    file,
    (database) => {
      if (database.pragma('application_id', { simple: true }) !== CACHE_FILE_KIND.applicationId) return []
      return new InboxStore(database).all().map(({ inbox: { id, emailAddress } }) => ({ id, address: emailAddress }))
    },
    [],
  )
