import type Database from 'better-sqlite3'

/** Single values that the engine remembers about an account, by name. */
export interface FactStore {
  readonly get: (name: string) => string | undefined
  /** The value as a number, such as a time; null where there is none, or none that can be read. */
  readonly number: (name: string) => number | null
  readonly set: (name: string, value: string | number) => void
}

export const createFactStore = (database: Database.Database): FactStore => {
  const select = database.prepare<[string], string>('SELECT value FROM facts WHERE name = ?').pluck()
  const replace = database.prepare<[string, string]>(
    'INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    get: (name) => select.get(name),
    number: (name) => {
      const value = Number(select.get(name) ?? Number.NaN)
      return Number.isFinite(value) ? value : null
    },
    set: (name, value) => {
      replace.run(name, String(value))
    },
  }
}
