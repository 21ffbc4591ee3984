import { closeSync, constants, copyFileSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import { borrowHeader } from './file-header.ts'

/** After so many rows that cannot be read there is nothing left of a table. */
const MOST_LOST = 20_000
const HEADER_BYTES = 100

/** A row of a file that is not to be trusted: any column may be missing or of another type. */
export type BrokenFileRow = Readonly<Record<string, unknown>>

/** Opens a broken file for reading, where all of these tables can be found. */
const openReadable = (file: string, tables: readonly string[]): Database.Database | null => {
  let database: Database.Database | null = null
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 500 })
    // A part of the schema that is broken does not hide the other tables.
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

/** A copy of the broken file with the header of a sound one. */
const copyWithHeader = (file: string, sound: string, copy: string): void => {
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  const header = Buffer.alloc(HEADER_BYTES)
  const from = openSync(sound, 'r')
  readSync(from, header, 0, HEADER_BYTES, 0)
  closeSync(from)
  const to = openSync(copy, 'r+')
  writeSync(to, borrowHeader(header, statSync(copy).size), 0, HEADER_BYTES, 0)
  closeSync(to)
}

/**
 * The pages that hold a file's schema, by their numbers: the first, and those that it points to.
 * Source: sqlite.org/fileformat2.html, "B-tree Pages": an interior page has type 5, its cells begin with a page number.
 */
const schemaPages = (model: Buffer): readonly number[] => {
  if (model[HEADER_BYTES] !== 5) return [1]
  const cells = Array.from({ length: model.readUInt16BE(HEADER_BYTES + 3) }, (_none, cell) =>
    model.readUInt16BE(HEADER_BYTES + 12 + 2 * cell),
  )
  return [1, ...cells.map((at) => model.readUInt32BE(at)), model.readUInt32BE(HEADER_BYTES + 8)]
}

/** A copy of the broken file with the schema of a model. */
const copyWithSchema = (file: string, model: Buffer, copy: string): void => {
  copyFileSync(file, copy, constants.COPYFILE_FICLONE)
  const size = model.readUInt16BE(16)
  const to = openSync(copy, 'r+')
  for (const page of schemaPages(model)) writeSync(to, model, (page - 1) * size, size, (page - 1) * size)
  writeSync(to, borrowHeader(model, statSync(copy).size), 0, HEADER_BYTES, 0)
  closeSync(to)
}

/**
 * Opens a broken file for reading: as it is, or a copy without its log, or a copy with another header, or a copy with
 * another schema, whichever is the first in which the tables are found.
 * @param sound a file of the same kind that SQLite can open
 * @param tables all of which are needed; the first is looked into
 * @param model an empty file of the same kind
 */
export const openBroken = (
  file: string,
  sound: string,
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
    () => copyWithHeader(file, sound, copy),
    () => copyWithSchema(file, model, copy),
  ]
  for (const attempt of attempts) {
    attempt()
    const source = openReadable(copy, tables)
    if (source !== null) return { source, end: () => end(source) }
  }
  end(null)
  return null
}

/** Reads a table of a broken file by the numbers of its rows, past everything that cannot be read. */
export const createTableReader = (source: Database.Database, table: string) => {
  const select = source.prepare<[number, number], BrokenFileRow>(
    `SELECT rowid AS row_number, * FROM ${table} NOT INDEXED WHERE rowid BETWEEN ? AND ?`,
  )
  let lost = 0
  const read = (from: number, to: number): readonly BrokenFileRow[] => {
    if (lost > MOST_LOST) return []
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
        // The way to the last row is broken: there may be another.
      }
    }
    // No row takes less than a hundredth of a page.
    return Number(source.pragma('page_count', { simple: true })) * 100
  }
  return { read, last: last(), isHopeless: () => lost > MOST_LOST }
}
