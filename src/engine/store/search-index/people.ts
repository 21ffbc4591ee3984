import type Database from 'better-sqlite3'
import { tokenizeWords } from '../../../shared/search/word-tokenizer.ts'
import { matchesSearchPart, matchesTypedText, toPersonSearchText, parsePerson } from './searchable-email.ts'

/** Maximum cached names, about as many people as write to a large mailbox. */
const MAX_CACHED_NAMES = 20_000
/** Maximum characters of a cached name. */
const MAX_CACHED_NAME_LENGTH = 200
/**
 * Limits for matching accented names while ignoring accents: only the most recent people are read, and of those only
 * some with non-ASCII letters are compared.
 */
const ACCENTED = { within: 10_000, most: 2_000 } as const
/** Shortest part that the index can find: it stores trigrams. */
const INDEXED_PART = 3

// FTS5 ends a query at a NUL character.
const isIndexed = (part: string): boolean => Array.from(part).length >= INDEXED_PART && !part.includes('\0')
const quoted = (part: string): string => `"${part.replaceAll('"', '""')}"`

const prepare = (database: Database.Database) => ({
  key: database.prepare<[string], number>('SELECT key FROM search_people WHERE text = ?').pluck(),
  text: database.prepare<[number], string>('SELECT text FROM search_people WHERE key = ?').pluck(),
  last: database.prepare<[], number | null>('SELECT max(key) FROM search_people').pluck(),
  insert: database.prepare<[string]>('INSERT INTO search_people (text) VALUES (?)'),
  insertParts: database.prepare<[bigint, string]>('INSERT INTO search_people_parts (rowid, text) VALUES (?, ?)'),
  byParts: database
    .prepare<[string, number], number>(
      'SELECT rowid FROM search_people_parts WHERE search_people_parts MATCH ? LIMIT ?',
    )
    .pluck(),
  byScan: database
    .prepare<[string, number], number>('SELECT key FROM search_people WHERE instr(text, ?) > 0 LIMIT ?')
    .pluck(),
  lastByParts: database
    .prepare<[string, number], number>(
      'SELECT rowid FROM search_people_parts WHERE search_people_parts MATCH ? ORDER BY rowid DESC LIMIT ?',
    )
    .pluck(),
  lastByScan: database
    .prepare<[string, number], number>(
      'SELECT key FROM search_people WHERE instr(text, ?) > 0 ORDER BY key DESC LIMIT ?',
    )
    .pluck(),
  lastAccented: database.prepare<[number, number], { readonly key: number; readonly text: string }>(
    `SELECT key, text FROM (SELECT key, text FROM search_people ORDER BY key DESC LIMIT ?)
     WHERE octet_length(text) > length(text) LIMIT ?`,
  ),
})

interface NamedPerson {
  readonly key: number
  /** Words of the name, followed by those of the address. */
  readonly words: readonly (readonly string[])[]
}

/** All people in cached e-mails, without duplicates. */
export class People {
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #cached = new Map<string, NamedPerson>()
  /** People with keys up to this one are committed, so they may be cached. */
  #committedKey = 0

  constructor(database: Database.Database) {
    this.#database = database
    this.#statements = prepare(database)
  }

  /** Finds or adds a person, given as in an e-mail (`Ann <a@example.com>`). */
  named(said: string): NamedPerson {
    const met = this.#cached.get(said)
    if (met !== undefined) return met
    const person = parsePerson(said)
    const found = {
      key: this.#keyOf(toPersonSearchText(person)),
      words: [tokenizeWords(person.name), tokenizeWords(person.address)],
    }
    if (found.key <= this.#committedKey && said.length <= MAX_CACHED_NAME_LENGTH) {
      if (this.#cached.size >= MAX_CACHED_NAMES) this.#cached.clear()
      this.#cached.set(said, found)
    }
    return found
  }

  /** Call between transactions: rows that exist now can't be rolled back any more, so they may be cached. */
  settle(): void {
    this.#committedKey = this.#statements.last.get() ?? 0
  }

  /**
   * Finds people that contain any of the given parts. @param parts made by `toPersonSearchPart` @param most if more people
   * match, `keys` is null
   */
  find(
    parts: readonly string[],
    most: number,
  ): { readonly keys: readonly number[] | null; readonly includes: (key: number) => boolean } {
    const keys = new Set<number>()
    const textOf = (key: number): string => this.#statements.text.get(key) ?? ''
    let areMore = false
    for (const part of parts) {
      const found = this.#findOne(part, most + 1)
      for (const key of found) if (!part.startsWith('\n') || matchesSearchPart(textOf(key), part)) keys.add(key)
      areMore = found.length > most || keys.size > most
      if (areMore) break
    }
    const told = new Map<number, boolean>()
    const includes = (key: number): boolean => {
      const known = told.get(key)
      if (known !== undefined) return known
      const text = textOf(key)
      const isFound = parts.some((part) => matchesSearchPart(text, part))
      told.set(key, isFound)
      return isFound
    }
    return { keys: areMore ? null : [...keys], includes }
  }

  /** People that contain this part, most recent first. @param part in lower case */
  containing(part: string, most: number): readonly { readonly key: number; readonly text: string }[] {
    const { lastByParts, lastByScan, text } = this.#statements
    const keys = isIndexed(part) ? lastByParts.all(quoted(part), most) : lastByScan.all(part, most)
    return keys.map((key) => ({ key, text: text.get(key) ?? '' }))
  }

  /** Recent people who match the typed text when accents are ignored. @param typed in lower case */
  accented(typed: string): readonly { readonly key: number; readonly text: string }[] {
    const { within, most } = ACCENTED
    return this.#statements.lastAccented.all(within, most).filter(({ text }) => matchesTypedText(text, typed))
  }

  clear(): void {
    this.#cached.clear()
    this.#committedKey = 0
    this.#database.exec(
      "DELETE FROM search_people; INSERT INTO search_people_parts (search_people_parts) VALUES ('delete-all')",
    )
  }

  #keyOf(text: string): number {
    const known = this.#statements.key.get(text)
    if (known !== undefined) return known
    const { lastInsertRowid } = this.#statements.insert.run(text)
    this.#statements.insertParts.run(BigInt(lastInsertRowid), text)
    return Number(lastInsertRowid)
  }

  #findOne(part: string, limit: number): readonly number[] {
    return isIndexed(part)
      ? this.#statements.byParts.all(quoted(part), limit)
      : this.#statements.byScan.all(part, limit)
  }
}
