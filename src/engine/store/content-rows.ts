import type Database from 'better-sqlite3'

/** What is known of bytes that lie in a file of their own. Times in milliseconds since the epoch. */
export interface ContentRow {
  readonly key: string
  /** SHA-256 of the bytes, in hexadecimal digits: the file's name. */
  readonly digest: string
  readonly bytes: number
  readonly contentType: string | null
  /** Null for what stays; else the share of the disk from which the least recently used goes first. */
  readonly share: string | null
  readonly fetchedAt: number
  readonly usedAt: number
}

/** The table of what lies in files beside the cache; the files are for `engine/contents`. */
export interface ContentRowStore {
  readonly get: (key: string) => ContentRow | undefined
  /** @returns the digest that the key had before; undefined where it is new */
  readonly set: (row: ContentRow) => string | undefined
  readonly touch: (key: string, usedAt: number) => void
  readonly remove: (key: string) => void
  /** Forgets all that has these bytes. */
  readonly removeDigest: (digest: string) => void
  readonly isNamed: (digest: string) => boolean
  /** Keys that begin like this. */
  readonly keysBeginningWith: (beginning: string) => readonly string[]
  /** Bytes of a share. */
  readonly total: (share: string) => number
  /** Of a share: what was not used for longest. */
  readonly leastUsed: (share: string) => ContentRow | undefined
}

const COLUMNS = `key, digest, bytes, content_type AS "contentType", share, fetched_at AS "fetchedAt", used_at AS "usedAt"`

export const createContentRowStore = (database: Database.Database): ContentRowStore => {
  const select = database.prepare<[string], ContentRow>(`SELECT ${COLUMNS} FROM contents WHERE key = ?`)
  const replace = database.prepare<[ContentRow]>(
    `INSERT INTO contents (key, digest, bytes, content_type, share, fetched_at, used_at)
     VALUES (@key, @digest, @bytes, @contentType, @share, @fetchedAt, @usedAt)
     ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes,
       content_type = excluded.content_type, share = excluded.share, fetched_at = excluded.fetched_at,
       used_at = excluded.used_at`,
  )
  const touch = database.prepare<[number, string]>('UPDATE contents SET used_at = ? WHERE key = ?')
  const remove = database.prepare<[string]>('DELETE FROM contents WHERE key = ?')
  const removeDigest = database.prepare<[string]>('DELETE FROM contents WHERE digest = ?')
  const isNamed = database.prepare<[string], number>('SELECT 1 FROM contents WHERE digest = ? LIMIT 1').pluck()
  // No character is greater, in SQLite's order of bytes.
  const selectBeginning = database
    .prepare<[string, string], string>('SELECT key FROM contents WHERE key >= ? AND key < ? ORDER BY key')
    .pluck()
  const total = database
    .prepare<[string], number>('SELECT coalesce(sum(bytes), 0) FROM contents WHERE share = ?')
    .pluck()
  const leastUsed = database.prepare<[string], ContentRow>(
    `SELECT ${COLUMNS} FROM contents WHERE share = ? ORDER BY used_at LIMIT 1`,
  )
  return {
    get: (key) => select.get(key),
    set: (row) => {
      const before = select.get(row.key)?.digest
      replace.run(row)
      return before
    },
    touch: (key, usedAt) => {
      touch.run(usedAt, key)
    },
    remove: (key) => {
      remove.run(key)
    },
    removeDigest: (digest) => {
      removeDigest.run(digest)
    },
    keysBeginningWith: (beginning) => selectBeginning.all(beginning, `${beginning}\u{10ffff}`),
    isNamed: (digest) => isNamed.get(digest) !== undefined,
    total: (share) => total.get(share) ?? 0,
    leastUsed: (share) => leastUsed.get(share),
  }
}
