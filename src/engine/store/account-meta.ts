import type Database from 'better-sqlite3'

export class AccountMetaStore {
  readonly #select: Database.Statement<[string], string>
  readonly #replace: Database.Statement<[string, string]>

  constructor(database: Database.Database) {
    this.#select = database.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck()
    this.#replace = database.prepare(
      'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    )
  }

  get(name: string): string | undefined {
    return this.#select.get(name)
  }

  /** The value as a number, such as a time; null if missing or not a number. */
  number(name: string): number | null {
    const value = Number(this.#select.get(name) ?? Number.NaN)
    return Number.isFinite(value) ? value : null
  }

  set(name: string, value: string | number): void {
    this.#replace.run(name, String(value))
  }
}
