import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

const HEADER_BYTES = 100
const MAGIC = 'SQLite format 3\0'

const isPageSize = (size: number): boolean => size >= 512 && size <= 32_768 && (size & (size - 1)) === 0

/**
 * Checks the file header more strictly than SQLite, which trusts some fields and would take a damaged file for
 * read-only or for another format. Source: sqlite.org/fileformat2.html, "The Database Header".
 */
const isIntact = (header: Buffer, fileBytes: number, hasLog: boolean): boolean => {
  const pageSize = header.readUInt16BE(16)
  const pages = header.readUInt32BE(28)
  const arePagesCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
  return (
    header.subarray(0, 16).toString('latin1') === MAGIC &&
    isPageSize(pageSize) &&
    // Write and read version: rollback journal or WAL.
    [1, 2].includes(header[18] ?? 0) &&
    [1, 2].includes(header[19] ?? 0) &&
    header[20] === 0 &&
    header[21] === 64 &&
    header[22] === 32 &&
    header[23] === 32 &&
    header.readUInt32BE(44) <= 4 &&
    // No auto-vacuum, UTF-8.
    header.readUInt32BE(52) === 0 &&
    header.readUInt32BE(56) <= 1 &&
    header.readUInt32BE(64) === 0 &&
    // With a WAL file, the main file may be behind or growing right now.
    (hasLog || !arePagesCounted || fileBytes >= pages * pageSize)
  )
}

/** Classifies a file by its header. An empty file counts as missing. */
export const inspectHeader = (
  file: string,
): { readonly kind: 'none' | 'sound' | 'damaged'; readonly bytes: number } => {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return { kind: 'none', bytes: 0 }
    throw thrown
  }
  try {
    const { size: bytes } = fstatSync(descriptor)
    if (bytes === 0) return { kind: 'none', bytes }
    const header = Buffer.alloc(HEADER_BYTES)
    const read = readSync(descriptor, header, 0, HEADER_BYTES, 0)
    return {
      kind: read === HEADER_BYTES && isIntact(header, bytes, existsSync(`${file}-wal`)) ? 'sound' : 'damaged',
      bytes,
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Header to replace a broken one. Copied from an intact file of the same kind, with this file's page count. */
export const buildReplacementHeader = (sound: Buffer, fileBytes: number): Buffer => {
  const header = Buffer.from(sound.subarray(0, HEADER_BYTES))
  // Zero makes SQLite use the file size. Readers don't need the free list.
  for (const at of [28, 32, 36]) header.writeUInt32BE(0, at)
  header.writeUInt32BE(Math.floor(fileBytes / header.readUInt16BE(16)), 28)
  header.writeUInt32BE(header.readUInt32BE(24), 92)
  return header
}

/** Inode number, to detect that a file was replaced under the same name. Null if the file doesn't exist. */
export const readFileIdentity = (path: string): bigint | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null
