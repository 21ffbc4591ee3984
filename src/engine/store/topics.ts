import type Database from 'better-sqlite3'
import {
  parseStoredTopics,
  createTopicSubscription,
  serializePayloads,
  type FetchedTopic,
} from '../platform/resources/contacts.ts'
import type { TopicSubscription } from '../../shared/people.ts'
import type { AccountListStore } from './account-lists.ts'

export interface StoredTopics {
  readonly topics: readonly TopicSubscription[]
  readonly fetchedAt: number
}

/** Pending subscriptions of a contact by topic ID. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

export class TopicStore {
  readonly #pending: PendingTopics
  readonly #lists: Pick<AccountListStore, 'topics' | 'isTopicGoing' | 'topicDefaults'>
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, number, string]>
  readonly #selectChoices: Database.Statement<[string, string], { readonly id: string; readonly subscription: string }>
  readonly #removeTopic: Database.Statement<[string, string]>

  constructor(
    database: Database.Database,
    pending: PendingTopics,
    lists: Pick<AccountListStore, 'topics' | 'isTopicGoing' | 'topicDefaults'>,
  ) {
    this.#pending = pending
    this.#lists = lists
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

  /** A contact's topics as displayed; undefined if they were never fetched. */
  ofContact(contactId: string): StoredTopics | undefined {
    const stored = this.#find(contactId)
    if (stored === undefined) return undefined
    const { topics, fetchedAt } = stored
    const all = this.#lists.topics()
    const known = new Map(all.map((topic) => [topic.id, topic]))
    const listed = new Set(topics.map(({ id }) => id))
    // Topics created after the response was fetched have their default state.
    const made = all.filter(({ id, createdAt }) => !listed.has(id) && (createdAt ?? Infinity) > fetchedAt)
    const states = new Map([...this.serverSubscriptions(contactId), ...this.#pending(contactId)])
    const shown = [...made, ...topics.filter(({ id }) => !this.#lists.isTopicGoing(id))].map((topic) => {
      const { id, name, description, byDefault = '' } = known.get(topic.id) ?? topic
      const subscription = states.get(id) ?? byDefault
      return { id, name, description, subscription, ...(byDefault !== '' && { byDefault }) }
    })
    return { topics: shown, fetchedAt }
  }

  /**
   * Subscriptions by topic ID, without pending changes. Where the response omitted the subscription, uses the topic's
   * default.
   */
  serverSubscriptions(contactId: string): ReadonlyMap<string, string> {
    const topics = this.#find(contactId)?.topics ?? []
    const defaults = this.#lists.topicDefaults()
    return new Map(topics.map(({ id, subscription }) => [id, subscription ?? defaults.get(id) ?? '']))
  }

  /** @returns true if anything has changed */
  replaceAll(contactId: string, topics: readonly FetchedTopic[], fetchedAt: number): boolean {
    const text = serializePayloads(topics)
    const before = this.#select.get(contactId)
    this.#replace.run(contactId, fetchedAt, text)
    return before?.wire !== text
  }

  /** Stores a confirmed subscription, also to a topic that is too new for the contact's stored list. */
  storeSubscription(contactId: string, topicId: string, subscription: string): void {
    const stored = this.#find(contactId)
    if (stored === undefined) return
    const listed = stored.topics.find(({ id }) => id === topicId)
    const topic = createTopicSubscription(topicId, subscription, listed)
    const topics =
      listed === undefined ? [topic, ...stored.topics] : stored.topics.map((each) => (each === listed ? topic : each))
    this.#replace.run(contactId, stored.fetchedAt, serializePayloads(topics))
  }

  subscriptionsTo(topicId: string): ReadonlyMap<string, string> {
    const rows = this.#selectChoices.all(JSON.stringify(topicId), topicId)
    return new Map(rows.map(({ id, subscription }) => [id, subscription]))
  }

  removeTopic(topicId: string): void {
    this.#removeTopic.run(topicId, JSON.stringify(topicId))
  }

  /** A contact's stored topics. A damaged row counts as never fetched, so it is fetched when next viewed. */
  #find(contactId: string): { readonly fetchedAt: number; readonly topics: readonly FetchedTopic[] } | undefined {
    const row = this.#select.get(contactId)
    const topics = row === undefined ? null : parseStoredTopics(row.wire)
    return row === undefined || topics === null ? undefined : { fetchedAt: row.fetched_at, topics }
  }
}
