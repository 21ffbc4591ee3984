import Database from 'better-sqlite3'

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
