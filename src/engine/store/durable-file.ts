import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { getErrorCode } from '../../shared/storage-problem.ts'

/** Readable only by the user, and synced to disk. @throws disk errors, possibly after a partial write */
export const writeDurably = (file: string, content: string | Uint8Array, flag: 'w' | 'wx'): void => {
  const descriptor = openSync(file, flag, 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Flushes a file, or the names in a folder, to disk before anything refers to them. */
export const flush = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } catch (thrown) {
    // Some systems can't flush folders, or files opened for reading.
    if (!['EINVAL', 'EPERM', 'EISDIR', 'EBADF'].includes(getErrorCode(thrown))) throw thrown
  } finally {
    closeSync(descriptor)
  }
}
