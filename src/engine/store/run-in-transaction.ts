import type Database from 'better-sqlite3'

/**
 * Joins the surrounding transaction, if any. SQLite's nested transactions (savepoints) copy every page before changing
 * it, and partial rollback is never needed.
 */
export const runInTransaction = <Value>(database: Database.Database, work: () => Value): Value =>
  database.inTransaction ? work() : database.transaction(work)()
