import type Database from 'better-sqlite3'
import { segmentParser, serializePayloads, type FetchedSegment } from '../platform/resources/contacts.ts'
import type { Segment } from '../../shared/people.ts'
import type { AccountListStore } from './account-lists.ts'
import type { AccountMetaStore } from './account-meta.ts'
import type { PayloadStore } from './payloads.ts'
import { topicsName } from './topics.ts'
import { runInTransaction } from './watch-database.ts'

interface StoredSegments {
  readonly segments: readonly Segment[]
  /** Milliseconds since the epoch; 0 if the contact's segments were never fetched. */
  readonly fetchedAt: number
}

const segmentsName = (contactId: string): string => `segments of ${contactId}`

/** Metadata name of the number of a segment's last complete crawl. */
const roundName = (segmentId: string): string => `segment round ${segmentId}`

/** `round` of memberships that the platform doesn't have. */
const NEVER = -1

const IS_SHOWN = `coalesce(pending, round <> ${NEVER}) = 1`

/** SQL for the IDs of a segment's contacts, with pending changes applied. */
export const SELECT_MEMBERS = `SELECT contact_id FROM segment_members WHERE segment_id = ? AND ${IS_SHOWN}`

const prepareStatements = (database: Database.Database) => ({
  shown: database
    .prepare<[string], string>(`SELECT segment_id FROM segment_members WHERE contact_id = ? AND ${IS_SHOWN}`)
    .pluck(),
  idsOf: database
    .prepare<[string], string>(`SELECT segment_id FROM segment_members WHERE contact_id = ? AND round <> ${NEVER}`)
    .pluck(),
  isPending: database.prepare<[string]>(
    'SELECT 1 FROM segment_members WHERE contact_id = ? AND pending IS NOT NULL LIMIT 1',
  ),
  put: database.prepare<[string, string, number]>(
    `INSERT INTO segment_members (segment_id, contact_id, round) VALUES (?, ?, ?)
     ON CONFLICT (segment_id, contact_id) DO UPDATE SET round = excluded.round`,
  ),
  take: database.prepare<[string, string]>(
    `UPDATE segment_members SET round = ${NEVER} WHERE segment_id = ? AND contact_id = ?`,
  ),
  takeUnmet: database.prepare<[string, number]>(
    `UPDATE segment_members SET round = ${NEVER} WHERE segment_id = ? AND round < ?`,
  ),
  takeAll: database.prepare<[string]>('DELETE FROM segment_members WHERE segment_id = ?'),
  settle: database.prepare<[string]>('UPDATE segment_members SET pending = NULL WHERE contact_id = ?'),
  setPending: database.prepare<[string, string, number]>(
    `INSERT INTO segment_members (segment_id, contact_id, round, pending) VALUES (?, ?, ${NEVER}, ?)
     ON CONFLICT (segment_id, contact_id) DO UPDATE SET pending = excluded.pending`,
  ),
})

/**
 * Segment memberships: a contact's segments as fetched, and a segment's contacts as crawled, each with pending changes
 * applied.
 */
export class SegmentStore {
  readonly #lists: Pick<AccountListStore, 'get'>
  readonly #payloads: PayloadStore
  readonly #accountMeta: Pick<AccountMetaStore, 'number' | 'set'>
  readonly #inTransaction: <Value>(work: () => Value) => Value
  readonly #sql: ReturnType<typeof prepareStatements>

  constructor(
    database: Database.Database,
    payloads: PayloadStore,
    lists: Pick<AccountListStore, 'get'>,
    accountMeta: Pick<AccountMetaStore, 'number' | 'set'>,
  ) {
    this.#lists = lists
    this.#accountMeta = accountMeta
    this.#payloads = payloads
    this.#sql = prepareStatements(database)
    this.#inTransaction = (work) => runInTransaction(database, work)
  }

  /** A contact's segments; undefined if they were never fetched, or are damaged, and none is pending. */
  ofContact(contactId: string): StoredSegments | undefined {
    const row = this.#payloads.get(segmentsName(contactId))
    const fetched = row === undefined ? null : segmentParser.storedList(row.wire)
    if (fetched === null && this.#sql.isPending.get(contactId) === undefined) return undefined
    const names = new Map([...(fetched ?? []), ...this.#lists.get('segments').items].map(({ id, name }) => [id, name]))
    const shown = new Set(this.#sql.shown.all(contactId))
    const ids = new Set([...(fetched ?? []).map(({ id }) => id), ...shown])
    const segments = [...ids].flatMap((id) => (shown.has(id) ? [{ id, name: names.get(id) ?? id }] : []))
    return { segments, fetchedAt: fetched === null ? 0 : (row?.fetchedAt ?? 0) }
  }

  /** IDs of all segments that a contact is known to be in on the platform. */
  idsOf(contactId: string): ReadonlySet<string> {
    return new Set(this.#sql.idsOf.all(contactId))
  }

  /** Number of the current or next crawl. */
  roundOf(segmentId: string): number {
    return (this.#accountMeta.number(roundName(segmentId)) ?? 0) + 1
  }

  met(segmentId: string, contactIds: readonly string[], round: number): void {
    this.#inTransaction(() => {
      for (const contactId of contactIds) this.#sql.put.run(segmentId, contactId, round)
    })
  }

  /** Finishes a crawl and removes contacts that it didn't find. */
  endWalk(segmentId: string, round: number): void {
    this.#inTransaction(() => {
      this.#sql.takeUnmet.run(segmentId, round)
      this.#accountMeta.set(roundName(segmentId), round)
    })
  }

  /** @returns true if anything has changed */
  replaceAll(contactId: string, segments: readonly FetchedSegment[], fetchedAt: number): boolean {
    return this.#inTransaction(() => {
      const ids = new Set(segments.map(({ id }) => id))
      for (const id of this.idsOf(contactId)) if (!ids.has(id)) this.put(contactId, id, false)
      for (const id of ids) this.put(contactId, id, true)
      return this.#payloads.replace(segmentsName(contactId), serializePayloads(segments), fetchedAt)
    })
  }

  /** Stores a membership that the platform has confirmed. */
  put(contactId: string, segmentId: string, isIn: boolean): void {
    if (isIn) this.#sql.put.run(segmentId, contactId, this.roundOf(segmentId))
    else this.#sql.take.run(segmentId, contactId)
  }

  /** Call when pending changes to the contact have changed. @param pending true to add it, false to remove it */
  project(contactId: string, pending: ReadonlyMap<string, boolean> = new Map()): void {
    this.#sql.settle.run(contactId)
    for (const [segmentId, isIn] of pending) this.#sql.setPending.run(segmentId, contactId, Number(isIn))
  }

  remove(segmentId: string): void {
    this.#sql.takeAll.run(segmentId)
  }

  /** Moves a contact's fetched segments and topics to its new ID. */
  rename(was: string, contactId: string): void {
    this.#inTransaction(() => {
      for (const nameOf of [segmentsName, topicsName]) this.#payloads.rename(nameOf(was), nameOf(contactId))
    })
  }
}
