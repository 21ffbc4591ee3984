import { z } from 'zod'
import type { Contact, TopicSubscription } from '../../../shared/model.ts'
import { toTime, writePlatformTime } from '../platform-time.ts'
import { wireContact, wireTopic, WORDS, type WireContact, type WireTopic } from '../wire.ts'
import { readKeptWith, readPageOf } from './read-answer.ts'
import type { Said } from './words.ts'

export interface FetchedContact extends Contact, Said<WireContact> {}

/** A contact's topic. */
export interface FetchedTopic extends Omit<TopicSubscription, 'subscription'>, Said<WireTopic> {
  /** Null where the platform does not say. */
  readonly subscription: string | null
}

/** A property's value: plain, as `{ value, type }`, or absent (platform facts 5, "properties"). */
const toPropertyValue = (value: unknown): string | number | boolean | null => {
  const plain = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : null
}

const toContact = (wire: WireContact): FetchedContact => ({
  id: wire.id,
  email: wire.email ?? '',
  firstName: wire.first_name ?? null,
  lastName: wire.last_name ?? null,
  createdAt: toTime(wire.created_at),
  unsubscribed: wire.unsubscribed ?? false,
  properties: Object.fromEntries(
    Object.entries(wire.properties ?? {}).map(([name, value]) => [name, toPropertyValue(value)]),
  ),
  [WORDS]: wire,
})

const toTopic = (wire: WireTopic): FetchedTopic => ({
  id: wire.id,
  name: wire.name ?? wire.id,
  description: wire.description ?? null,
  subscription: wire.subscription ?? null,
  [WORDS]: wire,
})

/** A contact of which the words are lost. @param createdAt milliseconds since the epoch */
export const bareContact = (id: string, createdAt: number): FetchedContact =>
  toContact({ id, created_at: writePlatformTime(createdAt) })

/** The same topic, as the platform would tell it after a choice was confirmed. */
export const withSubscription = (topic: FetchedTopic, subscription: string): FetchedTopic =>
  toTopic({ ...topic[WORDS], subscription })

export const readContacts = readPageOf(wireContact, toContact)
export const readKeptContact = readKeptWith(wireContact, toContact)
export const readTopics = readPageOf(wireTopic, toTopic)

/** The topics of a contact as JSON. */
export const textOfTopics = (topics: readonly FetchedTopic[]): string =>
  JSON.stringify(topics.map((topic) => topic[WORDS]))

/** The topics of a contact as they were kept; null where the text was damaged. */
export const readKeptTopics = (text: string): readonly FetchedTopic[] | null => {
  try {
    return z.array(wireTopic).safeParse(JSON.parse(text)).data?.map(toTopic) ?? null
  } catch {
    return null
  }
}
