import type Database from 'better-sqlite3'
import {
  topicParser,
  createTopicSubscription,
  serializePayloads,
  type FetchedTopic,
} from '../platform/resources/contacts.ts'
import type { TopicSubscription } from '../../shared/people.ts'
import type { AccountListStore } from './account-lists.ts'
import type { PayloadStore } from './payloads.ts'

export interface StoredTopics {
  readonly topics: readonly TopicSubscription[]
  readonly fetchedAt: number
}

/** Pending subscriptions of a contact by topic ID. */
export type PendingTopics = (contactId: string) => ReadonlyMap<string, string>

/** Names of the contacts' payloads start with this. */
const PREFIX = 'topics of '
export const topicsName = (contactId: string): string => `${PREFIX}${contactId}`

export class TopicStore {
  readonly #pending: PendingTopics
  readonly #lists: Pick<AccountListStore, 'topics' | 'isTopicGoing' | 'topicDefaults'>
  readonly #payloads: Pick<PayloadStore, 'get' | 'replace'>
  readonly #selectChoices: Database.Statement<[string, string], { readonly id: string; readonly subscription: string }>
  readonly #removeTopic: Database.Statement<[string, string]>

  constructor(
    database: Database.Database,
    payloads: Pick<PayloadStore, 'get' | 'replace'>,
    pending: PendingTopics,
    lists: Pick<AccountListStore, 'topics' | 'isTopicGoing' | 'topicDefaults'>,
  ) {
    this.#pending = pending
    this.#lists = lists
    this.#payloads = payloads
    this.#selectChoices = database.prepare(
      `SELECT substr(name, ${PREFIX.length + 1}) AS id, topic.value ->> 'subscription' AS subscription
       FROM payloads, json_each(iif(json_valid(wire), wire, '[]')) AS topic
       WHERE name GLOB '${PREFIX}*' AND instr(wire, ?) > 0 AND topic.value ->> 'id' = ? AND topic.value ->> 'subscription' IS NOT NULL`,
    )
    this.#removeTopic = database.prepare(
      `UPDATE payloads
       SET wire = (SELECT json_group_array(json(value)) FROM json_each(wire) WHERE value ->> 'id' <> ?)
       WHERE name GLOB '${PREFIX}*' AND instr(wire, ?) > 0 AND json_valid(wire)`,
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
    return this.#payloads.replace(topicsName(contactId), serializePayloads(topics), fetchedAt)
  }

  /** Stores a confirmed subscription, also to a topic that is too new for the contact's stored list. */
  storeSubscription(contactId: string, topicId: string, subscription: string): void {
    const stored = this.#find(contactId)
    if (stored === undefined) return
    const listed = stored.topics.find(({ id }) => id === topicId)
    const topic = createTopicSubscription(topicId, subscription, listed)
    const topics =
      listed === undefined ? [topic, ...stored.topics] : stored.topics.map((each) => (each === listed ? topic : each))
    this.replaceAll(contactId, topics, stored.fetchedAt)
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
    const row = this.#payloads.get(topicsName(contactId))
    const topics = row === undefined ? null : topicParser.storedList(row.wire)
    return row === undefined || topics === null ? undefined : { fetchedAt: row.fetchedAt, topics }
  }
}
