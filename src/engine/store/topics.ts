import type Database from 'better-sqlite3'
import { readKeptTopics, subscriptionTo, textOfAll, withSubscription, type FetchedTopic } from '../api/contacts.ts'
import type { Topic, TopicSubscription } from '../../shared/people.ts'

export interface StoredTopics {
  readonly topics: readonly TopicSubscription[]
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number
}

/** What the person has chosen and the platform has not confirmed yet. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

/** A contact's topics, with the changes that are still on their way laid over them. */
export class TopicStore {
  readonly #pending: PendingTopics
  readonly #defaults: () => ReadonlyMap<string, string>
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, number, string]>
  readonly #selectChoices: Database.Statement<[string, string], { readonly id: string; readonly subscription: string }>
  readonly #removeTopic: Database.Statement<[string, string]>

  /** @param defaults state of each topic for contacts without a choice, by its ID */
  constructor(database: Database.Database, pending: PendingTopics, defaults: () => ReadonlyMap<string, string>) {
    this.#pending = pending
    this.#defaults = defaults
    this.#select = database.prepare('SELECT fetched_at, wire FROM contact_topics WHERE contact_id = ?')
    this.#replace = database.prepare(
      `INSERT INTO contact_topics (contact_id, fetched_at, wire) VALUES (?, ?, ?)
       ON CONFLICT (contact_id) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
    )
    this.#selectChoices = database.prepare(
      `SELECT contact_id AS id, topic.value ->> 'subscription' AS subscription
       FROM contact_topics, json_each(iif(json_valid(wire), wire, '[]')) AS topic
       WHERE instr(wire, ?) > 0 AND topic.value ->> 'id' = ? AND topic.value ->> 'subscription' IS NOT NULL`,
    )
    this.#removeTopic = database.prepare(
      `UPDATE contact_topics
       SET wire = (SELECT json_group_array(json(value)) FROM json_each(wire) WHERE value ->> 'id' <> ?)
       WHERE instr(wire, ?) > 0 AND json_valid(wire)`,
    )
  }

  ofContact(contactId: string): StoredTopics | undefined {
    const stored = this.#find(contactId)
    if (stored === undefined) return undefined
    const states = new Map([...this.serverSubscriptions(contactId), ...this.#pending(contactId)])
    return {
      topics: stored.topics.map((topic) => ({ ...topic, subscription: states.get(topic.id) ?? '' })),
      fetchedAt: stored.fetchedAt,
    }
  }

  /** Subscriptions without pending changes, by topic. One that the platform leaves out is the topic's default. */
  serverSubscriptions(contactId: string): ReadonlyMap<string, string> {
    const topics = this.#find(contactId)?.topics ?? []
    const defaults = this.#defaults()
    return new Map(topics.map(({ id, subscription }) => [id, subscription ?? defaults.get(id) ?? '']))
  }

  /** @returns whether anything differs from before */
  replaceAll(contactId: string, topics: readonly FetchedTopic[], fetchedAt: number): boolean {
    const text = textOfAll(topics)
    const before = this.#select.get(contactId)
    this.#replace.run(contactId, fetchedAt, text)
    return before?.wire !== text
  }

  /** Keeps what the platform has confirmed of one topic. @param made the topic, where it may be newer than the contact's list */
  storeSubscription(contactId: string, topicId: string, subscription: string, made?: Topic): void {
    const stored = this.#find(contactId)
    if (stored === undefined) return
    const isListed = stored.topics.some(({ id }) => id === topicId)
    const topics = stored.topics.map((topic) => (topic.id === topicId ? withSubscription(topic, subscription) : topic))
    const added = isListed || made === undefined ? [] : [subscriptionTo(made, subscription)]
    this.#replace.run(contactId, stored.fetchedAt, textOfAll([...added, ...topics]))
  }

  /** The platform's last word of a topic, contact by contact, as far as that was asked for. */
  subscriptionsTo(topicId: string): ReadonlyMap<string, string> {
    const rows = this.#selectChoices.all(JSON.stringify(topicId), topicId)
    return new Map(rows.map(({ id, subscription }) => [id, subscription]))
  }

  /** A topic is gone: nobody has it any more. */
  removeTopic(topicId: string): void {
    this.#removeTopic.run(topicId, JSON.stringify(topicId))
  }

  /** What was damaged counts as never fetched: it is asked for when it is next looked at. */
  #find(contactId: string): { readonly fetchedAt: number; readonly topics: readonly FetchedTopic[] } | undefined {
    const row = this.#select.get(contactId)
    const topics = row === undefined ? null : readKeptTopics(row.wire)
    return row === undefined || topics === null ? undefined : { fetchedAt: row.fetched_at, topics }
  }
}
