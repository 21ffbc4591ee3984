import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'

/**
 * Writes a file for its owner alone; it is on the disk when this returns.
 * @param flag `wx` fails where there is such a file, `w` writes over it
 * @throws what the disk throws: a part may have been written
 */
export const writeFlushed = (file: string, content: string | Uint8Array, flag: 'w' | 'wx'): void => {
  const descriptor = openSync(file, flag, 0o600)
  try {
    writeFileSync(descriptor, content)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
