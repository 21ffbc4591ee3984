import { statSync } from 'node:fs'

/** Inode number, to detect a file that was replaced under the same name. Null if there is none. */
export const fileIdentity = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
