import type Database from 'better-sqlite3'
import { toTopic } from '../api/model-from-wire.ts'
import type { WireTopic } from '../api/wire.ts'
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
  const read = (row: Row): readonly WireTopic[] => JSON.parse(row.wire) as WireTopic[]

  return {
    ofContact: (contactId) => {
      const row = select.get(contactId)
      if (row === undefined) return undefined
      const chosen = pending(contactId)
      const topics = read(row).map(toTopic)
      return {
        topics: topics.map((topic) => ({ ...topic, subscription: chosen.get(topic.id) ?? topic.subscription })),
        fetchedAt: row.fetched_at,
      }
    },
    serverSubscriptions: (contactId) => {
      const row = select.get(contactId)
      const topics = row === undefined ? [] : read(row).map(toTopic)
      return new Map(topics.map(({ id, subscription }) => [id, subscription]))
    },
    replaceAll: (contactId, wires, fetchedAt) => {
      const text = JSON.stringify(wires)
      const before = select.get(contactId)
      replace.run(contactId, fetchedAt, text)
      return before?.wire !== text
    },
    storeSubscription: (contactId, topicId, subscription) => {
      const row = select.get(contactId)
      if (row === undefined) return
      const wires = read(row).map((wire) => (wire.id === topicId ? { ...wire, subscription } : wire))
      replace.run(contactId, row.fetched_at, JSON.stringify(wires))
    },
  }
}
