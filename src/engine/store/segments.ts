import type Database from 'better-sqlite3'
import {
  parseStoredSegments,
  toNamedSegment,
  serializePayloads,
  type FetchedSegment,
} from '../platform/resources/contacts.ts'
import type { Segment } from '../../shared/people.ts'
import { NO_PENDING_CONTACTS, type PendingContacts } from './contacts.ts'
import { runInTransaction } from './run-in-transaction.ts'

interface StoredSegments {
  readonly segments: readonly Segment[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

const prepareStatements = (database: Database.Database) => ({
  select: database.prepare<[string], Row>('SELECT fetched_at, wire FROM contact_segments WHERE contact_id = ?'),
  replace: database.prepare<[string, number, string]>(
    `INSERT INTO contact_segments (contact_id, fetched_at, wire) VALUES (?, ?, ?)
     ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
  ),
  members: database.prepare<[string], string>('SELECT contact_id FROM segment_members WHERE segment_id = ?').pluck(),
  segmentsOf: database.prepare<[string], string>('SELECT segment_id FROM segment_members WHERE contact_id = ?').pluck(),
  put: database.prepare<[string, string, number]>(
    `INSERT INTO segment_members (segment_id, contact_id, round) VALUES (?, ?, ?)
     ON CONFLICT (segment_id, contact_id) DO UPDATE SET round = excluded.round`,
  ),
  take: database.prepare<[string, string]>('DELETE FROM segment_members WHERE segment_id = ? AND contact_id = ?'),
  takeUnmet: database.prepare<[string, number]>('DELETE FROM segment_members WHERE segment_id = ? AND round < ?'),
  takeAll: database.prepare<[string]>('DELETE FROM segment_members WHERE segment_id = ?'),
  walk: database.prepare<[string], { readonly fetched_at: number; readonly round: number }>(
    'SELECT fetched_at, round FROM segment_walks WHERE segment_id = ?',
  ),
  setWalk: database.prepare<[string, number, number]>(
    `INSERT INTO segment_walks (segment_id, fetched_at, round) VALUES (?, ?, ?)
     ON CONFLICT (segment_id) DO UPDATE SET fetched_at = excluded.fetched_at, round = excluded.round`,
  ),
  rename: ['contact_segments', 'contact_topics'].map((table) =>
    database.prepare<[string, string]>(`UPDATE OR REPLACE ${table} SET contact_id = ? WHERE contact_id = ?`),
  ),
  renameMember: database.prepare<[string, string]>(
    'UPDATE OR REPLACE segment_members SET contact_id = ? WHERE contact_id = ?',
  ),
})

/** Segment memberships: a contact's segments as fetched, and a segment's contacts as crawled. */
export class SegmentStore {
  readonly #pending: PendingContacts
  readonly #inTransaction: (work: () => void) => void
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(database: Database.Database, pending: PendingContacts = NO_PENDING_CONTACTS) {
    this.#pending = pending
    this.#sql = prepareStatements(database)
    this.#inTransaction = (work) => runInTransaction(database, work)
  }

  /** A contact's segments as fetched, without pending changes; undefined if never fetched, or damaged. */
  ofContact(contactId: string): StoredSegments | undefined {
    const row = this.#sql.select.get(contactId)
    const segments = row === undefined ? null : parseStoredSegments(row.wire)
    return row === undefined || segments === null
      ? undefined
      : { segments: segments.map(({ id, name }) => ({ id, name })), fetchedAt: row.fetched_at }
  }

  /** IDs of all segments that a contact is known to be in, without pending changes. */
  idsOf(contactId: string): ReadonlySet<string> {
    return new Set([
      ...(this.ofContact(contactId)?.segments ?? []).map(({ id }) => id),
      ...this.#sql.segmentsOf.all(contactId),
    ])
  }

  /** IDs of a segment's contacts, with pending changes applied. */
  members(segmentId: string): ReadonlySet<string> {
    const ids = new Set(this.#sql.members.all(segmentId))
    for (const [contactId, isIn] of this.#pending.inSegment(segmentId)) ids[isIn ? 'add' : 'delete'](contactId)
    return ids
  }

  /** Time of the segment's last complete crawl, in milliseconds since the epoch; null if there was none. */
  walkedAt(segmentId: string): number | null {
    return this.#sql.walk.get(segmentId)?.fetched_at ?? null
  }

  /** Number of the current or next crawl. */
  roundOf(segmentId: string): number {
    return (this.#sql.walk.get(segmentId)?.round ?? 0) + 1
  }

  met(segmentId: string, contactIds: readonly string[], round: number): void {
    this.#inTransaction(() => {
      for (const contactId of contactIds) this.#sql.put.run(segmentId, contactId, round)
    })
  }

  /** Finishes a crawl and removes contacts that it didn't find. */
  endWalk(segmentId: string, round: number, at: number): void {
    this.#inTransaction(() => {
      this.#sql.takeUnmet.run(segmentId, round)
      this.#sql.setWalk.run(segmentId, at, round)
    })
  }

  /** @returns true if anything has changed */
  replaceAll(contactId: string, segments: readonly FetchedSegment[], fetchedAt: number): boolean {
    const text = serializePayloads(segments)
    const before = this.#sql.select.get(contactId)
    this.#inTransaction(() => {
      this.#sql.replace.run(contactId, fetchedAt, text)
      const ids = new Set(segments.map(({ id }) => id))
      for (const id of this.#sql.segmentsOf.all(contactId)) if (!ids.has(id)) this.#sql.take.run(id, contactId)
      for (const id of ids) this.#sql.put.run(id, contactId, this.roundOf(id))
    })
    return before?.wire !== text
  }

  /** Stores a membership change that the platform has confirmed. */
  put(contactId: string, segment: Segment, isIn: boolean): void {
    this.#inTransaction(() => {
      if (isIn) this.#sql.put.run(segment.id, contactId, this.roundOf(segment.id))
      else this.#sql.take.run(segment.id, contactId)
      const row = this.#sql.select.get(contactId)
      const known = row === undefined ? null : parseStoredSegments(row.wire)
      if (row === undefined || known === null) return
      const others = known.filter(({ id }) => id !== segment.id)
      const now = isIn ? [...others, toNamedSegment(segment.id, segment.name)] : others
      this.#sql.replace.run(contactId, row.fetched_at, serializePayloads(now))
    })
  }

  remove(segmentId: string): void {
    this.#sql.takeAll.run(segmentId)
  }

  /** Moves a contact's segments and topics to its new ID. */
  rename(was: string, contactId: string): void {
    this.#inTransaction(() => {
      for (const statement of this.#sql.rename) statement.run(contactId, was)
      this.#sql.renameMember.run(contactId, was)
    })
  }
}
