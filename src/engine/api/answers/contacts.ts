import { z } from 'zod'
import type { Contact, Segment, TopicSubscription } from '../../../shared/model.ts'
import { toTime, writePlatformTime } from '../platform-time.ts'
import {
  wireContact,
  wireReference,
  wireSegment,
  wireTopic,
  WORDS,
  type WireContact,
  type WireSegment,
  type WireTopic,
} from '../wire.ts'
import { readKeptWith, readPageOf, readWith } from './read-answer.ts'
import type { Said } from './words.ts'

export interface FetchedContact extends Contact, Said<WireContact> {
  readonly createdAt: number
}

/** A contact's topic. */
export interface FetchedTopic extends Omit<TopicSubscription, 'subscription'>, Said<WireTopic> {
  /** Null where the platform does not say. */
  readonly subscription: string | null
}

/** A segment that a contact is in. */
export interface FetchedSegment extends Segment, Said<WireSegment> {}

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

const toSegment = (wire: WireSegment): FetchedSegment => ({ id: wire.id, name: wire.name ?? wire.id, [WORDS]: wire })

/** A contact of which the words are lost. @param createdAt milliseconds since the epoch */
export const bareContact = (id: string, createdAt: number): FetchedContact =>
  toContact({ id, created_at: writePlatformTime(createdAt) })

/** A contact that was just made, of which the platform has told the ID alone. @param createdAt milliseconds since the epoch */
export const madeContact = (
  id: string,
  { email, firstName, lastName }: Pick<Contact, 'email' | 'firstName' | 'lastName'>,
  createdAt: number,
): FetchedContact =>
  toContact({
    id,
    email,
    first_name: firstName,
    last_name: lastName,
    created_at: writePlatformTime(createdAt),
    unsubscribed: false,
  })

/** The same topic, as the platform would tell it after a choice was confirmed. */
export const withSubscription = (topic: FetchedTopic, subscription: string): FetchedTopic =>
  toTopic({ ...topic[WORDS], subscription })

export const readContacts = readPageOf(wireContact, toContact)
export const readContact = readWith(wireContact, toContact)
/** The ID of a contact that was made. */
export const readMadeContact = readWith(wireReference, ({ id }) => id)
export const readKeptContact = readKeptWith(wireContact, toContact)
export const readTopics = readPageOf(wireTopic, toTopic)
export const readSegments = readPageOf(wireSegment, toSegment)

/** The topics of a contact as JSON. */
export const textOfTopics = (topics: readonly FetchedTopic[]): string =>
  JSON.stringify(topics.map((topic) => topic[WORDS]))

/** A list as it was kept; null where the text was damaged. */
const readKeptList =
  <Schema extends z.ZodType, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (text: string): readonly Item[] | null => {
    try {
      return z.array(schema).safeParse(JSON.parse(text)).data?.map(toItem) ?? null
    } catch {
      return null
    }
  }

/** The topics of a contact as they were kept; null where the text was damaged. */
export const readKeptTopics = readKeptList(wireTopic, toTopic)

/** The segments of a contact as JSON. */
export const textOfSegments = (segments: readonly FetchedSegment[]): string =>
  JSON.stringify(segments.map((segment) => segment[WORDS]))

/** The segments of a contact as they were kept; null where the text was damaged. */
export const readKeptSegments = readKeptList(wireSegment, toSegment)
