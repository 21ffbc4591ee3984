import type Database from 'better-sqlite3'

/** Everybody whom the e-mails of the cache name, each once. */
export interface People {
  /** The key of someone, by their text (`personText`), who is added where they are new. */
  readonly keyOf: (text: string) => number
  /** Between transactions: whom the table has by now is remembered when met, as nothing takes them back any more. */
  readonly settle: () => void
  /**
   * Whom any of some parts is found in.
   * @param most with more than so many, `keys` is null
   * @param parts in lower case
   */
  readonly find: (
    parts: readonly string[],
    most: number,
  ) => { readonly keys: readonly number[] | null; readonly includes: (key: number) => boolean }
  /** Some in whom a part is found, those who came last first. @param part in lower case */
  readonly having: (part: string, most: number) => readonly { readonly key: number; readonly text: string }[]
  readonly clear: () => void
}

/** People who are remembered. */
const REMEMBERED = 10_000
/** Characters that a part needs for the index of parts, which is made of every three that follow each other. */
const INDEXED_PART = 3

export const createPeople = (database: Database.Database): People => {
  const selectKey = database.prepare<[string], number>('SELECT key FROM search_people WHERE text = ?').pluck()
  const selectText = database.prepare<[number], string>('SELECT text FROM search_people WHERE key = ?').pluck()
  const selectLast = database.prepare<[], number | null>('SELECT max(key) FROM search_people').pluck()
  const insert = database.prepare<[string]>('INSERT INTO search_people (text) VALUES (?)')
  const insertParts = database.prepare<[bigint, string]>('INSERT INTO search_people_parts (rowid, text) VALUES (?, ?)')
  const selectByParts = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM search_people_parts WHERE search_people_parts MATCH ? LIMIT ?',
    )
    .pluck()
  const selectByScan = database
    .prepare<[string, number], number>('SELECT key FROM search_people WHERE instr(text, ?) > 0 LIMIT ?')
    .pluck()
  const selectLastByParts = database
    .prepare<[string, number], number>(
      'SELECT rowid FROM search_people_parts WHERE search_people_parts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck()
  const selectLastByScan = database
    .prepare<[string, number], number>(
      'SELECT key FROM search_people WHERE instr(text, ?) > 0 ORDER BY key DESC LIMIT ?',
    )
    .pluck()

  const remembered = new Map<string, number>()
  /** Keys up to this one are those of the same people for as long as the table is. */
  let settled = 0

  // To FTS5 a question ends at a NUL.
  const isIndexed = (part: string): boolean => Array.from(part).length >= INDEXED_PART && !part.includes('\0')
  const quoted = (part: string): string => `"${part.replaceAll('"', '""')}"`

  const findOne = (part: string, limit: number): readonly number[] =>
    isIndexed(part) ? selectByParts.all(quoted(part), limit) : selectByScan.all(part, limit)

  return {
    keyOf: (text) => {
      const met = remembered.get(text)
      if (met !== undefined) return met
      const known = selectKey.get(text)
      if (known !== undefined) {
        if (remembered.size >= REMEMBERED) remembered.clear()
        if (known <= settled) remembered.set(text, known)
        return known
      }
      const { lastInsertRowid } = insert.run(text)
      insertParts.run(BigInt(lastInsertRowid), text)
      return Number(lastInsertRowid)
    },
    settle: () => {
      settled = selectLast.get() ?? 0
    },
    find: (parts, most) => {
      const keys = new Set<number>()
      for (const part of parts) {
        for (const key of findOne(part, most + 1)) keys.add(key)
        if (keys.size > most) break
      }
      const told = new Map<number, boolean>()
      const includes = (key: number): boolean => {
        const known = told.get(key)
        if (known !== undefined) return known
        const text = selectText.get(key) ?? ''
        const isFound = parts.some((part) => text.includes(part))
        told.set(key, isFound)
        return isFound
      }
      return { keys: keys.size > most ? null : [...keys], includes }
    },
    having: (part, most) => {
      const keys = isIndexed(part) ? selectLastByParts.all(quoted(part), most) : selectLastByScan.all(part, most)
      return keys.map((key) => ({ key, text: selectText.get(key) ?? '' }))
    },
    clear: () => {
      remembered.clear()
      settled = 0
      database.exec(
        "DELETE FROM search_people; INSERT INTO search_people_parts (search_people_parts) VALUES ('delete-all')",
      )
    },
  }
}
