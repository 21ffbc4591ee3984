import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { UntrustedRow } from '../store/damaged-database.ts'
import { reportDamage, runInTransaction } from '../store/watch-database.ts'
import { TABLES_READ_LATER } from './schema.ts'

/** Columns of our tables besides their data. */
const ADDED_COLUMNS = ['sequence', 'revision', 'checksum']

/** Names of our tables, and of each table's data columns. */
export const readTableColumns = (database: Database.Database): ReadonlyMap<string, readonly string[]> => {
  const columns = database
    .prepare<[], { readonly name: string; readonly column: string }>(
      `SELECT t.name AS name, c.name AS column FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
       WHERE t.type = 'table' AND t.name NOT IN ('version_stamp', 'sqlite_sequence') ORDER BY t.name, c.cid`,
    )
    .all()
  return new Map(
    [...Map.groupBy(columns, ({ name }) => name)].map(([name, own]) => [
      name,
      own.map(({ column }) => column).filter((column) => !ADDED_COLUMNS.includes(column)),
    ]),
  )
}

export const computeRowChecksum = (
  table: string,
  columns: readonly string[],
  row: Readonly<Record<string, unknown>>,
): number => crc32(JSON.stringify([table, row.revision, ...columns.map((column) => row[column])]))

export const isRowSound = (table: string, columns: readonly string[], row: UntrustedRow): boolean =>
  row.checksum === computeRowChecksum(table, columns, row)

const throwDamaged = (database: Database.Database, table: string): never => {
  reportDamage(database)
  throw Object.assign(new Error(`A row of ${table} is damaged.`), { code: 'SQLITE_CORRUPT' })
}

/** Number of the newest write; 0 in a new file. @throws `SQLITE_CORRUPT` */
export const readRevision = (database: Database.Database): number => {
  const row = database.prepare<[], UntrustedRow>('SELECT * FROM state').get()
  if (row === undefined) return 0
  if (!isRowSound('state', ['name'], row)) throwDamaged(database, 'state')
  return Number(row.revision)
}

export const buildInsert = (table: string, columns: readonly string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`

/** Position of a row in a table with the column `sequence`. */
export interface Placed {
  readonly sequence: number
}

/** A table of the user's own data. Adds each row's revision and checksum, and verifies the checksum when reading. */
export class OwnTable<Row extends object> {
  readonly #database: Database.Database
  readonly #name: string
  readonly #columns: readonly string[]
  readonly #insert: string
  readonly #write: OwnTables['write']
  readonly #statements = new Map<string, Database.Statement<unknown[], UntrustedRow>>()

  constructor(database: Database.Database, name: string, write: OwnTables['write']) {
    this.#database = database
    this.#name = name
    this.#columns = readTableColumns(database).get(name) ?? []
    this.#insert = buildInsert(name, [...this.#columns, 'revision', 'checksum'])
    this.#write = write
  }

  /** Inserts a row, or replaces the row with the same key, which keeps its sequence. */
  put(row: Row): void {
    const updates = [...this.#columns, 'revision', 'checksum'].map((column) => `${column} = excluded.${column}`)
    this.#store(`${this.#insert} ON CONFLICT DO UPDATE SET ${updates.join(', ')}`, row)
  }

  /** Inserts a row unless one with the same key exists. */
  add(row: Row): void {
    this.#store(`${this.#insert} ON CONFLICT DO NOTHING`, row)
  }

  /** @param tail SQL after the table's name; by default, all rows in order @throws `SQLITE_CORRUPT` for a damaged row */
  rows(tail = 'ORDER BY rowid', ...values: readonly unknown[]): readonly (Row & Placed)[] {
    return this.#prepare(`SELECT * FROM ${this.#name} ${tail}`)
      .all(...values)
      .map((row) => {
        if (!isRowSound(this.#name, this.#columns, row)) throwDamaged(this.#database, this.#name)
        const named = ['sequence', ...this.#columns].flatMap((column) =>
          column in row ? [[column, row[column]] as const] : [],
        )
        // Safe cast: the checksum proves that the row is as it was put.
        return Object.fromEntries(named) as Row & Placed
      })
  }

  /** Computed values, without verifying rows. */
  select(columns: string, tail: string, ...values: readonly unknown[]): readonly UntrustedRow[] {
    return this.#prepare(`SELECT ${columns} FROM ${this.#name} ${tail}`).all(...values)
  }

  /** @returns number of rows removed */
  remove(where: string, ...values: readonly unknown[]): number {
    return this.#write(() => this.#prepare(`DELETE FROM ${this.#name} WHERE ${where}`).run(...values).changes)
  }

  #store(sql: string, row: Row): void {
    const statement = this.#prepare(sql)
    this.#write((revision) => {
      const stored: UntrustedRow = { ...row, revision }
      const checksum = computeRowChecksum(this.#name, this.#columns, stored)
      statement.run(...this.#columns.map((column) => stored[column]), revision, checksum)
    })
  }

  #prepare(sql: string): Database.Statement<unknown[], UntrustedRow> {
    const prepared = this.#statements.get(sql) ?? this.#database.prepare<unknown[], UntrustedRow>(sql)
    this.#statements.set(sql, prepared)
    return prepared
  }
}

/** The tables of a file, which are written in numbered transactions. */
export class OwnTables {
  readonly #database: Database.Database
  readonly #onWrite: (revision: number) => void
  readonly #state: OwnTable<{ readonly name: string }>
  /** Number of the transaction in progress, or null. */
  #running: number | null = null

  /** @param onWrite called after each transaction */
  constructor(database: Database.Database, onWrite: (revision: number) => void = () => undefined) {
    this.#database = database
    this.#onWrite = onWrite
    this.#state = this.table('state')
  }

  table<Row extends object>(name: string): OwnTable<Row> {
    return new OwnTable(this.#database, name, (work) => this.write(work))
  }

  /** Runs work in a transaction, which is on disk when this returns. @throws disk errors, leaving all tables unchanged */
  write<Value>(work: (revision: number) => Value): Value {
    if (this.#running !== null) return work(this.#running)
    const run = () => {
      const revision = readRevision(this.#database) + 1
      this.#running = revision
      this.#state.put({ name: 'state' })
      return { revision, value: work(revision) }
    }
    try {
      const { revision, value } = runInTransaction(this.#database, run, 'immediate')
      this.#running = null
      this.#onWrite(revision)
      return value
    } finally {
      this.#running = null
    }
  }
}

/** @param isEveryTable false to leave out tables that are read later @throws `SQLITE_CORRUPT` */
export const verifyRows = (database: Database.Database, isEveryTable: boolean): void => {
  const tables = new OwnTables(database)
  for (const name of readTableColumns(database).keys()) {
    if (isEveryTable || !TABLES_READ_LATER.has(name)) tables.table(name).rows()
  }
}
