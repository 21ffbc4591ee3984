import type Database from 'better-sqlite3'
import { readKeptSegments, textOfAll, type FetchedSegment } from '../api/contacts.ts'
import type { Segment } from '../../shared/people.ts'

interface StoredSegments {
  readonly segments: readonly Segment[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** The segments that contacts are in. */
export interface SegmentStore {
  /** Undefined where they were never fetched, or what was kept is damaged. */
  readonly ofContact: (contactId: string) => StoredSegments | undefined
  /** @returns whether anything differs from before */
  readonly replaceAll: (contactId: string, segments: readonly FetchedSegment[], fetchedAt: number) => boolean
}

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

export const createSegmentStore = (database: Database.Database): SegmentStore => {
  const select = database.prepare<[string], Row>('SELECT fetched_at, wire FROM contact_segments WHERE contact_id = ?')
  const replace = database.prepare<[string, number, string]>(
    `INSERT INTO contact_segments (contact_id, fetched_at, wire) VALUES (?, ?, ?)
     ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
  )
  return {
    ofContact: (contactId) => {
      const row = select.get(contactId)
      const segments = row === undefined ? null : readKeptSegments(row.wire)
      return row === undefined || segments === null
        ? undefined
        : { segments: segments.map(({ id, name }) => ({ id, name })), fetchedAt: row.fetched_at }
    },
    replaceAll: (contactId, segments, fetchedAt) => {
      const text = textOfAll(segments)
      const before = select.get(contactId)
      replace.run(contactId, fetchedAt, text)
      return before?.wire !== text
    },
  }
}
