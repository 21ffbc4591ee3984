import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inStorageWords } from '../store/storage-problem.ts'
import type { ContentRow, ContentRowStore } from '../store/content-rows.ts'
import { systemClock } from '../timing/clock.ts'

/** The folder of the contents in an account's folder. */
export const CONTENTS_NAME = 'contents'

/** Shares of the disk from which the least recently used goes where they are full: the most bytes of each. */
const SHARES = { pictures: 128 * 1024 * 1024 } as const
export type ContentShare = keyof typeof SHARES

/** Bytes that are hashed, written or read in one turn of the event loop. */
const AT_ONCE = 1024 * 1024
/** A time of use is written down when it is this much later than the one before. */
const TOUCH_MS = 60_000

/** What is known of bytes that are here. */
export interface KnownContent {
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string
  readonly bytes: number
  readonly contentType: string | null
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** Bytes with what is known of them. */
export interface Content extends Omit<KnownContent, 'bytes'> {
  readonly bytes: Uint8Array
}

/**
 * Bytes that were fetched for an account: attachments, originals, pictures. Each lies in a file that is named by the
 * digest of what it holds, so that the same bytes are kept once, and so that what was damaged is never given out: it
 * counts as not here, and is fetched again. It is a cache: nothing in it is nowhere else but for mail that the platform
 * has dropped.
 */
export interface Contents {
  /**
   * Keeps bytes under a key, in the place of those that it had. They are whole in their file before the key leads to
   * them.
   * @param key such as `original received:<id>`
   * @param share where these bytes may go again when others of the share are used; without one they stay
   * @throws ProblemError `storage_failed` where the disk is full or cannot be written: the key is then as it was
   */
  readonly put: (
    key: string,
    bytes: Uint8Array,
    about: { readonly contentType: string | null; readonly share?: ContentShare },
  ) => Promise<KnownContent>
  /** The bytes, where they are here and as they were put; else null, and the key is forgotten. */
  readonly get: (key: string) => Promise<Content | null>
  /**
   * A piece of the bytes: shorter than asked for at their end, empty behind it. They are checked as a whole where they
   * were not since their file was last written. Null as of `get`.
   */
  readonly piece: (key: string, from: number, length: number) => Promise<Uint8Array | null>
  /** What is known of a key whose file is there and has its length: what is in it is checked when it is read. */
  readonly look: (key: string) => KnownContent | null
  readonly has: (key: string) => boolean
  /** Removing what is not there is no error. */
  readonly remove: (key: string) => void
  /**
   * Within a write of the cache: forgets keys.
   * @returns what removes their files, for when that is written; an end before leaves them to `tidy`
   */
  readonly release: (keys: readonly string[]) => () => void
  /** Keeps what an older cache knew of a file that is still there; what the key has by now stays. */
  readonly restore: (row: ContentRow) => void
  /**
   * Removes files that no key leads to, and what was left unfinished by a process that was ended.
   * @param since files of before stay, milliseconds since the epoch: a cache that was lost knew them, and they may be the only
   *   copies of mail that the platform has dropped
   */
  readonly tidy: (since?: number) => Promise<void>
}

const known = ({ digest, bytes, contentType, fetchedAt }: ContentRow): KnownContent => ({
  digest,
  bytes,
  contentType,
  fetchedAt,
})

/** SHA-256 of bytes, in hexadecimal digits; gives way to others meanwhile. */
export const digestOf = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += AT_ONCE) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + AT_ONCE))
  }
  return hash.digest('hex')
}

const isDigest = (name: string): boolean => /^[\da-f]{64}$/.test(name)

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOENT' || thrown.code === 'ENOTDIR')

/** Where the bytes of a digest are within an account's folder. */
export const contentPath = (digest: string): string => join(CONTENTS_NAME, digest.slice(0, 2), digest)

/** The bytes of a digest, read beside whoever writes; null where they are not there, or not as they were put. */
export const readContentFile = async (accountDirectory: string, digest: string): Promise<Uint8Array | null> => {
  if (!isDigest(digest)) return null
  const bytes = await readFile(join(accountDirectory, contentPath(digest))).catch((thrown: unknown) => {
    if (isMissing(thrown)) return null
    throw inStorageWords(thrown)
  })
  return bytes !== null && (await digestOf(bytes)) === digest ? bytes : null
}

/**
 * Opens the contents in an account's folder. What is on the disk and what the table says change in one turn of the
 * event loop, so that no two calls see each other half done.
 * @param accountDirectory the account's folder
 * @param signal aborted when the account closes: what is under way then throws its reason
 */
export const openContents = (
  accountDirectory: string,
  rows: ContentRowStore,
  signal: AbortSignal,
  {
    shares = SHARES,
    now = systemClock.now,
  }: { shares?: Readonly<Record<ContentShare, number>>; now?: () => number } = {},
): Contents => {
  const directory = join(accountDirectory, CONTENTS_NAME)
  const folderOf = (digest: string): string => join(directory, digest.slice(0, 2))
  const fileOf = (digest: string): string => join(folderOf(digest), digest)
  /** Files that are being written. */
  const unfinished = new Set<string>()
  /** Files whose bytes were found to be right, each with a sign of when it was last written. */
  const checked = new Map<string, string>()

  /** The length of a file and a sign of when it was written; null where it is not there. */
  const lookAtFile = (digest: string): { readonly bytes: number; readonly sign: string } | null => {
    try {
      const { size, mtimeMs, ino } = statSync(fileOf(digest))
      return { bytes: size, sign: `${size} ${mtimeMs} ${ino}` }
    } catch (thrown) {
      if (isMissing(thrown)) return null
      throw inStorageWords(thrown)
    }
  }

  const removeUnnamed = (digest: string): void => {
    if (rows.isNamed(digest)) return
    checked.delete(digest)
    rmSync(fileOf(digest), { force: true })
  }
  const remove = (key: string): void => {
    const row = rows.get(key)
    if (row === undefined) return
    rows.remove(key)
    removeUnnamed(row.digest)
  }
  /** Every key of these bytes leads to what is not as it was put. */
  const dropDamaged = (digest: string): void => {
    rows.removeDigest(digest)
    removeUnnamed(digest)
  }

  const here = (key: string): ContentRow | null => {
    const row = rows.get(key)
    if (row === undefined) return null
    if (!isDigest(row.digest)) {
      rows.remove(key)
      return null
    }
    if (lookAtFile(row.digest)?.bytes === row.bytes) return row
    dropDamaged(row.digest)
    return null
  }
  const use = (row: ContentRow): void => {
    if (now() - row.usedAt > TOUCH_MS) rows.touch(row.key, now())
  }

  /** Reads of a file, giving way to others. @returns what is there, which may be less */
  const readFrom = async (digest: string, from: number, length: number): Promise<Uint8Array> => {
    const file = await open(fileOf(digest))
    try {
      const into = new Uint8Array(length)
      let done = 0
      while (done < length) {
        const { bytesRead } = await file.read(into, done, Math.min(AT_ONCE, length - done), from + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return into.subarray(0, done)
    } finally {
      await file.close()
    }
  }

  /** Reads what is here; null, and forgotten, where it went or is not as it was put. */
  const readWhole = async (row: ContentRow): Promise<Uint8Array | null> => {
    const before = lookAtFile(row.digest)?.sign
    const bytes = await readFrom(row.digest, 0, row.bytes).catch((thrown: unknown) => {
      if (isMissing(thrown)) return null
      throw inStorageWords(thrown)
    })
    const digest = bytes === null ? null : await digestOf(bytes)
    signal.throwIfAborted()
    const after = lookAtFile(row.digest)?.sign
    if (bytes !== null && digest === row.digest) {
      if (before !== undefined && before === after) checked.set(row.digest, before)
      return bytes
    }
    // Where it was written anew meanwhile, what was read says nothing of it.
    if (after === undefined || before === after) dropDamaged(row.digest)
    return null
  }

  /** Makes room in a share for what is about to be put there. */
  const makeRoom = (share: ContentShare, key: string, bytes: number): void => {
    const mine = rows.get(key)
    const others = (): number => rows.total(share) - (mine?.share === share && rows.get(key) ? mine.bytes : 0)
    while (others() > 0 && others() + bytes > shares[share]) {
      const least = rows.leastUsed(share)
      if (least === undefined) return
      remove(least.key)
    }
  }

  return {
    put: async (key, bytes, { contentType, share }) => {
      signal.throwIfAborted()
      const digest = await digestOf(bytes)
      const part = join(directory, `${randomUUID()}.part`)
      unfinished.add(part)
      try {
        await mkdir(directory, { recursive: true, mode: 0o700 })
        // What a loss of power leaves of it has another digest and counts as not here: no need to wait for the disk.
        await writeFile(part, bytes, { mode: 0o600, flag: 'wx', signal })
        signal.throwIfAborted()
        mkdirSync(folderOf(digest), { recursive: true, mode: 0o700 })
        renameSync(part, fileOf(digest))
      } catch (thrown) {
        await rm(part, { force: true })
        signal.throwIfAborted()
        throw inStorageWords(thrown)
      } finally {
        unfinished.delete(part)
      }
      if (share !== undefined) makeRoom(share, key, bytes.byteLength)
      const at = now()
      const row = { key, digest, bytes: bytes.byteLength, contentType, share: share ?? null, fetchedAt: at, usedAt: at }
      try {
        const before = rows.set(row)
        if (before !== undefined && before !== digest) removeUnnamed(before)
      } catch (thrown) {
        removeUnnamed(digest)
        throw inStorageWords(thrown)
      }
      return known(row)
    },
    get: async (key) => {
      const row = here(key)
      const bytes = row === null ? null : await readWhole(row)
      if (row === null || bytes === null) return null
      use(row)
      return { ...known(row), bytes }
    },
    piece: async (key, from, length) => {
      const row = here(key)
      if (row === null) return null
      const isChecked = checked.get(row.digest) === lookAtFile(row.digest)?.sign
      if (!isChecked && (await readWhole(row)) === null) return null
      use(row)
      const piece = await readFrom(row.digest, from, Math.max(0, Math.min(length, row.bytes - from))).catch(
        (thrown: unknown) => {
          if (isMissing(thrown)) return null
          throw inStorageWords(thrown)
        },
      )
      signal.throwIfAborted()
      return piece
    },
    look: (key) => {
      const row = here(key)
      return row === null ? null : known(row)
    },
    has: (key) => here(key) !== null,
    remove,
    release: (keys) => {
      const digests = new Set(keys.flatMap((key) => rows.get(key)?.digest ?? []))
      for (const key of keys) rows.remove(key)
      return () => {
        for (const digest of digests) if (isDigest(digest)) removeUnnamed(digest)
      }
    },
    restore: (row) => {
      const isMeant = row.key !== '' && isDigest(row.digest) && rows.get(row.key) === undefined
      if (isMeant && lookAtFile(row.digest)?.bytes === row.bytes) rows.set(row)
    },
    tidy: async (since = 0) => {
      const isOver = (): boolean => signal.aborted
      const namesIn = (folder: string): Promise<readonly string[]> =>
        readdir(folder).catch((thrown: unknown) => {
          if (isMissing(thrown)) return []
          throw inStorageWords(thrown)
        })
      for (const name of await namesIn(directory)) {
        const path = join(directory, name)
        if (isOver()) return
        if (name.endsWith('.part')) {
          if (!unfinished.has(path)) rmSync(path, { force: true })
          continue
        }
        for (const digest of await namesIn(path)) {
          if (isOver()) return
          if (!isDigest(digest) || !digest.startsWith(name) || rows.isNamed(digest)) continue
          const writtenAt = since === 0 ? 0 : statSync(join(path, digest), { throwIfNoEntry: false })?.mtimeMs
          if (writtenAt === undefined || writtenAt >= since) removeUnnamed(digest)
        }
      }
    },
  }
}
