/** File names in an account's folder, for code that reads it without opening the account. */
import type { AccountMetaStore } from '../store/account-meta.ts'
import { getErrorCode } from '../../shared/storage-problem.ts'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

export const CACHE_NAME = 'cache.sqlite'
/** The user's own data, a snapshot of it, and a copy to restore from a backup. */
export const OWN_NAME = 'own.sqlite'
export const OWN_SNAPSHOT_NAME = 'own-snapshot.sqlite'
/** Prefix of damaged files that were set aside. */
export const OWN_SET_ASIDE = 'own.set-aside-'
export const OWN_BACKUP_NAME = 'own-backup.sqlite'

/** Folder for drafts, which exist nowhere else. */
export const DRAFTS_DIRECTORY_NAME = 'drafts'
/** Draft attachments, named by digest. */
export const DRAFT_FILES_NAME = 'files'

/** Key of the cache's record of the newest write to the user's own data. */
const OWN_KEY = 'own'

export const saveOwnRevision = (accountMeta: Pick<AccountMetaStore, 'set'>, revision: number): void =>
  accountMeta.set(OWN_KEY, revision)

export const readOwnRevision = (accountMeta: Pick<AccountMetaStore, 'number'>): number =>
  accountMeta.number(OWN_KEY) ?? 0

/** Locked by the process that has the account open. The system releases the lock when that process ends. */
const LOCK_NAME = 'account.lock'
const LOCK_TIMEOUT_MS = 500

/** Locks the account for this process. @returns a function that unlocks it @throws SQLite's `SQLITE_BUSY` */
export const lockAccount = (directory: string): (() => void) => {
  const file = join(directory, LOCK_NAME)
  const lock = new Database(file, { timeout: LOCK_TIMEOUT_MS })
  try {
    // An open transaction holds the lock. Nothing is ever written, so that this works on a full disk.
    lock.pragma('journal_mode = MEMORY')
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (thrown) {
    lock.close()
    if (getErrorCode(thrown) !== 'SQLITE_NOTADB') throw thrown
    // Another program has written into the file, so no process holds it.
    rmSync(file)
    return lockAccount(directory)
  }
}

/** True if a process has the account open. */
export const isAccountLocked = (directory: string): boolean => {
  if (!existsSync(join(directory, LOCK_NAME))) return false
  try {
    lockAccount(directory)()
    return false
  } catch (thrown) {
    return /^SQLITE_(?:BUSY|LOCKED)/.test(getErrorCode(thrown))
  }
}
