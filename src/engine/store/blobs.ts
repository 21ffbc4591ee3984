import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toStorageError } from './storage-problem.ts'
import type { BlobRow, BlobRowStore } from './blob-rows.ts'
import type { PublicMembers } from './watch-database.ts'
import { systemClock } from '../timing/clock.ts'

export const BLOBS_DIRECTORY_NAME = 'blobs'

/** LRU disk quotas, in bytes. */
const QUOTAS = { pictures: 128 * 1024 * 1024 } as const
export type QuotaName = keyof typeof QUOTAS

/** Bytes processed per turn of the event loop. */
const BYTES_PER_TURN = 1024 * 1024
/** Minimum difference before a new time of use is stored. */
const TOUCH_MS = 60_000

export interface BlobMetadata {
  /** SHA-256, hexadecimal. */
  readonly digest: string
  readonly bytes: number
  readonly contentType: string | null
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

export interface BlobContent extends Omit<BlobMetadata, 'bytes'> {
  readonly bytes: Uint8Array
}

const toKnownContent = ({ digest, bytes, contentType, fetchedAt }: BlobRow): BlobMetadata => ({
  digest,
  bytes,
  contentType,
  fetchedAt,
})

/** SHA-256, hexadecimal; yields to other work. */
export const computeDigest = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += BYTES_PER_TURN) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + BYTES_PER_TURN))
  }
  return hash.digest('hex')
}

const isDigest = (name: string): boolean => /^[\da-f]{64}$/.test(name)

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')

/** Path within an account's folder. */
export const blobPath = (digest: string): string => join(BLOBS_DIRECTORY_NAME, digest.slice(0, 2), digest)

/** Reads a blob's file while another process may be writing; null if missing or damaged. */
export const readBlobFile = async (accountDirectory: string, digest: string): Promise<Uint8Array | null> => {
  if (!isDigest(digest)) return null
  const bytes = await readFile(join(accountDirectory, blobPath(digest))).catch((thrown: unknown) => {
    if (isMissing(thrown)) return null
    throw toStorageError(thrown)
  })
  return bytes !== null && (await computeDigest(bytes)) === digest ? bytes : null
}

/** Empty if the folder doesn't exist. */
const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((thrown: unknown) => {
    if (isMissing(thrown)) return []
    throw toStorageError(thrown)
  })

/** Reads part of a file, yielding to other work. @returns fewer bytes at the end */
const readRange = async (path: string, from: number, length: number): Promise<Uint8Array> => {
  const file = await open(path)
  try {
    const into = new Uint8Array(length)
    let done = 0
    while (done < length) {
      const { bytesRead } = await file.read(into, done, Math.min(BYTES_PER_TURN, length - done), from + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return into.subarray(0, done)
  } finally {
    await file.close()
  }
}

/** A file's length and a stamp of its last write. */
interface FileStamp {
  readonly bytes: number
  readonly sign: string
}

/**
 * Fetched attachments, originals and images, in files named by digest. Identical bytes are stored once; damaged ones
 * count as missing. All can be fetched again, except mail that the platform has dropped. Files and table change in one
 * turn of the event loop, so no caller sees a half-done change.
 */
export class StoredBlobs {
  readonly #directory: string
  readonly #rows: BlobRowStore
  readonly #signal: AbortSignal
  readonly #quotas: Readonly<Record<QuotaName, number>>
  readonly #now: () => number
  readonly #unfinished = new Set<string>()
  /** Verified files, with the stamp of their last write. */
  readonly #checked = new Map<string, string>()

  /** @param signal aborted when the account closes; pending calls throw its reason */
  constructor(
    accountDirectory: string,
    rows: BlobRowStore,
    signal: AbortSignal,
    {
      quotas = QUOTAS,
      now = systemClock.now,
    }: { readonly quotas?: Readonly<Record<QuotaName, number>>; readonly now?: () => number } = {},
  ) {
    this.#directory = join(accountDirectory, BLOBS_DIRECTORY_NAME)
    this.#rows = rows
    this.#signal = signal
    this.#quotas = quotas
    this.#now = now
  }

  /**
   * Stores bytes, replacing earlier ones. The file is complete before the key refers to it.
   * @param share LRU quota; without one, the bytes are never evicted
   * @throws ProblemError `storage_failed` for disk errors; the key is then unchanged
   */
  async put(
    key: string,
    bytes: Uint8Array,
    { contentType, share }: { readonly contentType: string | null; readonly share?: QuotaName },
  ): Promise<BlobMetadata> {
    this.#signal.throwIfAborted()
    const digest = await computeDigest(bytes)
    await this.#write(digest, bytes)
    if (share !== undefined) this.#makeRoom(share, key, bytes.byteLength)
    const at = this.#now()
    const row = { key, digest, bytes: bytes.byteLength, contentType, share: share ?? null, fetchedAt: at, usedAt: at }
    try {
      const before = this.#rows.set(row)
      if (before !== undefined && before !== digest) this.#removeUnreferenced(before)
    } catch (thrown) {
      this.#removeUnreferenced(digest)
      throw toStorageError(thrown)
    }
    return toKnownContent(row)
  }

  /** Null if missing or damaged, which drops the key. */
  async get(key: string): Promise<BlobContent | null> {
    const row = this.#existingRow(key)
    const bytes = row === null ? null : await this.#readVerified(row)
    if (row === null || bytes === null) return null
    this.#use(row)
    return { ...toKnownContent(row), bytes }
  }

  /** Truncated at the end. Verifies files changed since the last check. Null in the same cases as `get`. */
  async piece(key: string, from: number, length: number): Promise<Uint8Array | null> {
    const row = this.#existingRow(key)
    if (row === null) return null
    const isChecked = this.#checked.get(row.digest) === this.#statFile(row.digest)?.sign
    if (!isChecked && (await this.#readVerified(row)) === null) return null
    this.#use(row)
    const piece = await this.#readFrom(row.digest, from, Math.max(0, Math.min(length, row.bytes - from)))
    this.#signal.throwIfAborted()
    return piece
  }

  /** Metadata if the file exists with the right length; content is verified on read. */
  metadata(key: string): BlobMetadata | null {
    const row = this.#existingRow(key)
    return row === null ? null : toKnownContent(row)
  }

  has(key: string): boolean {
    return this.#existingRow(key) !== null
  }

  /** Does nothing if the key doesn't exist. */
  remove(key: string): void {
    const row = this.#rows.get(key)
    if (row === undefined) return
    this.#rows.remove(key)
    this.#removeUnreferenced(row.digest)
  }

  /**
   * Drops keys within a cache transaction. @returns a function that deletes the files; call it after the commit. After
   * a crash, `collectGarbage` deletes them.
   */
  release(keys: readonly string[]): () => void {
    const digests = new Set(keys.flatMap((key) => this.#rows.get(key)?.digest ?? []))
    for (const key of keys) this.#rows.remove(key)
    return () => {
      for (const digest of digests) if (isDigest(digest)) this.#removeUnreferenced(digest)
    }
  }

  /** Restores an older cache's entry if its file exists and the key is free. */
  restore(row: BlobRow): void {
    const isMeant = row.key !== '' && isDigest(row.digest) && this.#rows.get(row.key) === undefined
    if (isMeant && this.#statFile(row.digest)?.bytes === row.bytes) this.#rows.set(row)
  }

  /**
   * Deletes unreferenced files and crash leftovers.
   * @param since keeps files older than this (milliseconds since the epoch): a lost cache may have known the only
   * copies of some mail
   */
  async collectGarbage(since = 0): Promise<void> {
    for (const name of await namesIn(this.#directory)) {
      const path = join(this.#directory, name)
      if (this.#isClosed()) return
      if (name.endsWith('.part')) {
        if (!this.#unfinished.has(path)) rmSync(path, { force: true })
        continue
      }
      for (const digest of await namesIn(path)) {
        if (this.#isClosed()) return
        if (!isDigest(digest) || !digest.startsWith(name) || this.#rows.isNamed(digest)) continue
        const writtenAt = since === 0 ? 0 : statSync(join(path, digest), { throwIfNoEntry: false })?.mtimeMs
        if (writtenAt !== undefined && writtenAt >= since) this.#removeUnreferenced(digest)
      }
    }
  }

  #isClosed(): boolean {
    return this.#signal.aborted
  }

  #directoryOf(digest: string): string {
    return join(this.#directory, digest.slice(0, 2))
  }

  #fileOf(digest: string): string {
    return join(this.#directoryOf(digest), digest)
  }

  #statFile(digest: string): FileStamp | null {
    try {
      const { size, mtimeMs, ino } = statSync(this.#fileOf(digest))
      return { bytes: size, sign: `${size} ${mtimeMs} ${ino}` }
    } catch (thrown) {
      if (isMissing(thrown)) return null
      throw toStorageError(thrown)
    }
  }

  #removeUnreferenced(digest: string): void {
    if (this.#rows.isNamed(digest)) return
    this.#checked.delete(digest)
    rmSync(this.#fileOf(digest), { force: true })
  }

  #dropDamaged(digest: string): void {
    this.#rows.removeDigest(digest)
    this.#removeUnreferenced(digest)
  }

  #existingRow(key: string): BlobRow | null {
    const row = this.#rows.get(key)
    if (row === undefined) return null
    if (!isDigest(row.digest)) {
      this.#rows.remove(key)
      return null
    }
    if (this.#statFile(row.digest)?.bytes === row.bytes) return row
    this.#dropDamaged(row.digest)
    return null
  }

  #use(row: BlobRow): void {
    if (this.#now() - row.usedAt > TOUCH_MS) this.#rows.touch(row.key, this.#now())
  }

  /** @returns fewer bytes at the end; null if there is no file */
  async #readFrom(digest: string, from: number, length: number): Promise<Uint8Array | null> {
    try {
      return await readRange(this.#fileOf(digest), from, length)
    } catch (thrown) {
      if (isMissing(thrown)) return null
      throw toStorageError(thrown)
    }
  }

  /** Returns null and drops the entry if the file is missing or damaged. */
  async #readVerified(row: BlobRow): Promise<Uint8Array | null> {
    const before = this.#statFile(row.digest)?.sign
    const bytes = await this.#readFrom(row.digest, 0, row.bytes)
    const digest = bytes === null ? null : await computeDigest(bytes)
    this.#signal.throwIfAborted()
    const after = this.#statFile(row.digest)?.sign
    if (bytes !== null && digest === row.digest) {
      if (before !== undefined && before === after) this.#checked.set(row.digest, before)
      return bytes
    }
    // If the file was rewritten in the meantime, the bytes read prove nothing.
    if (after === undefined || before === after) this.#dropDamaged(row.digest)
    return null
  }

  /** Writes a complete file without fsync: after a power loss the digest differs, so it counts as missing. */
  async #write(digest: string, bytes: Uint8Array): Promise<void> {
    const part = join(this.#directory, `${randomUUID()}.part`)
    this.#unfinished.add(part)
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 })
      await writeFile(part, bytes, { mode: 0o600, flag: 'wx', signal: this.#signal })
      this.#signal.throwIfAborted()
      mkdirSync(this.#directoryOf(digest), { recursive: true, mode: 0o700 })
      renameSync(part, this.#fileOf(digest))
    } catch (thrown) {
      await rm(part, { force: true })
      this.#signal.throwIfAborted()
      throw toStorageError(thrown)
    } finally {
      this.#unfinished.delete(part)
    }
  }

  #makeRoom(share: QuotaName, key: string, bytes: number): void {
    const rows = this.#rows
    const mine = rows.get(key)
    const others = (): number => rows.total(share) - (mine?.share === share && rows.get(key) ? mine.bytes : 0)
    while (others() > 0 && others() + bytes > this.#quotas[share]) {
      const least = rows.leastUsed(share)
      if (least === undefined) return
      this.remove(least.key)
    }
  }
}

export type Blobs = PublicMembers<StoredBlobs>
