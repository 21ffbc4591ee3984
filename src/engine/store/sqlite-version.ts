import Database from 'better-sqlite3'

/** Version of the bundled SQLite, such as `3.51.0`, not of the one built into Node. */
export const readSqliteVersion = (): string => {
  const database = new Database(':memory:')
  try {
    return database.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? 'unknown'
  } finally {
    database.close()
  }
}
