import Database from 'better-sqlite3'

/** How long it waits for a file that somebody else has for itself, in milliseconds. */
const WAITS_MS = 500

/**
 * Reads something out of a file of whatever version that need not be open, over a connection of its own that changes
 * nothing.
 * @param otherwise for a file that is not there, is no database, or cannot be read
 */
export const lookIntoDatabase = <Value>(
  file: string,
  read: (database: Database.Database) => Value,
  otherwise: Value,
): Value => {
  try {
    // A connection that may not write at all would leave its log behind, which looks as if a process had been ended: the
    // file would be checked from its first to its last page at the next start.
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
