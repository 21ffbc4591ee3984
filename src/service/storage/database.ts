import BetterSqlite3 from 'better-sqlite3'
import { migrations } from './schema.ts'

/** What can be bound to a placeholder. Booleans are stored as 0 and 1 by the caller. */
export type SqlValue = string | number | bigint | Buffer | null

/** 'LNTS': marks a file as the service's, so that another program's database is refused instead of changed. */
const applicationId = 0x4c4e5453

function open(file: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file)
  try {
    const version = ownVersion(connection, file)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = NORMAL')
    connection.pragma('foreign_keys = ON')
    // 64 MB: with SQLite's own 2 MB the indexes on random ids make a large mailbox four times as slow to fill.
    connection.pragma('cache_size = -65536')
    migrate(connection, version)
    return connection
  } catch (error) {
    connection.close()
    if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_NOTADB') {
      throw new Error(`${file} is not a database.`, { cause: error })
    }
    throw error
  }
}

/** Looks before anything is written, so that a file which is not the service's stays as it is. @returns its version */
function ownVersion(connection: BetterSqlite3.Database, file: string): number {
  const isEmpty = connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  const owner = connection.pragma('application_id', { simple: true })
  if (!isEmpty && owner !== applicationId) throw new Error(`${file} is the database of another program.`)
  const version = connection.pragma('user_version', { simple: true }) as number
  if (version > migrations.length) throw new Error(`${file} was written by a newer version of this service.`)
  return version
}

function migrate(connection: BetterSqlite3.Database, version: number): void {
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue
    connection.transaction(() => {
      connection.exec(migration)
      connection.pragma(`application_id = ${applicationId}`)
      connection.pragma(`user_version = ${index + 1}`)
    })()
  }
}

/* eslint-disable @typescript-eslint/no-unnecessary-type-parameters -- SQLite does not know a row's type; the caller's SELECT does. */

/**
 * The service's SQLite connection: prepared statements are kept by their text, so a rule can be written where it is
 * used without paying for its compilation each time.
 *
 * WAL with `synchronous = NORMAL` keeps every committed transaction through a killed process, which is the promise
 * behind an acknowledgement; only a power cut could take the last moments, and nobody keeps their only copy here.
 */
export class Database {
  readonly #connection: BetterSqlite3.Database
  readonly #statements = new Map<string, BetterSqlite3.Statement>()

  /**
   * Opens the file and brings its schema up to date.
   * @param file a path, or `:memory:`
   * @throws Error with a sentence for a person when the file is not one of the service's, or is from a newer version
   */
  constructor(file: string) {
    this.#connection = open(file)
  }

  /** The first row, or `undefined` when nothing matches. The caller's SELECT decides the row's type. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[]
  }

  /** Streams rows, so that a scan of a large mailbox holds one row at a time. No write may happen before it ends. */
  iterate<Row>(sql: string, ...values: readonly SqlValue[]): IterableIterator<Row> {
    // A kept statement cannot be iterated twice at once, so a scan gets its own.
    return this.#connection.prepare(sql).iterate(...values) as IterableIterator<Row>
  }

  /** Runs a statement that returns nothing. @returns the number of rows that it changed */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.#prepared(sql).run(...values).changes
  }

  /** Runs `work` in one transaction, within the surrounding one when there is one; a throw undoes it. */
  transaction<Result>(work: () => Result): Result {
    return this.#connection.transaction(work).immediate()
  }

  /** Gives SQL a function of one value, on this connection only. */
  define(name: string, work: (value: SqlValue) => SqlValue): void {
    this.#connection.function(name, work)
  }

  close(): void {
    this.#connection.close()
  }

  #prepared(sql: string): BetterSqlite3.Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}
