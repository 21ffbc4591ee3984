import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export const suppressionOrigins = ['bounce', 'complaint', 'manual'] as const
export type SuppressionOrigin = (typeof suppressionOrigins)[number]

export interface SuppressionRow {
  readonly seq: number
  readonly id: string
  readonly email: string
  readonly origin: SuppressionOrigin
  readonly source_id: string | null
  readonly created_at: number
}

/** The vendor's Ruby client documents that addresses are lower-cased and trimmed. */
const keyOf = (address: string): string => address.trim().toLowerCase()

/** Finds a suppression by ID or e-mail address, which share a path parameter. */
export function findSuppression(db: Database, idOrEmail: string): SuppressionRow | undefined {
  const key = keyOf(idOrEmail)
  return db.get<SuppressionRow>('SELECT * FROM suppressions WHERE id = ? OR email = ?', key, key)
}

/** Adds an address; an existing entry stays unchanged. @param createdAt milliseconds since 1970 */
export function addSuppression(
  db: Database,
  {
    email,
    origin,
    sourceId,
  }: { readonly email: string; readonly origin: SuppressionOrigin; readonly sourceId: string | null },
  createdAt: number,
): SuppressionRow {
  db.run(
    'INSERT INTO suppressions (id, email, origin, source_id, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING',
    randomUUID(),
    keyOf(email),
    origin,
    sourceId,
    createdAt,
  )
  const row = findSuppression(db, email)
  if (!row) throw new Error('A suppression that was just written is not there.')
  return row
}

export function removeSuppression(db: Database, { seq }: SuppressionRow): void {
  db.run('DELETE FROM suppressions WHERE seq = ?', seq)
}
