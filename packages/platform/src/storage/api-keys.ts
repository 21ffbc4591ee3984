import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import { readSetting, writeSetting } from './settings-table.ts'

export type Permission = 'full_access' | 'sending_access'

export interface ApiKeyRow {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly permission: Permission
  /** The only domain a sending key may send from. */
  readonly domain_id: string | null
  readonly created_at: number
  readonly last_used_at: number | null
}

const columns = 'seq, id, name, permission, domain_id, created_at, last_used_at'

/** A key in the platform's format: `re_` and 32 characters. */
export function generateToken(): string {
  return `re_${randomBytes(24).toString('base64url')}`
}

/** Stores only the key's SHA-256, so a copied database file grants no access. @returns the new row's ID */
export function addApiKey(
  db: Database,
  key: {
    readonly token: string
    readonly name: string
    readonly permission: Permission
    readonly domainId: string | null
  },
  now: number,
): string {
  const id = randomUUID()
  db.run(
    'INSERT INTO api_keys (id, name, token_sha256, permission, domain_id, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    id,
    key.name,
    sha256(key.token),
    key.permission,
    key.domainId,
    now,
  )
  return id
}

/** Looks up a request's key and updates its last use; `null` if unknown. */
export function authenticateApiKey(db: Database, token: string, now: number): ApiKeyRow | null {
  const row = db.get<ApiKeyRow>(`SELECT ${columns} FROM api_keys WHERE token_sha256 = ?`, sha256(token))
  if (!row) return null
  // At most one write per minute: a write per request would make reads as slow as writes.
  if (now - (row.last_used_at ?? 0) > 60_000) db.run('UPDATE api_keys SET last_used_at = ? WHERE seq = ?', now, row.seq)
  return row
}

/** The oldest full-access key, which `--any-key` uses for any token. */
export function findOldestFullAccessKey(db: Database): ApiKeyRow | null {
  return (
    db.get<ApiKeyRow>(`SELECT ${columns} FROM api_keys WHERE permission = 'full_access' ORDER BY seq LIMIT 1`) ?? null
  )
}

/**
 * Makes `token` the key announced by this run. A token that the file doesn't contain replaces the previously announced
 * key.
 */
export function setServiceKey(db: Database, token: string, now: number): void {
  if (db.get('SELECT 1 FROM api_keys WHERE token_sha256 = ?', sha256(token))) return
  db.run('DELETE FROM api_keys WHERE id = ?', readSetting(db, 'service_key_id'))
  const id = addApiKey(db, { token, name: 'service', permission: 'full_access', domainId: null }, now)
  writeSetting(db, 'service_key_id', id)
}

export function deleteOtherKeys(db: Database, token: string): void {
  db.run('DELETE FROM api_keys WHERE token_sha256 <> ?', sha256(token))
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
