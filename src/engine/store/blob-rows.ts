import type Database from 'better-sqlite3'

/** Metadata of a file whose bytes are stored outside the cache. Times are in milliseconds since the epoch. */
export interface BlobRow {
  readonly key: string
  /** SHA-256 of the bytes, in hex. Also the file name. */
  readonly digest: string
  readonly bytes: number
  readonly contentType: string | null
  /** LRU disk quota that the file counts towards; null for permanent files. */
  readonly share: string | null
  readonly fetchedAt: number
  readonly usedAt: number
}

const COLUMNS = `key, digest, bytes, content_type AS "contentType", share, fetched_at AS "fetchedAt", used_at AS "usedAt"`

/** Metadata of the files stored next to the cache; `engine/store` handles the files themselves. */
export const createBlobRowStore = (database: Database.Database) => {
  const select = database.prepare<[string], BlobRow>(`SELECT ${COLUMNS} FROM blobs WHERE key = ?`)
  const replace = database.prepare<[BlobRow]>(
    `INSERT INTO blobs (key, digest, bytes, content_type, share, fetched_at, used_at)
     VALUES (@key, @digest, @bytes, @contentType, @share, @fetchedAt, @usedAt)
     ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes,
       content_type = excluded.content_type, share = excluded.share, fetched_at = excluded.fetched_at,
       used_at = excluded.used_at`,
  )
  const touch = database.prepare<[number, string]>('UPDATE blobs SET used_at = ? WHERE key = ?')
  const remove = database.prepare<[string]>('DELETE FROM blobs WHERE key = ?')
  const removeDigest = database.prepare<[string]>('DELETE FROM blobs WHERE digest = ?')
  const isNamed = database.prepare<[string], number>('SELECT 1 FROM blobs WHERE digest = ? LIMIT 1').pluck()
  const keys = database
    .prepare<[string, string], string>('SELECT key FROM blobs WHERE key >= ? AND key < ? ORDER BY key')
    .pluck()
  const total = database.prepare<[string], number>('SELECT coalesce(sum(bytes), 0) FROM blobs WHERE share = ?').pluck()
  const leastUsed = database.prepare<[string], BlobRow>(
    `SELECT ${COLUMNS} FROM blobs WHERE share = ? ORDER BY used_at LIMIT 1`,
  )
  return {
    get: (key: string): BlobRow | undefined => select.get(key),
    /** @returns the key's previous digest; undefined for a new key */
    set: (row: BlobRow): string | undefined => {
      const before = select.get(row.key)?.digest
      replace.run(row)
      return before
    },
    touch: (key: string, usedAt: number): void => void touch.run(usedAt, key),
    remove: (key: string): void => void remove.run(key),
    removeDigest: (digest: string): void => void removeDigest.run(digest),
    isNamed: (digest: string): boolean => isNamed.get(digest) !== undefined,
    // U+10FFFF is the highest character in SQLite's byte order.
    keysBeginningWith: (beginning: string): readonly string[] => keys.all(beginning, `${beginning}\u{10ffff}`),
    total: (share: string): number => total.get(share) ?? 0,
    /** Least recently used row within a quota. */
    leastUsed: (share: string): BlobRow | undefined => leastUsed.get(share),
  }
}

export type BlobRowStore = ReturnType<typeof createBlobRowStore>
