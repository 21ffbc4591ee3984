import type Database from 'better-sqlite3'
import { toTopic } from '../api/model-from-wire.ts'
import { readKeptTopics, type WireTopic } from '../api/wire.ts'
import type { TopicSubscription } from '../../shared/model.ts'

export interface StoredTopics {
  readonly topics: readonly TopicSubscription[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** A contact's topics, with the changes that are still on their way laid over them. */
export interface TopicStore {
  readonly ofContact: (contactId: string) => StoredTopics | undefined
  /** The platform's own last word, topic by topic, without what is pending. */
  readonly serverSubscriptions: (contactId: string) => ReadonlyMap<string, string>
  /** @returns whether anything differs from before */
  readonly replaceAll: (contactId: string, wires: readonly WireTopic[], fetchedAt: number) => boolean
  /** Keeps what the platform has confirmed of one topic. */
  readonly storeSubscription: (contactId: string, topicId: string, subscription: string) => void
}

/** What the person has chosen and the platform has not confirmed yet. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

export const createTopicStore = (database: Database.Database, pending: PendingTopics): TopicStore => {
  const select = database.prepare<[string], Row>('SELECT fetched_at, wire FROM contact_topics WHERE contact_id = ?')
  const replace = database.prepare<[string, number, string]>(
    `INSERT INTO contact_topics (contact_id, fetched_at, wire) VALUES (?, ?, ?)
     ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
  )
  /** What was damaged counts as never fetched: it is asked for when it is next looked at. */
  const find = (
    contactId: string,
  ): { readonly fetchedAt: number; readonly wires: readonly WireTopic[] } | undefined => {
    const row = select.get(contactId)
    const wires = row === undefined ? null : readKeptTopics(row.wire)
    return row === undefined || wires === null ? undefined : { fetchedAt: row.fetched_at, wires }
  }

  return {
    ofContact: (contactId) => {
      const stored = find(contactId)
      if (stored === undefined) return undefined
      const chosen = pending(contactId)
      const topics = stored.wires.map(toTopic)
      return {
        topics: topics.map((topic) => ({ ...topic, subscription: chosen.get(topic.id) ?? topic.subscription })),
        fetchedAt: stored.fetchedAt,
      }
    },
    serverSubscriptions: (contactId) => {
      const topics = (find(contactId)?.wires ?? []).map(toTopic)
      return new Map(topics.map(({ id, subscription }) => [id, subscription]))
    },
    replaceAll: (contactId, wires, fetchedAt) => {
      const text = JSON.stringify(wires)
      const before = select.get(contactId)
      replace.run(contactId, fetchedAt, text)
      return before?.wire !== text
    },
    storeSubscription: (contactId, topicId, subscription) => {
      const stored = find(contactId)
      if (stored === undefined) return
      const wires = stored.wires.map((wire) => (wire.id === topicId ? { ...wire, subscription } : wire))
      replace.run(contactId, stored.fetchedAt, JSON.stringify(wires))
    },
  }
}
