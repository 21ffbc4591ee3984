import type Database from 'better-sqlite3'
import { readKeptSegments, textOfAll, type FetchedSegment } from '../api/contacts.ts'
import type { Segment } from '../../shared/people.ts'

interface StoredSegments {
  readonly segments: readonly Segment[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

/** The segments that contacts are in. */
export class SegmentStore {
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, number, string]>

  constructor(database: Database.Database) {
    this.#select = database.prepare('SELECT fetched_at, wire FROM contact_segments WHERE contact_id = ?')
    this.#replace = database.prepare(
      `INSERT INTO contact_segments (contact_id, fetched_at, wire) VALUES (?, ?, ?)
       ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
    )
  }

  /** Undefined where they were never fetched, or what was kept is damaged. */
  ofContact(contactId: string): StoredSegments | undefined {
    const row = this.#select.get(contactId)
    const segments = row === undefined ? null : readKeptSegments(row.wire)
    return row === undefined || segments === null
      ? undefined
      : { segments: segments.map(({ id, name }) => ({ id, name })), fetchedAt: row.fetched_at }
  }

  /** @returns whether anything differs from before */
  replaceAll(contactId: string, segments: readonly FetchedSegment[], fetchedAt: number): boolean {
    const text = textOfAll(segments)
    const before = this.#select.get(contactId)
    this.#replace.run(contactId, fetchedAt, text)
    return before?.wire !== text
  }
}
