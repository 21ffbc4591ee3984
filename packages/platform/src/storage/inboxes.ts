import { randomUUID } from 'node:crypto'
import { domainOf, toMailboxKey, withReadableDomain } from '../mail/addresses.ts'
import type { Database } from './database.ts'
import { defaultDomain, findDomain, insertDomain } from './domains.ts'

export interface InboxRow {
  readonly seq: number
  readonly id: string
  readonly domain_id: string
  readonly email_address: string
  readonly name: string
  readonly from_name: string | null
  readonly receiving_address: string | null
  readonly agent_instructions: string | null
  readonly agent_tone: string | null
  readonly agent_actions: string
  readonly created_at: number
  readonly updated_at: number
}

export interface NewInbox {
  readonly emailAddress: string
  /** `null` to use the address as the name. */
  readonly name: string | null
  readonly fromName: string | null
  /** True if mail arrives through a forwarding address (platform.md 6.7). */
  readonly forwarding: boolean
}

/** Adds an inbox. A new domain counts as verified. */
export function addInbox(db: Database, inbox: NewInbox, now: number): InboxRow {
  const id = randomUUID()
  const name = domainOf(inbox.emailAddress)
  const verifiedDomain = { ...defaultDomain, name, receiving: 'enabled', verified: '["sending","receiving"]' } as const
  const domain = findDomain(db, name) ?? insertDomain(db, verifiedDomain, now)
  db.run(
    `INSERT INTO inboxes (id, domain_id, email_address, name, from_name, receiving_address, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    domain.id,
    inbox.emailAddress,
    inbox.name ?? inbox.emailAddress,
    inbox.fromName,
    inbox.forwarding ? `${id}@forwarding.linnet.example` : null,
    now,
    now,
  )
  const row = findInbox(db, id)
  if (!row) throw new Error('An inbox that was just stored is missing.')
  return row
}

/** Finds an inbox by ID only: thread search accepts nothing else (platform.md 9.7). */
export function findInboxById(db: Database, id: string): InboxRow | undefined {
  return db.get<InboxRow>('SELECT * FROM inboxes WHERE id = ?', id)
}

/** Finds an inbox by ID or e-mail address (platform.md 1.8). */
export function findInbox(db: Database, idOrAddress: string): InboxRow | undefined {
  return findInboxById(db, idOrAddress) ?? findInboxByAddress(db, idOrAddress)
}

/**
 * Finds an inbox by address, ignoring case, sub-address and domain form; also finds forwarding addresses. Stored
 * addresses aren't normalised, so the query tries several forms.
 */
export function findInboxByAddress(db: Database, address: string): InboxRow | undefined {
  const key = toMailboxKey(address)
  return db.get<InboxRow>(
    'SELECT * FROM inboxes WHERE email_address IN (?, ?, ?) OR receiving_address = ?',
    address,
    key,
    withReadableDomain(key),
    address,
  )
}
