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

const prepareStatements = (database: Database.Database) => ({
  select: database.prepare<[string], BlobRow>(`SELECT ${COLUMNS} FROM contents WHERE key = ?`),
  replace: database.prepare<[BlobRow]>(
    `INSERT INTO contents (key, digest, bytes, content_type, share, fetched_at, used_at)
     VALUES (@key, @digest, @bytes, @contentType, @share, @fetchedAt, @usedAt)
     ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes,
       content_type = excluded.content_type, share = excluded.share, fetched_at = excluded.fetched_at,
       used_at = excluded.used_at`,
  ),
  touch: database.prepare<[number, string]>('UPDATE contents SET used_at = ? WHERE key = ?'),
  remove: database.prepare<[string]>('DELETE FROM contents WHERE key = ?'),
  removeDigest: database.prepare<[string]>('DELETE FROM contents WHERE digest = ?'),
  isNamed: database.prepare<[string], number>('SELECT 1 FROM contents WHERE digest = ? LIMIT 1').pluck(),
  keys: database
    .prepare<[string, string], string>('SELECT key FROM contents WHERE key >= ? AND key < ? ORDER BY key')
    .pluck(),
  total: database.prepare<[string], number>('SELECT coalesce(sum(bytes), 0) FROM contents WHERE share = ?').pluck(),
  leastUsed: database.prepare<[string], BlobRow>(
    `SELECT ${COLUMNS} FROM contents WHERE share = ? ORDER BY used_at LIMIT 1`,
  ),
})

/** Metadata of the files stored next to the cache; `engine/store` handles the files themselves. */
export class BlobRowStore {
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database) {
    this.#sql = prepareStatements(database)
  }

  get(key: string): BlobRow | undefined {
    return this.#sql.select.get(key)
  }

  /** @returns the key's previous digest; undefined for a new key */
  set(row: BlobRow): string | undefined {
    const before = this.#sql.select.get(row.key)?.digest
    this.#sql.replace.run(row)
    return before
  }

  touch(key: string, usedAt: number): void {
    this.#sql.touch.run(usedAt, key)
  }

  remove(key: string): void {
    this.#sql.remove.run(key)
  }

  removeDigest(digest: string): void {
    this.#sql.removeDigest.run(digest)
  }

  isNamed(digest: string): boolean {
    return this.#sql.isNamed.get(digest) !== undefined
  }

  keysBeginningWith(beginning: string): readonly string[] {
    // U+10FFFF is the highest character in SQLite's byte order.
    return this.#sql.keys.all(beginning, `${beginning}\u{10ffff}`)
  }

  total(share: string): number {
    return this.#sql.total.get(share) ?? 0
  }

  /** Least recently used row within a quota. */
  leastUsed(share: string): BlobRow | undefined {
    return this.#sql.leastUsed.get(share)
  }
}
