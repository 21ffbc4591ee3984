import type Database from 'better-sqlite3'
import type { Suppression } from '../../shared/suppressions.ts'

export interface StoredSuppression {
  /** Null if the address wasn't suppressed. */
  readonly suppression: Suppression | null
  /** Time of the request, in milliseconds since the epoch. */
  readonly askedAt: number
}

interface Row {
  readonly asked_at: number
  readonly origin: string | null
  readonly since: number | null
}

/** Known entries of the platform's suppression list. Addresses are in `canonicalizeAddress` form. */
export const createSuppressionStore = (database: Database.Database) => {
  const select = database.prepare<[string], Row>('SELECT asked_at, origin, since FROM suppressions WHERE address = ?')
  const replace = database.prepare<[string, number, string | null, number | null]>(
    `INSERT INTO suppressions (address, asked_at, origin, since) VALUES (?, ?, ?, ?) ON CONFLICT (address)
     DO UPDATE SET asked_at = excluded.asked_at, origin = excluded.origin, since = excluded.since`,
  )
  return {
    get: (address: string): StoredSuppression | undefined => {
      const row = select.get(address)
      if (row === undefined) return undefined
      const { origin, since, asked_at: askedAt } = row
      return { suppression: origin === null ? null : { origin, since }, askedAt }
    },
    /** @param askedAt milliseconds since the epoch */
    put: (address: string, suppression: Suppression | null, askedAt: number): void =>
      void replace.run(address, askedAt, suppression?.origin ?? null, suppression?.since ?? null),
  }
}
