import type { Topic, TopicChange } from '../../shared/people.ts'
import {
  propertyParser,
  segmentParser,
  serializePayloads,
  type FetchedProperty,
  type FetchedSegment,
} from '../platform/resources/contacts.ts'
import type { PayloadStore } from './payloads.ts'
import { accountTopicParser, type FetchedAccountTopic } from '../platform/resources/topics.ts'

interface AccountLists {
  readonly segments: FetchedSegment
  readonly properties: FetchedProperty
  readonly topics: FetchedAccountTopic
}

interface StoredList<Item> {
  readonly items: readonly Item[]
  /** Milliseconds since the epoch; null if never fetched. */
  readonly fetchedAt: number | null
}

const READERS: { readonly [Name in keyof AccountLists]: (kept: string) => readonly AccountLists[Name][] | null } = {
  segments: segmentParser.storedList,
  properties: propertyParser.storedList,
  topics: accountTopicParser.storedList,
}

export interface PendingAccountTopics {
  /** Pending new topics, newest first. */
  readonly made: readonly Topic[]
  readonly deleted: ReadonlySet<string>
  readonly changes: ReadonlyMap<string, TopicChange>
}

export type PendingTopicsReader = () => PendingAccountTopics

const NO_PENDING_ACCOUNT_TOPICS: PendingAccountTopics = { made: [], deleted: new Set(), changes: new Map() }

/** The account's segments, contact properties and topics. */
export class AccountListStore {
  readonly #pending: PendingTopicsReader
  #changes = 0
  readonly #payloads: Pick<PayloadStore, 'get' | 'replace'>

  constructor(
    payloads: Pick<PayloadStore, 'get' | 'replace'>,
    pending: PendingTopicsReader = () => NO_PENDING_ACCOUNT_TOPICS,
  ) {
    this.#payloads = payloads
    this.#pending = pending
  }

  /** A damaged list counts as never fetched. */
  get<Name extends keyof AccountLists>(name: Name): StoredList<AccountLists[Name]> {
    const row = this.#payloads.get(name)
    const items = row === undefined ? null : READERS[name](row.wire)
    return row === undefined || items === null ? { items: [], fetchedAt: null } : { items, fetchedAt: row.fetchedAt }
  }

  /** @returns true if anything has changed */
  replace<Name extends keyof AccountLists>(
    name: Name,
    items: readonly AccountLists[Name][],
    fetchedAt: number,
  ): boolean {
    return this.#payloads.replace(name, serializePayloads(items), fetchedAt)
  }

  /** Applies a local change to a list. The list's fetch time stays the same. */
  change<Name extends keyof AccountLists>(
    name: Name,
    change: (items: readonly AccountLists[Name][]) => readonly AccountLists[Name][],
  ): void {
    const { items, fetchedAt } = this.get(name)
    this.#changes += 1
    if (fetchedAt !== null) this.replace(name, change(items), fetchedAt)
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
