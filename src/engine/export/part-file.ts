import { link, open, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** Bytes that are gathered before they are written. */
const BUFFERED = 512 * 1024
/** More files of one name than a folder ever has. */
const MOST_OF_A_NAME = 10_000

/** The file that is written until the export is whole. */
export interface PartFile {
  /** Bytes that were given to it, written or not. */
  readonly length: () => number
  readonly add: (bytes: Uint8Array) => Promise<void>
  /** Everything that was given is on the disk when this resolves. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

/** Makes the file. @throws `EEXIST` where one is there */
export const createPartFile = async (path: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  await file.close()
}

/**
 * Opens the file to go on behind what is known to be whole of it, and takes off what is behind that.
 * @returns null where it has less than that: it is not there any more, or is another one
 */
export const openPartFile = async (path: string, whole: number): Promise<PartFile | null> => {
  const file = await open(path, 'r+').catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return null
    throw thrown
  })
  if (file === null) return null
  try {
    const { size } = await file.stat()
    if (size < whole) {
      await file.close()
      return null
    }
    await file.truncate(whole)
  } catch (thrown) {
    await file.close()
    throw thrown
  }
  let written = whole
  let gathered: Uint8Array[] = []
  let length = 0
  const flush = async (): Promise<void> => {
    const pieces = gathered
    gathered = []
    let at = 0
    const bytes = Buffer.concat(pieces, length)
    length = 0
    while (at < bytes.byteLength) {
      const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, written)
      at += bytesWritten
      written += bytesWritten
    }
  }
  return {
    length: () => written + length,
    add: async (bytes) => {
      gathered.push(bytes)
      length += bytes.byteLength
      if (length >= BUFFERED) await flush()
    },
    settle: async () => {
      await flush()
      await file.datasync()
    },
    close: () => file.close(),
  }
}

/** `mail.mbox`, `mail (2).mbox`, … */
const numbered = (path: string, count: number): string => {
  if (count === 1) return path
  const ending = extname(path)
  return join(dirname(path), `${basename(path, ending)} (${count})${ending}`)
}

/** Gives the file a name that no other has. @returns whether it did */
const takeName = async (part: string, path: string): Promise<boolean> => {
  try {
    await link(part, path)
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false
    // Some disks know no second name: there a file that comes in between is lost, as with every other program.
    const isTaken = await open(path, 'wx').then(
      (file) => file.close().then(() => false),
      (failure: unknown) => {
        if (codeOf(failure) === 'EEXIST') return true
        throw failure
      },
    )
    if (isTaken) return false
    await rename(part, path)
    return true
  }
  await unlink(part)
  return true
}

/** Has the disk keep a folder's names. Some systems do not let a folder be opened: there it is kept all the same. */
const keepNames = async (folder: string): Promise<void> => {
  const opened = await open(folder, 'r').catch(() => null)
  if (opened === null) return
  await opened.sync().catch(() => undefined)
  await opened.close()
}

/**
 * Gives the whole file its name: in the place of one that is there where that was agreed to, else beside it.
 * @returns the path that it has
 */
export const finishPartFile = async (part: string, path: string, mayReplace: boolean): Promise<string> => {
  if (mayReplace) {
    await rename(part, path)
    await keepNames(dirname(path))
    return path
  }
  for (let count = 1; count <= MOST_OF_A_NAME; count += 1) {
    const name = numbered(path, count)
    if (!(await takeName(part, name))) continue
    await keepNames(dirname(path))
    return name
  }
  throw new Error('Every name is taken.')
}

/** The path that the whole file has where it was given its name before; null where it has none. @param bytes its length */
export const findFinished = async (path: string, bytes: number): Promise<string | null> => {
  for (let count = 1; count <= MOST_OF_A_NAME; count += 1) {
    const there = await stat(numbered(path, count)).catch(() => null)
    if (there === null) return null
    if (there.size === bytes) return numbered(path, count)
  }
  return null
}

/** Removes a file that was only lent to a person, with its folder where that holds nothing else. */
export const removeLentFile = async (path: string): Promise<void> => {
  await rm(path, { force: true })
  await rmdir(dirname(path)).catch(() => undefined)
}

export const removePartFile = (path: string): Promise<void> => rm(path, { force: true })
