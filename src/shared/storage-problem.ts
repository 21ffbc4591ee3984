import type { Problem } from './result.ts'

/** Error code from the system or SQLite, or an empty string. */
export const getErrorCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

const messageOf = (code: string): string | null => {
  if (/^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)/.test(code)) {
    return 'Your disk is full. Nothing is lost. Free up some space and Linnet will continue.'
  }
  if (/^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS)/.test(code)) {
    return 'Linnet cannot write to its data folder. Check the folder’s permissions.'
  }
  if (/^(?:EEXIST|ENOTDIR|EISDIR)/.test(code)) {
    return 'Linnet’s data folder cannot be created: another file or folder is in the way. Move or rename it, then try again.'
  }
  if (/^(?:SQLITE_BUSY|SQLITE_LOCKED)/.test(code)) {
    return 'Linnet is already open with this account. Close the other window first.'
  }
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) {
    return 'Linnet’s copy of your mail keeps getting damaged. Your disk may be failing. Check it, then restart Linnet.'
  }
  if (/^(?:SQLITE_|ENO|EIO|EMFILE)/.test(code)) {
    return 'Linnet could not read from or write to your disk. Check the disk, then restart Linnet.'
  }
  return null
}

/** User-facing problem for a file system or database error; null for other errors. */
export const toStorageProblem = (thrown: unknown): Problem | null => {
  const code = getErrorCode(thrown)
  const message = messageOf(code)
  return message === null ? null : { code: 'storage_failed', message, details: { cause: code } }
}
