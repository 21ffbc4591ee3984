import type Database from 'better-sqlite3'

interface Payload {
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
  readonly wire: string
}

/** Small responses about the account, each stored under a name. */
export const createPayloadStore = (database: Database.Database) => {
  const select = database.prepare<[string], Payload>(
    'SELECT fetched_at AS fetchedAt, wire FROM payloads WHERE name = ?',
  )
  const replace = database.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO payloads (name, fetched_at, wire) VALUES (?, ?, ?)',
  )
  const rename = database.prepare<[string, string]>('UPDATE OR REPLACE payloads SET name = ? WHERE name = ?')
  return {
    get: (name: string): Payload | undefined => select.get(name),
    /** @returns true if it has changed */
    replace: (name: string, wire: string, fetchedAt: number): boolean => {
      const before = select.get(name)
      replace.run(name, fetchedAt, wire)
      return before?.wire !== wire
    },
    rename: (was: string, name: string): void => void rename.run(name, was),
  }
}

export type PayloadStore = ReturnType<typeof createPayloadStore>
