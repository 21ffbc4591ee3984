import { existsSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { createTableReader, openDamagedDatabase, type UntrustedRow } from '../store/damaged-database.ts'
import { buildEmptyDatabase } from '../store/open-database.ts'
import { buildInsert, computeRowChecksum, isRowSound, readTableColumns } from './own-table.ts'
import { OWN_FILE, TABLES_NOT_RESTORED } from './schema.ts'

/** Unreadable rows after which a table is given up, so that the account still opens within a second. */
const MAX_LOST = 1_000

interface ReadTable {
  /** Rows with a valid checksum. */
  readonly rows: readonly UntrustedRow[]
  /** True if no row is damaged or missing. */
  readonly isWhole: boolean
}

interface ReadFile {
  readonly tables: ReadonlyMap<string, ReadTable>
  /** Number of the newest write with a readable row; 0 if there is none. */
  readonly revision: number
}

const NO_FILE: ReadFile = { tables: new Map(), revision: 0 }
const NO_TABLE: ReadTable = { rows: [], isWhole: false }

const readTable = (source: Database.Database, table: string, columns: readonly string[]): ReadTable => {
  try {
    const reader = createTableReader(source, table, MAX_LOST)
    const rows = reader.read(0, reader.last)
    const sound = rows.filter((row) => isRowSound(table, columns, row))
    const isIntact = source.pragma(`integrity_check(${table})`, { simple: true }) === 'ok'
    return { rows: sound, isWhole: isIntact && sound.length === rows.length }
  } catch {
    return NO_TABLE
  }
}

const readFile = (file: string | null, columns: ReadonlyMap<string, readonly string[]>): ReadFile => {
  if (file === null || !existsSync(file)) return NO_FILE
  const opened = openDamagedDatabase(file, ['sqlite_schema', ...columns.keys()], buildEmptyDatabase(OWN_FILE))
  if (opened === null) return NO_FILE
  try {
    const tables = new Map([...columns].map(([table, own]) => [table, readTable(opened.source, table, own)]))
    const revisions = [...tables.values()].flatMap(({ rows }) => rows.map((row) => Number(row.revision)))
    return { tables, revision: revisions.reduce((newest, each) => Math.max(newest, each), 0) }
  } finally {
    opened.end()
  }
}

/** The damaged file's table if it is whole, so that removals count too; otherwise the snapshot's with newer rows. */
const chooseRows = (table: string, snapshot: ReadFile, damaged: ReadFile): readonly UntrustedRow[] => {
  const own = damaged.tables.get(table) ?? NO_TABLE
  if (own.isWhole && damaged.revision >= snapshot.revision) return own.rows
  if (TABLES_NOT_RESTORED.has(table)) return []
  const newer = own.rows.filter((row) => Number(row.revision) > snapshot.revision)
  return [...(snapshot.tables.get(table)?.rows ?? []), ...newer]
}

/**
 * Fills a new file from a snapshot, which may be missing, and from the damaged file that was set aside, if any.
 */
export const recoverOwnFile = (
  database: Database.Database,
  from: { readonly snapshot: string; readonly damaged: string | null },
): void => {
  const columns = readTableColumns(database)
  const snapshot = readFile(from.snapshot, columns)
  const damaged = readFile(from.damaged, columns)
  database.transaction(() => {
    for (const [table, own] of columns) {
      if (table === 'state') continue
      for (const row of chooseRows(table, snapshot, damaged)) {
        const stored = [...('sequence' in row ? ['sequence'] : []), ...own, 'revision', 'checksum']
        const insert = buildInsert(table, stored).replace('INSERT', 'INSERT OR REPLACE')
        database.prepare(insert).run(...stored.map((column) => row[column]))
      }
    }
    const state = { name: 'state', revision: Math.max(snapshot.revision, damaged.revision) + 1 }
    database
      .prepare(buildInsert('state', ['name', 'revision', 'checksum']))
      .run(state.name, state.revision, computeRowChecksum('state', ['name'], state))
  })()
}
