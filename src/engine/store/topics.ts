import type Database from 'better-sqlite3'
import { readKeptTopics, textOfAll, withSubscription, type FetchedTopic } from '../api/contacts.ts'
import type { TopicSubscription } from '../../shared/people.ts'

export interface StoredTopics {
  readonly topics: readonly TopicSubscription[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** What the person has chosen and the platform has not confirmed yet. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

/** The state of a topic where the platform says none. */
const NOT_SAID = 'opt_out'

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

/** A contact's topics, with the changes that are still on their way laid over them. */
export class TopicStore {
  readonly #pending: PendingTopics
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, number, string]>

  constructor(database: Database.Database, pending: PendingTopics) {
    this.#pending = pending
    this.#select = database.prepare('SELECT fetched_at, wire FROM contact_topics WHERE contact_id = ?')
    this.#replace = database.prepare(
      `INSERT INTO contact_topics (contact_id, fetched_at, wire) VALUES (?, ?, ?)
       ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
    )
  }

  ofContact(contactId: string): StoredTopics | undefined {
    const stored = this.#find(contactId)
    if (stored === undefined) return undefined
    const chosen = this.#pending(contactId)
    return {
      topics: stored.topics.map((topic) => ({
        ...topic,
        subscription: chosen.get(topic.id) ?? topic.subscription ?? NOT_SAID,
      })),
      fetchedAt: stored.fetchedAt,
    }
  }

  /** The platform's own last word, topic by topic, without what is pending. */
  serverSubscriptions(contactId: string): ReadonlyMap<string, string> {
    const topics = this.#find(contactId)?.topics ?? []
    return new Map(topics.map(({ id, subscription }) => [id, subscription ?? NOT_SAID]))
  }

  /** @returns whether anything differs from before */
  replaceAll(contactId: string, topics: readonly FetchedTopic[], fetchedAt: number): boolean {
    const text = textOfAll(topics)
    const before = this.#select.get(contactId)
    this.#replace.run(contactId, fetchedAt, text)
    return before?.wire !== text
  }

  /** Keeps what the platform has confirmed of one topic. */
  storeSubscription(contactId: string, topicId: string, subscription: string): void {
    const stored = this.#find(contactId)
    if (stored === undefined) return
    const topics = stored.topics.map((topic) => (topic.id === topicId ? withSubscription(topic, subscription) : topic))
    this.#replace.run(contactId, stored.fetchedAt, textOfAll(topics))
  }

  /** What was damaged counts as never fetched: it is asked for when it is next looked at. */
  #find(contactId: string): { readonly fetchedAt: number; readonly topics: readonly FetchedTopic[] } | undefined {
    const row = this.#select.get(contactId)
    const topics = row === undefined ? null : readKeptTopics(row.wire)
    return row === undefined || topics === null ? undefined : { fetchedAt: row.fetched_at, topics }
  }
}
