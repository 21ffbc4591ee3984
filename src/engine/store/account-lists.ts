import type Database from 'better-sqlite3'
import type { Topic, TopicChange } from '../../shared/people.ts'
import {
  parseStoredProperties,
  parseStoredSegments,
  serializePayloads,
  type FetchedProperty,
  type FetchedSegment,
} from '../platform/resources/contacts.ts'
import { parseStoredAccountTopics, type FetchedAccountTopic } from '../platform/resources/topics.ts'

interface AccountLists {
  readonly segments: FetchedSegment
  readonly properties: FetchedProperty
  readonly topics: FetchedAccountTopic
}

interface Row {
  readonly fetched_at: number
  readonly wire: string
}

interface StoredList<Item> {
  readonly items: readonly Item[]
  /** Milliseconds since the epoch; null if never fetched. */
  readonly fetchedAt: number | null
}

const READERS: { readonly [Name in keyof AccountLists]: (kept: string) => readonly AccountLists[Name][] | null } = {
  segments: parseStoredSegments,
  properties: parseStoredProperties,
  topics: parseStoredAccountTopics,
}

export interface PendingAccountTopics {
  /** Pending new topics, newest first. */
  readonly made: readonly Topic[]
  readonly deleted: ReadonlySet<string>
  readonly changes: ReadonlyMap<string, TopicChange>
}

export type PendingTopicsReader = () => PendingAccountTopics

export const NO_PENDING_ACCOUNT_TOPICS: PendingAccountTopics = { made: [], deleted: new Set(), changes: new Map() }

/** The account's segments, contact properties and topics. */
export class AccountListStore {
  readonly #pending: PendingTopicsReader
  #changes = 0
  readonly #select: Database.Statement<[string], Row>
  readonly #replace: Database.Statement<[string, number, string]>

  constructor(database: Database.Database, pending: PendingTopicsReader = () => NO_PENDING_ACCOUNT_TOPICS) {
    this.#pending = pending
    this.#select = database.prepare('SELECT fetched_at, wire FROM account_lists WHERE name = ?')
    this.#replace = database.prepare(
      `INSERT INTO account_lists (name, fetched_at, wire) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET fetched_at = excluded.fetched_at, wire = excluded.wire`,
    )
  }

  /** A damaged list counts as never fetched. */
  get<Name extends keyof AccountLists>(name: Name): StoredList<AccountLists[Name]> {
    const row = this.#select.get(name)
    const items = row === undefined ? null : READERS[name](row.wire)
    return row === undefined || items === null ? { items: [], fetchedAt: null } : { items, fetchedAt: row.fetched_at }
  }

  /** @returns true if anything has changed */
  replace<Name extends keyof AccountLists>(
    name: Name,
    items: readonly AccountLists[Name][],
    fetchedAt: number,
  ): boolean {
    const text = serializePayloads(items)
    const before = this.#select.get(name)
    this.#replace.run(name, fetchedAt, text)
    return before?.wire !== text
  }

  /** Applies a local change to a list. The list's fetch time stays the same. */
  change<Name extends keyof AccountLists>(
    name: Name,
    change: (items: readonly AccountLists[Name][]) => readonly AccountLists[Name][],
  ): void {
    const { items, fetchedAt } = this.get(name)
    this.#changes += 1
    if (fetchedAt !== null) this.#replace.run(name, fetchedAt, serializePayloads(change(items)))
  }

  /** Number of local changes. A response requested before the latest one is outdated. */
  changeCount(): number {
    return this.#changes
  }

  /** The account's topics with pending changes applied. */
  topics(): readonly Topic[] {
    const { made, deleted, changes } = this.#pending()
    const kept = this.get('topics')
      .items.filter(({ id }) => !deleted.has(id))
      .map(({ id, name, description, visibility, byDefault, createdAt }) => ({
        ...{ id, name, description, visibility, byDefault, createdAt },
        ...changes.get(id),
      }))
    return [...made, ...kept]
  }

  /** True if a deletion of the topic is pending. */
  isTopicGoing(topicId: string): boolean {
    return this.#pending().deleted.has(topicId)
  }

  /**
   * Default subscription by topic ID, for contacts without a choice of their own. Omits topics whose default is
   * unknown.
   */
  topicDefaults(): ReadonlyMap<string, string> {
    return new Map(this.get('topics').items.flatMap(({ id, byDefault }) => (byDefault === '' ? [] : [[id, byDefault]])))
  }
}
