import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withStorageErrors } from '../../store/storage-problem.ts'
import { flush, writeDurably } from '../../store/durable-file.ts'

export const listDirectory = (directory: string): readonly string[] =>
  existsSync(directory) ? readdirSync(directory) : []

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const isDigest = (name: string): boolean => /^[\da-f]{64}$/.test(name)

/** Attachments of drafts on disk, one file each, named by the digest of its bytes. */
export class DraftAttachmentStore {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Writes bytes to disk. @returns their digest @throws ProblemError `storage_failed` */
  keep(bytes: Uint8Array): string {
    return withStorageErrors(() => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      const digest = digestOf(bytes)
      const part = join(this.#directory, `${randomUUID()}.part`)
      try {
        writeDurably(part, bytes, 'wx')
        renameSync(part, this.path(digest))
        flush(this.#directory)
      } finally {
        rmSync(part, { force: true })
      }
      return digest
    })
  }

  /** Reads the bytes of a digest; null if missing or damaged. @throws ProblemError `storage_failed` */
  read(digest: string): Uint8Array | null {
    if (!isDigest(digest) || !existsSync(this.path(digest))) return null
    const bytes = withStorageErrors(() => readFileSync(this.path(digest)))
    return digestOf(bytes) === digest ? bytes : null
  }

  path(digest: string): string {
    return join(this.#directory, digest)
  }

  keepOnly(digests: ReadonlySet<string | null>): void {
    for (const name of listDirectory(this.#directory)) {
      if (!digests.has(name)) rmSync(join(this.#directory, name), { force: true })
    }
  }
}
