import { link, open, readdir, rename, rm, rmdir, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** Bytes buffered before a write. */
const BUFFER_BYTES = 512 * 1024
/** Bytes between flushes: a single flush at the end would block other files. */
const FLUSH_INTERVAL_BYTES = 16 * 1024 * 1024
/** Highest number tried in `name (2).mbox` before giving up. */
const MAX_NAME_NUMBER = 10_000

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

export const partPathOf = (path: string, id: string): string => `${path}.${id.slice(0, 8)}.part`

/** Part files left by interrupted exports to a path. Some may still be in use. */
export const findPartFiles = async (path: string): Promise<readonly string[]> => {
  const name = basename(path)
  const isPart = (each: string): boolean =>
    each.startsWith(`${name}.`) && /^\.[\da-f]{8}\.part$/.test(each.slice(name.length))
  const names = await readdir(dirname(path)).catch(() => [])
  return names.filter(isPart).map((each) => join(dirname(path), each))
}

/** @throws `EEXIST` if it exists */
export const createPartFile = async (path: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  await file.close()
}

export class PartFile {
  readonly #file: FileHandle
  #written = 0
  #flushed = 0
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Truncates an earlier attempt. */
  static async open(path: string): Promise<PartFile> {
    return new PartFile(await open(path, 'w', 0o600))
  }

  /** Bytes added so far, whether written or still buffered. */
  length(): number {
    return this.#written + this.#gatheredBytes
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.byteLength
    if (this.#gatheredBytes >= BUFFER_BYTES) await this.#write()
    if (this.#written - this.#flushed >= FLUSH_INTERVAL_BYTES) await this.#flush()
  }

  /** Writes and flushes everything. */
  async settle(): Promise<void> {
    await this.#write()
    await this.#flush()
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#gathered, this.#gatheredBytes)
    this.#gathered = []
    this.#gatheredBytes = 0
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.byteLength - at, this.#written)
      at += bytesWritten
      this.#written += bytesWritten
    }
  }

  async #flush(): Promise<void> {
    await this.#file.datasync()
    this.#flushed = this.#written
  }
}

/** `mail.mbox`, `mail (2).mbox`, … */
const numbered = (path: string, count: number): string => {
  if (count === 1) return path
  const ending = extname(path)
  return join(dirname(path), `${basename(path, ending)} (${count})${ending}`)
}

/** @returns false if the name is taken */
const claimName = async (part: string, path: string): Promise<boolean> => {
  try {
    await link(part, path)
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false
    // For disks without hard links: a file created between this check and the rename is overwritten.
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

/** Flushes the directory. Systems that can't open one persist names anyway. */
const syncDirectory = async (folder: string): Promise<void> => {
  const opened = await open(folder, 'r').catch(() => null)
  if (opened === null) return
  await opened.sync().catch(() => undefined)
  await opened.close()
}

/** Renames the complete file, replacing another only if allowed. Returns its path. */
export const finishPartFile = async (part: string, path: string, mayReplace: boolean): Promise<string> => {
  if (mayReplace) {
    await rename(part, path)
    await syncDirectory(dirname(path))
    return path
  }
  for (let count = 1; count <= MAX_NAME_NUMBER; count += 1) {
    const name = numbered(path, count)
    if (!(await claimName(part, name))) continue
    await syncDirectory(dirname(path))
    return name
  }
  throw new Error('All numbered file names are taken.')
}

/** Removes Linnet's own file, and its folder if empty. */
export const removeTemporaryFile = async (path: string): Promise<void> => {
  await rm(path, { force: true })
  await rmdir(dirname(path)).catch(() => undefined)
}

export const removePartFile = (path: string): Promise<void> => rm(path, { force: true })
