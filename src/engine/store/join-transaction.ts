import type Database from 'better-sqlite3'

/**
 * Runs writes as one: in the transaction that is open around them, or else in one of their own. A transaction within a
 * transaction would have SQLite copy every page before it is changed, and nothing here is ever taken back in part.
 */
export const joinTransaction = <Value>(database: Database.Database, work: () => Value): Value =>
  database.inTransaction ? work() : database.transaction(work)()
