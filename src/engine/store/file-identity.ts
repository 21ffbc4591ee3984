import { statSync } from 'node:fs'

/** Tells a file from another one that takes its place under its name; null where there is none. */
export const fileIdentity = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
