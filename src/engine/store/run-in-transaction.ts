import type Database from 'better-sqlite3'

/**
 * Runs `work` in the surrounding transaction if there is one, otherwise in a new one. Doesn't use SQLite's nested
 * transactions (savepoints): they copy every page before changing it, and partial rollback is never needed.
 */
export const runInTransaction = <Value>(database: Database.Database, work: () => Value): Value =>
  database.inTransaction ? work() : database.transaction(work)()
