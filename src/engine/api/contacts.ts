import { z } from 'zod'
import type { Contact, Segment, TopicSubscription } from '../../shared/people.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { flag, id, readKeptWith, readMadeId, readPageOf, readWith, text, WORDS } from './read-answer.ts'
import type { CallOptions, PageOptions, Requests } from './requests.ts'
import type { Said } from './words.ts'

const wireContact = z.looseObject({
  id,
  email: text,
  first_name: text,
  last_name: text,
  created_at: text,
  unsubscribed: flag,
  properties: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
})
type WireContact = z.infer<typeof wireContact>

const wireTopic = z.looseObject({ id, name: text, description: text, subscription: text })
type WireTopic = z.infer<typeof wireTopic>

const wireSegment = z.looseObject({ id, name: text })
type WireSegment = z.infer<typeof wireSegment>

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

/** A contact whose kept answer is lost. @param createdAt milliseconds since the epoch */
export const bareContact = (contactId: string, createdAt: number): FetchedContact =>
  toContact({ id: contactId, created_at: writePlatformTime(createdAt) })

/** The same topic, as the platform would send it after confirming a choice. */
export const withSubscription = (topic: FetchedTopic, subscription: string): FetchedTopic =>
  toTopic({ ...topic[WORDS], subscription })

export const readContacts = readPageOf(wireContact, toContact)
const readContact = readWith(wireContact, toContact)
export const readKeptContact = readKeptWith(wireContact, toContact)
const readTopics = readPageOf(wireTopic, toTopic)
const readSegments = readPageOf(wireSegment, toSegment)

/** Topics or segments of a contact as JSON. */
export const textOfAll = (items: readonly Said[]): string => JSON.stringify(items.map((item) => item[WORDS]))

/** A list as it was kept; null where the text was damaged. */
const readKeptList =
  <Schema extends z.ZodType, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (kept: string): readonly Item[] | null => {
    try {
      return z.array(schema).safeParse(JSON.parse(kept)).data?.map(toItem) ?? null
    } catch {
      return null
    }
  }

export const readKeptTopics = readKeptList(wireTopic, toTopic)
export const readKeptSegments = readKeptList(wireSegment, toSegment)

/** @param now wall time, milliseconds since the epoch */
export const contactCalls = (requests: Requests, now: () => number) => ({
  /** Contract, 4. */
  listContacts: async (options: PageOptions) => requests.page(readContacts, path`/contacts`, options),

  /** Platform facts 5, by ID or by address. */
  getContact: async (idOrAddress: string, options: CallOptions) =>
    readContact(await requests.get(path`/contacts/${idOrAddress}`, options)),

  /**
   * Platform facts 5: changes the contact that already has this address. The answer has only the ID; the rest of what is
   * returned is what was sent.
   */
  createContact: async (
    { email, firstName, lastName }: Pick<Contact, 'email' | 'firstName' | 'lastName'>,
    options: CallOptions,
  ): Promise<FetchedContact> => {
    const names = {
      ...(firstName !== null && { first_name: firstName }),
      ...(lastName !== null && { last_name: lastName }),
    }
    const contactId = readMadeId(await requests.post(path`/contacts`, { email, ...names }, options))
    const createdAt = writePlatformTime(now())
    return toContact({
      id: contactId,
      email,
      first_name: firstName,
      last_name: lastName,
      created_at: createdAt,
      unsubscribed: false,
    })
  },

  /** Platform facts 5, by ID or by address. */
  deleteContact: async (idOrAddress: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/contacts/${idOrAddress}`, options)
  },

  /** Platform facts 5: all segments that a contact is in. */
  listContactSegments: async (contactId: string, options: CallOptions) =>
    requests.all(readSegments, path`/contacts/${contactId}/segments`, options),

  /** Contract, 5: all topics of a contact, by its ID or its address. */
  listContactTopics: async (contactId: string, options: CallOptions) =>
    requests.all(readTopics, path`/contacts/${contactId}/topics`, options),

  /** Platform facts 5: the bare array form. */
  setContactTopic: async (
    contactId: string,
    topicId: string,
    subscription: string,
    options: CallOptions,
  ): Promise<void> => {
    await requests.patch(path`/contacts/${contactId}/topics`, [{ id: topicId, subscription }], options)
  },
})
