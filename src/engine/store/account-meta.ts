import type Database from 'better-sqlite3'

export const createAccountMetaStore = (database: Database.Database) => {
  const select = database.prepare<[string], string>('SELECT value FROM account_meta WHERE name = ?').pluck()
  const replace = database.prepare<[string, string]>(
    'INSERT INTO account_meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    get: (name: string): string | undefined => select.get(name),
    /** The value as a number, such as a time; null if missing or not a number. */
    number: (name: string): number | null => {
      const value = Number(select.get(name) ?? Number.NaN)
      return Number.isFinite(value) ? value : null
    },
    set: (name: string, value: string | number): void => void replace.run(name, String(value)),
  }
}

export type AccountMetaStore = ReturnType<typeof createAccountMetaStore>
