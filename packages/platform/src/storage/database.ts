import BetterSqlite3 from 'better-sqlite3'
import { migrations } from './schema.ts'

/** A bindable value. Callers store booleans as 0 and 1. */
export type SqlValue = string | number | bigint | Buffer | null

/** 'LNTS' marks the service's files, so another program's database is rejected instead of changed. */
const applicationId = 0x4c4e5453

function open(file: string): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file)
  try {
    const version = readSchemaVersion(connection, file)
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = NORMAL')
    connection.pragma('foreign_keys = ON')
    // 64 MB: with SQLite's default of 2 MB, indexes on random IDs make filling a large mailbox four times slower.
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

/** Checks before any write, so a foreign file stays untouched. @returns the schema version */
function readSchemaVersion(connection: BetterSqlite3.Database, file: string): number {
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
 * Caches prepared statements by their text, so SQL can be written where it is used. WAL with `synchronous = NORMAL`
 * keeps every committed transaction when the process is killed, which acknowledged requests rely on. Only a power cut
 * could lose the latest ones, and this is never the only copy of mail.
 */
export class Database {
  readonly #connection: BetterSqlite3.Database
  readonly #statements = new Map<string, BetterSqlite3.Statement>()
  #beforeCommit: () => void = () => undefined

  /** Opens and migrates a file or `:memory:`. @throws Error with a message for the user if it is foreign or newer */
  constructor(file: string) {
    this.#connection = open(file)
  }

  /** The first row, or `undefined`. The caller's SELECT determines the row's type. */
  get<Row>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#prepared(sql).get(...values) as Row | undefined
  }

  all<Row>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[]
  }

  /** Streams rows, so a scan of a large mailbox holds one at a time. Don't write until the scan ends. */
  iterate<Row>(sql: string, ...values: readonly SqlValue[]): IterableIterator<Row> {
    // A cached statement can't be iterated twice at once, so each scan prepares its own.
    return this.#connection.prepare(sql).iterate(...values) as IterableIterator<Row>
  }

  /** @returns the number of changed rows */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.#prepared(sql).run(...values).changes
  }

  /** Runs `work` in a transaction, nested if one is open; a throw rolls it back. */
  transaction<Result>(work: () => Result): Result {
    const isNested = this.#connection.inTransaction
    const run = this.#connection.transaction(() => {
      const result = work()
      if (!isNested) this.#beforeCommit()
      return result
    })
    return run.immediate()
  }

  /** Sets the last step of every outermost transaction. */
  setBeforeCommit(step: () => void): void {
    this.#beforeCommit = step
  }

  /** Defines an SQL function on this connection, with as many arguments as `work`: one or none. */
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
