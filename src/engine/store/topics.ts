import type Database from 'better-sqlite3'
import { readKeptTopics, textOfAll, withSubscription, type FetchedTopic } from '../api/contacts.ts'
import type { TopicSubscription } from '../../shared/people.ts'

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
  readonly replaceAll: (contactId: string, topics: readonly FetchedTopic[], fetchedAt: number) => boolean
  /** Keeps what the platform has confirmed of one topic. */
  readonly storeSubscription: (contactId: string, topicId: string, subscription: string) => void
}

/** What the person has chosen and the platform has not confirmed yet. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

/** The state of a topic of which the platform does not say one. */
const NOT_SAID = 'opt_out'

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
  ): { readonly fetchedAt: number; readonly topics: readonly FetchedTopic[] } | undefined => {
    const row = select.get(contactId)
    const topics = row === undefined ? null : readKeptTopics(row.wire)
    return row === undefined || topics === null ? undefined : { fetchedAt: row.fetched_at, topics }
  }

  return {
    ofContact: (contactId) => {
      const stored = find(contactId)
      if (stored === undefined) return undefined
      const chosen = pending(contactId)
      return {
        topics: stored.topics.map((topic) => ({
          ...topic,
          subscription: chosen.get(topic.id) ?? topic.subscription ?? NOT_SAID,
        })),
        fetchedAt: stored.fetchedAt,
      }
    },
    serverSubscriptions: (contactId) => {
      const topics = find(contactId)?.topics ?? []
      return new Map(topics.map(({ id, subscription }) => [id, subscription ?? NOT_SAID]))
    },
    replaceAll: (contactId, topics, fetchedAt) => {
      const text = textOfAll(topics)
      const before = select.get(contactId)
      replace.run(contactId, fetchedAt, text)
      return before?.wire !== text
    },
    storeSubscription: (contactId, topicId, subscription) => {
      const stored = find(contactId)
      if (stored === undefined) return
      const topics = stored.topics.map((topic) =>
        topic.id === topicId ? withSubscription(topic, subscription) : topic,
      )
      replace.run(contactId, stored.fetchedAt, textOfAll(topics))
    },
  }
}
