import { link, open, readdir, rename, rm, rmdir, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

/** Bytes gathered before they are written. */
const BUFFERED = 512 * 1024
/** Bytes written between two flushes to the disk: one flush of everything at the end would hold up every other file. */
const FLUSHED = 16 * 1024 * 1024
/** More files of one name than a folder ever has. */
const MOST_OF_A_NAME = 10_000

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

/** A name beside the file that nothing else has. */
export const partOf = (path: string, id: string): string => `${path}.${id.slice(0, 8)}.part`

/** Files beside a path that exports to it left when they were cut short; one may still be written. */
export const findParts = async (path: string): Promise<readonly string[]> => {
  const name = basename(path)
  const isPart = (each: string): boolean =>
    each.startsWith(`${name}.`) && /^\.[\da-f]{8}\.part$/.test(each.slice(name.length))
  const names = await readdir(dirname(path)).catch(() => [])
  return names.filter(isPart).map((each) => join(dirname(path), each))
}

/** Makes the file, empty. @throws `EEXIST` if there is one */
export const createPartFile = async (path: string): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  await file.close()
}

/** The file of an export until it is complete. */
export class PartFile {
  readonly #file: FileHandle
  #written = 0
  #flushed = 0
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** Begins it anew: what an earlier attempt wrote goes. */
  static async open(path: string): Promise<PartFile> {
    return new PartFile(await open(path, 'w', 0o600))
  }

  /** Bytes given to it, written or not. */
  length(): number {
    return this.#written + this.#gatheredBytes
  }

  async add(bytes: Uint8Array): Promise<void> {
    this.#gathered.push(bytes)
    this.#gatheredBytes += bytes.byteLength
    if (this.#gatheredBytes >= BUFFERED) await this.#write()
    if (this.#written - this.#flushed >= FLUSHED) await this.#flush()
  }

  /** Resolves when everything given is on the disk. */
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

/** Gives the file a name that no other has. @returns false if it is taken */
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

/** Flushes a folder's names to the disk. Some systems do not open folders, and keep the names all the same. */
const keepNames = async (folder: string): Promise<void> => {
  const opened = await open(folder, 'r').catch(() => null)
  if (opened === null) return
  await opened.sync().catch(() => undefined)
  await opened.close()
}

/** Names the complete file: in place of another only if that was agreed to, else beside it. Returns its path. */
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

/** Removes Linnet's own file, with its folder if that holds nothing else. */
export const removeLentFile = async (path: string): Promise<void> => {
  await rm(path, { force: true })
  await rmdir(dirname(path)).catch(() => undefined)
}

export const removePartFile = (path: string): Promise<void> => rm(path, { force: true })
