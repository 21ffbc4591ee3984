import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'

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
