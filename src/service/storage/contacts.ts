import type { Database } from './database.ts'

export type Subscription = 'opt_in' | 'opt_out'

export interface ContactRow {
  readonly seq: number
  readonly id: string
  readonly email: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly unsubscribed: number
  /** JSON object from property key to a string or a number. */
  readonly properties: string
  readonly created_at: number
}

/** By id or e-mail address, which share one place in the path (platform facts 5). */
export function findContact(db: Database, idOrEmail: string): ContactRow | undefined {
  return db.get<ContactRow>('SELECT * FROM contacts WHERE id = ? OR email = ?', idOrEmail, idOrEmail)
}
