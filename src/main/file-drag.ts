import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NativeImage, WebContents } from 'electron'
import type { HostFileDrag } from '../host/host-options.ts'
import type { RequestedFile } from '../shared/engine-api.ts'
import { describeThrown, logLine, type Log } from '../shared/log.ts'
import { ProblemError } from '../shared/result.ts'
import { toSafeFilename } from '../shared/safe-filename.ts'
import { toStorageProblem } from '../shared/storage-problem.ts'

/** Some programs read a dropped file only later, such as when a message with it is sent. */
const LIFETIME_MS = 60 * 60_000

interface FileDragParts {
  /** Holds only dragged files. Not the shared temporary folder, which other users can list. */
  readonly folder: string
  readonly icon: () => NativeImage
  /** The page of a window, or null if it is closed. */
  readonly contentsOf: (caller: string) => Pick<WebContents, 'startDrag'> | null
  readonly log: Log
}

const removeQuietly = (path: string): Promise<void> => rm(path, { force: true, recursive: true }).catch(() => undefined)

/** Drags files out of the windows. Only this class chooses their paths, and each is dragged from the window that asked. */
export class FileDrag implements HostFileDrag {
  readonly #parts: FileDragParts
  /** The latest drag of each window, until it starts or is cancelled. */
  readonly #pending = new Map<string, symbol>()

  constructor(parts: FileDragParts) {
    this.#parts = parts
  }

  async start(caller: string, read: () => Promise<RequestedFile>): Promise<boolean> {
    const drag = Symbol(caller)
    this.#pending.set(caller, drag)
    const { filename, content } = await read()
    const folder = join(this.#parts.folder, randomUUID())
    const file = join(folder, toSafeFilename(filename) || 'file')
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(file, content, { flag: 'wx', mode: 0o600 })
    } catch (cause) {
      await removeQuietly(folder)
      const problem = toStorageProblem(cause)
      throw problem === null ? cause : new ProblemError(problem, { cause })
    }
    const contents = this.#parts.contentsOf(caller)
    if (contents === null || this.#pending.get(caller) !== drag) {
      await removeQuietly(folder)
      return false
    }
    this.#pending.delete(caller)
    setTimeout(() => void removeQuietly(folder), LIFETIME_MS).unref()
    // Blocks until the drop on Windows and Linux, so respond first.
    setImmediate(() => {
      try {
        contents.startDrag({ file, icon: this.#parts.icon() })
      } catch (thrown) {
        this.#parts.log('error', logLine`file drag: ${describeThrown(thrown)}`)
      }
    })
    return true
  }

  cancel(caller: string): void {
    this.#pending.delete(caller)
  }

  /** Removes all dragged files, including those of a crashed run. */
  clear(): Promise<void> {
    return removeQuietly(this.#parts.folder)
  }
}
