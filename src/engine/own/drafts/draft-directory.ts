import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs'

export const listDirectory = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : []

/** Syncs renames and removals in a folder to disk. */
export const syncDirectory = (directory: string): void => {
  // Windows can't open folders, and syncs renames itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
