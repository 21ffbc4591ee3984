import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { OUTBOX_NAME } from './account-files.ts'

/** True if a process has the account open. It locks the outbox until it exits or crashes. */
export const isAccountLocked = (directory: string): boolean => {
  const file = join(directory, OUTBOX_NAME)
  if (!existsSync(file)) return false
  const database = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    database.pragma('query_only = ON')
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (thrown) {
    // Any other error means a damaged outbox, which no process has open.
    return thrown instanceof Error && 'code' in thrown && /^SQLITE_(?:BUSY|LOCKED)/.test(String(thrown.code))
  } finally {
    database.close()
  }
}
