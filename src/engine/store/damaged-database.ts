import { closeSync, constants, copyFileSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { buildReplacementHeader } from './file-header.ts'

const MAX_LOST = 20_000
const HEADER_BYTES = 100

/** An untrusted row: any column may be missing or have another type. */
export type UntrustedRow = Readonly<Record<string, unknown>>

const openReadable = (file: string, tables: readonly string[]): Database.Database | null => {
  let database: Database.Database | null = null
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 500 })
    // Damage in one part of the schema must not hide the other tables.
    database.unsafeMode(true)
    database.pragma('writable_schema = ON')
    for (const table of tables) database.prepare(`SELECT * FROM ${table} LIMIT 1`)
    database.prepare(`SELECT * FROM ${tables[0] ?? 'sqlite_schema'} LIMIT 1`).get()
    return database
  } catch {
    database?.close()
    return null
  }
}

/**
 * Numbers of the pages that hold the schema: the first page and its children. Source: sqlite.org/fileformat2.html,
 * "B-tree Pages": an interior page has type 5, and its cells start with a page number.
 */
const schemaPages = (model: Buffer): readonly number[] => {
  if (model[HEADER_BYTES] !== 5) return [1]
  const cells = Array.from({ length: model.readUInt16BE(HEADER_BYTES + 3) }, (_none, cell) =>
    model.readUInt16BE(HEADER_BYTES + 12 + 2 * cell),
  )
  return [1, ...cells.map((at) => model.readUInt32BE(at)), model.readUInt32BE(HEADER_BYTES + 8)]
}

/** Copies a file, with its header and other pages from `model`. */
const copyWithPages = (file: string, copy: string, model: Buffer, pages: readonly number[]): void => {
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  const size = model.readUInt16BE(16)
  const to = openSync(copy, 'r+')
  for (const page of pages) writeSync(to, model, (page - 1) * size, size, (page - 1) * size)
  writeSync(to, buildReplacementHeader(model, statSync(copy).size), 0, HEADER_BYTES, 0)
  closeSync(to)
}

/**
 * Opens a damaged file. Tries the file itself, then copies of it without the WAL, with another header, and with another
 * schema.
 * @param tables required tables; the first one is test-read
 * @param model content of an empty file of the same kind
 */
export const openDamagedDatabase = (
  file: string,
  tables: readonly string[],
  model: Buffer,
): { readonly source: Database.Database; readonly end: () => void } | null => {
  const copy = `${file.replace(/\.sqlite$/, '')}.reading.sqlite`
  const end = (source: Database.Database | null): void => {
    source?.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(copy + suffix, { force: true })
  }
  const asItIs = openReadable(file, tables)
  if (asItIs !== null) return { source: asItIs, end: () => end(asItIs) }
  const attempts = [
    () => copyFileSync(file, copy, constants.COPYFILE_FICLONE),
    () => copyWithPages(file, copy, model, []),
    () => copyWithPages(file, copy, model, schemaPages(model)),
  ]
  for (const attempt of attempts) {
    attempt()
    const source = openReadable(copy, tables)
    if (source !== null) return { source, end: () => end(source) }
  }
  end(null)
  return null
}

/** @param maxLost maximum unreadable rows; with more, the table is given up */
export const createTableReader = (source: Database.Database, table: string, maxLost = MAX_LOST) => {
  const select = source.prepare<[number, number], UntrustedRow>(
    `SELECT rowid AS row_number, * FROM ${table} NOT INDEXED WHERE rowid BETWEEN ? AND ?`,
  )
  let lost = 0
  const read = (from: number, to: number): readonly UntrustedRow[] => {
    if (lost > maxLost) return []
    try {
      return select.all(from, to)
    } catch {
      if (from === to) {
        lost += 1
        return []
      }
      const middle = Math.floor((from + to) / 2)
      return [...read(from, middle), ...read(middle + 1, to)]
    }
  }
  const last = (): number => {
    for (const sql of [`SELECT max(rowid) FROM ${table} NOT INDEXED`, `SELECT max(rowid) FROM ${table}`]) {
      try {
        return Number(source.prepare(sql).pluck().get()) || 0
      } catch {
        // The B-tree path to the last row is damaged; the other query may still work.
      }
    }
    // Upper bound: a row takes at least a hundredth of a page.
    return Number(source.pragma('page_count', { simple: true })) * 100
  }
  return { read, last: last(), isHopeless: () => lost > maxLost }
}
