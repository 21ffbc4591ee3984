import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

/** An OAuth client (RFC 7591). It has no secret because it runs on users' machines. */
export interface OAuthClient {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
}

export interface GrantRow {
  readonly seq: number
  readonly id: string
  readonly client_id: string
  /** Space-separated scopes. */
  readonly scope: string
  readonly revoked_at: number | null
}

/** Parameters of an authorisation request; the client must repeat them when it exchanges the code. */
interface AuthorizationParameters {
  readonly clientId: string
  readonly redirectUri: string
  /** BASE64URL(SHA256(verifier)) (RFC 7636, 4.2). */
  readonly challenge: string
  readonly scope: string
}

/** Milliseconds. Short, because the browser delivers the code at once (OAuth 2.1, 4.1.2). */
const codeLife = 60_000
/** 60 days (platform.md 3.5). */
const refreshLife = 60 * 24 * 60 * 60 * 1000

const columns = 'seq, id, client_id, scope, revoked_at'

export function insertClient(db: Database, client: OAuthClient, now: number): void {
  db.run(
    `INSERT INTO oauth_clients (id, name, redirect_uris, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris`,
    client.id,
    client.name,
    JSON.stringify(client.redirectUris),
    now,
  )
}

export function findClient(db: Database, id: string): OAuthClient | null {
  const row = db.get<{ id: string; name: string; redirect_uris: string }>(
    'SELECT * FROM oauth_clients WHERE id = ?',
    id,
  )
  return row === undefined ? null : { id, name: row.name, redirectUris: JSON.parse(row.redirect_uris) as string[] }
}

/** Stores the user's consent. @returns the code, which the client exchanges once */
export function addGrant(
  db: Database,
  { clientId, redirectUri, challenge, scope }: AuthorizationParameters,
  now: number,
): string {
  const code = newSecret()
  db.run(
    `INSERT INTO oauth_grants (id, client_id, scope, redirect_uri, challenge, code_sha256, code_until, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    randomUUID(),
    clientId,
    scope,
    redirectUri,
    challenge,
    sha256(code),
    now + codeLife,
    now,
  )
  return code
}

/**
 * Exchanges a code. A second use means that the code was stolen, so its grant is revoked (OAuth 2.1, 4.1.2).
 * @returns null if the code is invalid for this client, redirect and verifier
 */
export function redeemCode(
  db: Database,
  shown: { readonly code: string; readonly clientId: string; readonly redirectUri: string; readonly verifier: string },
  now: number,
): GrantRow | null {
  const row = db.get<
    GrantRow & { redirect_uri: string; challenge: string; code_until: number; code_used_at: number | null }
  >('SELECT * FROM oauth_grants WHERE code_sha256 = ?', sha256(shown.code))
  if (row === undefined || row.revoked_at !== null || row.client_id !== shown.clientId) return null
  if (row.code_used_at !== null) {
    revokeGrant(db, row.seq, now)
    return null
  }
  const challenge = createHash('sha256').update(shown.verifier).digest('base64url')
  const isGood = row.redirect_uri === shown.redirectUri && row.challenge === challenge && now < row.code_until
  if (!isGood) return null
  db.run('UPDATE oauth_grants SET code_used_at = ? WHERE seq = ?', now, row.seq)
  return row
}

/** @returns a single-use refresh token */
export function addRefreshToken(db: Database, grantSeq: number, now: number): string {
  const token = newSecret()
  db.run(
    'INSERT INTO oauth_refresh_tokens (sha256, grant_seq, expires_at) VALUES (?, ?, ?)',
    sha256(token),
    grantSeq,
    now + refreshLife,
  )
  return token
}

/**
 * Uses up a refresh token. Reusing it later revokes its grant (platform.md 3.5).
 * @param grace milliseconds during which reuse is accepted, because the response may have been lost; the platform's
 * value is unknown
 */
export function redeemRefreshToken(
  db: Database,
  { token, clientId, grace }: { readonly token: string; readonly clientId: string; readonly grace: number },
  now: number,
): GrantRow | null {
  const row = db.get<{ grant_seq: number; expires_at: number; used_at: number | null }>(
    'SELECT * FROM oauth_refresh_tokens WHERE sha256 = ?',
    sha256(token),
  )
  const grant = row && db.get<GrantRow>(`SELECT ${columns} FROM oauth_grants WHERE seq = ?`, row.grant_seq)
  if (row === undefined || grant === undefined || grant.revoked_at !== null) return null
  if (grant.client_id !== clientId || now >= row.expires_at) return null
  if (row.used_at !== null && now >= row.used_at + grace) {
    revokeGrant(db, grant.seq, now)
    return null
  }
  db.run('UPDATE oauth_refresh_tokens SET used_at = coalesce(used_at, ?) WHERE sha256 = ?', now, sha256(token))
  return grant
}

export function findGrantByRefreshToken(db: Database, token: string): GrantRow | null {
  return (
    db.get<GrantRow>(
      `SELECT ${columns} FROM oauth_grants
       WHERE seq = (SELECT grant_seq FROM oauth_refresh_tokens WHERE sha256 = ?)`,
      sha256(token),
    ) ?? null
  )
}

export function findGrant(db: Database, id: string): GrantRow | null {
  return db.get<GrantRow>(`SELECT ${columns} FROM oauth_grants WHERE id = ?`, id) ?? null
}

export function revokeGrant(db: Database, seq: number, now: number): void {
  db.run('UPDATE oauth_grants SET revoked_at = coalesce(revoked_at, ?) WHERE seq = ?', now, seq)
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
