import Database from 'better-sqlite3'

/** Time to wait for a locked file, in milliseconds. */
const WAITS_MS = 500

/**
 * Reads from a database file of any version, open or not, without changing it.
 * @param otherwise result if the file is missing, no database, or unreadable
 */
export const readDatabaseFile = <Value>(
  file: string,
  read: (database: Database.Database) => Value,
  otherwise: Value,
): Value => {
  try {
    // A read-only connection would leave its WAL, which looks like a crash and causes a full check.
    const database = new Database(file, { fileMustExist: true, timeout: WAITS_MS })
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
