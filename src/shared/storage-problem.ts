import type { Problem } from './result.ts'

/** Error code from the system or SQLite, or an empty string. */
export const getErrorCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

const DISK_ERRORS = {
  full: /^(?:SQLITE_FULL|ENOSPC|EDQUOT)/,
  forbidden: /^(?:SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|EROFS)/,
  missing: /^(?:ENOENT|ENOTDIR|ENODEV|ENXIO)/,
  broken: /^(?:EIO|EFBIG|EMFILE)/,
} as const
type DiskError = keyof typeof DISK_ERRORS

/** Kind of a failed write to a folder of the user's, who can do something about it; null for other errors. */
export const classifyDiskError = (thrown: unknown): DiskError | null => {
  const code = getErrorCode(thrown)
  return (Object.keys(DISK_ERRORS) as readonly DiskError[]).find((kind) => DISK_ERRORS[kind].test(code)) ?? null
}

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
