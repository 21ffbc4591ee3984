import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'

export const domainRegions = ['us-east-1', 'eu-west-1', 'sa-east-1', 'ap-northeast-1'] as const
export const capabilityStates = ['enabled', 'disabled'] as const
type CapabilityState = (typeof capabilityStates)[number]

/** Each use of a domain has its own DNS records. */
export type DomainUse = 'sending' | 'receiving' | 'tracking'

/** Settings that can be changed later. */
export interface DomainSettings {
  readonly sending: CapabilityState
  readonly receiving: CapabilityState
  readonly open_tracking: number
  readonly click_tracking: number
  /** One DNS label; `null` for none. */
  readonly tracking_subdomain: string | null
}

export interface DomainRow extends DomainSettings {
  readonly seq: number
  readonly id: string
  /** Lower-case ASCII. */
  readonly name: string
  readonly region: (typeof domainRegions)[number]
  /** DNS label of the subdomain for bounces. */
  readonly return_path: string
  /** JSON array of the {@link DomainUse}s whose DNS records were found. */
  readonly verified: string
  /** End of the running check of the DNS records; `null` if none runs. */
  readonly check_ends_at: number | null
  readonly created_at: number
}

export type NewDomain = Omit<DomainRow, 'seq' | 'id' | 'check_ends_at' | 'created_at'>

/** A domain before its first check. */
export const defaultDomain: Omit<NewDomain, 'name'> = {
  region: 'us-east-1',
  return_path: 'send',
  sending: 'enabled',
  receiving: 'disabled',
  open_tracking: 0,
  click_tracking: 0,
  tracking_subdomain: null,
  verified: '[]',
}

/** Duration of a check in milliseconds. It always finds the records, because there is no DNS. */
const CHECK_MS = 1000

/** @param name lower-case ASCII */
export function findDomain(db: Database, name: string): DomainRow | undefined {
  return db.get<DomainRow>('SELECT * FROM domains WHERE name = ?', name)
}

export function insertDomain(db: Database, domain: NewDomain, now: number): DomainRow {
  db.run(
    `INSERT INTO domains (id, name, region, return_path, sending, receiving, open_tracking, click_tracking,
       tracking_subdomain, verified, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    randomUUID(),
    domain.name,
    domain.region,
    domain.return_path,
    domain.sending,
    domain.receiving,
    domain.open_tracking,
    domain.click_tracking,
    domain.tracking_subdomain,
    domain.verified,
    now,
  )
  const row = findDomain(db, domain.name)
  if (!row) throw new Error('A domain that was just stored is missing.')
  return row
}

export function updateDomain(db: Database, domain: DomainRow, settings: DomainSettings): void {
  const isMoved = settings.tracking_subdomain !== domain.tracking_subdomain
  const verified = parseVerifiedUses(domain).filter((use) => use !== 'tracking' || !isMoved)
  db.run(
    `UPDATE domains SET sending = ?, receiving = ?, open_tracking = ?, click_tracking = ?, tracking_subdomain = ?,
       verified = ? WHERE seq = ?`,
    settings.sending,
    settings.receiving,
    settings.open_tracking,
    settings.click_tracking,
    settings.tracking_subdomain,
    JSON.stringify(verified),
    domain.seq,
  )
}

export function parseVerifiedUses({ verified }: DomainRow): readonly DomainUse[] {
  return JSON.parse(verified) as readonly DomainUse[]
}

export function usesOf(domain: DomainSettings): readonly DomainUse[] {
  return [
    ...(domain.sending === 'enabled' ? (['sending'] as const) : []),
    ...(domain.receiving === 'enabled' ? (['receiving'] as const) : []),
    ...(domain.tracking_subdomain === null ? [] : (['tracking'] as const)),
  ]
}

/** True if mail can be sent from the domain, or received there. A verified domain stays so during a new check. */
export function isReadyFor(domain: DomainRow | undefined, use: 'sending' | 'receiving'): boolean {
  return domain?.[use] === 'enabled' && parseVerifiedUses(domain).includes(use)
}

export function startDomainCheck(db: Database, { seq }: DomainRow, now: number): void {
  db.run('UPDATE domains SET check_ends_at = ? WHERE seq = ?', now + CHECK_MS, seq)
}

export function finishDomainChecks(db: Database, now: number): void {
  for (const domain of db.all<DomainRow>(
    'SELECT * FROM domains WHERE check_ends_at <= ? ORDER BY check_ends_at',
    now,
  )) {
    db.run(
      'UPDATE domains SET verified = ?, check_ends_at = NULL WHERE seq = ?',
      JSON.stringify(usesOf(domain)),
      domain.seq,
    )
  }
}
