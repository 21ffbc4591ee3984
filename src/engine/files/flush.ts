import { closeSync, fsyncSync, openSync } from 'node:fs'
import { getErrorCode } from '../../shared/storage-problem.ts'

/** Flushes a file or folder before anything refers to it. */
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
