import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** Reads a value that belongs to the database file rather than to one run. */
export function readSetting(db: Database, name: string): string | null {
  return db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name)?.value ?? null
}

export function writeSetting(db: Database, name: string, value: string): void {
  db.run(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    value,
  )
}

/** Secret for signing links, created once per file so links survive a restart. */
export function getOrCreateSigningSecret(db: Database): Buffer {
  const known = readSetting(db, 'signing_secret')
  if (known !== null) return Buffer.from(known, 'base64')
  const secret = randomBytes(32)
  writeSetting(db, 'signing_secret', secret.toString('base64'))
  return secret
}
