import { closeSync, existsSync, fsyncSync, openSync, readdirSync } from 'node:fs'

/** The names in a folder; none where there is no such folder. */
export const namesIn = (directory: string): readonly string[] => (existsSync(directory) ? readdirSync(directory) : [])

/** Make renames and removals in a folder survive a loss of power. */
export const syncFolder = (directory: string): void => {
  // Windows opens no folders, and writes renames down by itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(directory, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
