import { statSync } from 'node:fs'

/** Inode number, to detect that a file was replaced under the same name. Null if the file doesn't exist. */
export const readFileIdentity = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
