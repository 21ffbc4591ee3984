/** File names in an account's folder, for code that reads it without opening the account. */
import type { OutboxPosition } from './outbox/outbox-file.ts'
import type { AccountMetaStore } from '../store/account-meta.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export const CACHE_NAME = 'cache.sqlite'
export const OUTBOX_NAME = 'outbox.sqlite'
export const OUTBOX_SECOND_NAME = 'outbox-second.sqlite'

/** Folder for drafts, which exist nowhere else. */
export const DRAFTS_DIRECTORY_NAME = 'drafts'
/** Draft attachments, named by digest. */
export const DRAFT_FILES_NAME = 'files'

/** Key of the cache's record of the outbox: number of writes and contents. */
const OUTBOX_KEY = 'outbox'

export const saveOutboxMark = (
  accountMeta: Pick<AccountMetaStore, 'set'>,
  { generation, pending, listed }: OutboxPosition,
): void => accountMeta.set(OUTBOX_KEY, `${generation} ${pending} ${listed}`)

export const readOutboxPosition = (accountMeta: Pick<AccountMetaStore, 'get'>): OutboxPosition => {
  const [generation = 0, pending = 0, listed = 0] = (accountMeta.get(OUTBOX_KEY) ?? '')
    .split(' ')
    .map((part) => Number(part) || 0)
  return { generation, pending, listed }
}

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
