import { z } from 'zod'
import type {
  Contact,
  ContactChange,
  ContactProperty,
  PropertyValue,
  Segment,
  Topic,
  TopicSubscription,
} from '../../shared/people.ts'
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

const wireProperty = z.looseObject({ id, key: z.string().min(1), type: text, fallback_value: z.unknown() })
type WireProperty = z.infer<typeof wireProperty>

export interface FetchedContact extends Contact, Said<WireContact> {
  readonly createdAt: number
}

export interface FetchedTopic extends Omit<TopicSubscription, 'subscription'>, Said<WireTopic> {
  /** Null where the platform does not say. */
  readonly subscription: string | null
}

export interface FetchedSegment extends Segment, Said<WireSegment> {}

export interface FetchedProperty extends ContactProperty, Said<WireProperty> {}

/** What somebody is made as. */
export interface NewContact extends Pick<Contact, 'email' | 'firstName' | 'lastName'> {
  readonly unsubscribed?: boolean | undefined
  readonly properties?: Contact['properties'] | undefined
  readonly segments?: readonly string[] | undefined
  readonly topics?: readonly { readonly id: string; readonly subscription: string }[] | undefined
}

/** A property's value: plain, as `{ value, type }`, or absent (platform facts 5, "properties"). */
const toPropertyValue = (value: unknown): PropertyValue => {
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

const toProperty = (wire: WireProperty): FetchedProperty => ({
  id: wire.id,
  key: wire.key,
  type: wire.type ?? 'string',
  fallback: toPropertyValue(wire.fallback_value),
  [WORDS]: wire,
})

/** A contact's topic that the list of theirs did not have yet. */
export const subscriptionTo = ({ id: topicId, name, description }: Topic, subscription: string): FetchedTopic =>
  toTopic({ id: topicId, name, description, subscription })

/** A change as the platform takes it: only what is changed, so that what another client changed stays. */
const wireChange = ({ firstName, lastName, unsubscribed, properties }: ContactChange) => ({
  ...(firstName !== undefined && { first_name: firstName }),
  ...(lastName !== undefined && { last_name: lastName }),
  ...(unsubscribed !== undefined && { unsubscribed }),
  ...(properties !== undefined && Object.keys(properties).length > 0 && { properties }),
})

/** The same contact, as the platform would send it after confirming a change. */
export const withContactChange = (contact: FetchedContact, change: ContactChange): FetchedContact => {
  const { properties = {}, ...fields } = wireChange(change)
  const all = Object.entries({ ...contact[WORDS].properties, ...properties }).filter(([, value]) => value !== null)
  return toContact({ ...contact[WORDS], ...fields, properties: Object.fromEntries(all) })
}

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
const readProperties = readPageOf(wireProperty, toProperty)

/** Topics or segments of a contact as JSON. */
export const textOfAll = (items: readonly Said[]): string => JSON.stringify(items.map((item) => item[WORDS]))

/** A list as it was kept; null where the text was damaged. */
export const readKeptList =
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
export const readKeptProperties = readKeptList(wireProperty, toProperty)

/** A segment that was made, or renamed, by this computer. */
export const segmentNamed = (segmentId: string, name: string): FetchedSegment => toSegment({ id: segmentId, name })

interface ImportedTable {
  readonly contacts: readonly {
    readonly email: string
    readonly firstName?: string | undefined
    readonly lastName?: string | undefined
    readonly unsubscribed?: boolean | undefined
    readonly properties?: Readonly<Record<string, string | number>> | undefined
  }[]
  readonly numbers: readonly string[]
  readonly segmentId: string | null
}

/** A row of RFC 4180. */
const writeRow = (cells: readonly (string | number | boolean | undefined)[]): string =>
  `${cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`

const wireImport = z.looseObject({ status: text, counts: z.looseObject({ failed: z.number() }).nullish().catch(null) })

/** A state that is not known is one in which the platform is at work. */
const readImport = readWith(wireImport, ({ status, counts }) => ({
  state: status === 'completed' || status === 'failed' ? status : ('working' as const),
  failed: counts?.failed ?? 0,
}))

/** @param now wall time, milliseconds since the epoch */
export const contactCalls = (requests: Requests, now: () => number) => ({
  listContacts: async (options: PageOptions) => requests.page(readContacts, path`/contacts`, options),

  /** Platform facts 5, by ID or by address. */
  getContact: async (idOrAddress: string, options: CallOptions) =>
    readContact(await requests.get(path`/contacts/${idOrAddress}`, options)),

  /**
   * Platform facts 5: changes the contact that already has this address. The answer has only the ID; the rest of what is
   * returned is what was sent.
   */
  createContact: async (made: NewContact, options: CallOptions): Promise<FetchedContact> => {
    const { email, firstName, lastName, unsubscribed, properties, segments = [], topics = [] } = made
    const body = {
      email,
      ...wireChange({ firstName: firstName ?? undefined, lastName: lastName ?? undefined, unsubscribed, properties }),
      ...(segments.length > 0 && { segments: segments.map((segmentId) => ({ id: segmentId })) }),
      ...(topics.length > 0 && { topics }),
    }
    const contactId = readMadeId(await requests.post(path`/contacts`, body, options))
    const createdAt = writePlatformTime(now())
    return toContact({
      id: contactId,
      email,
      first_name: firstName,
      last_name: lastName,
      created_at: createdAt,
      unsubscribed: unsubscribed ?? false,
      ...(properties !== undefined && { properties }),
    })
  },

  /** Platform facts 5: sends only what is changed. */
  updateContact: async (contactId: string, change: ContactChange, options: CallOptions): Promise<void> => {
    await requests.patch(path`/contacts/${contactId}`, wireChange(change), options)
  },

  /** Platform facts 5, by ID or by address. */
  deleteContact: async (idOrAddress: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/contacts/${idOrAddress}`, options)
  },

  /** Platform facts 5: all segments that a contact is in. */
  listContactSegments: async (contactId: string, options: CallOptions) =>
    requests.all(readSegments, path`/contacts/${contactId}/segments`, options),

  /** Platform facts 5: puts a contact into a segment. */
  addToSegment: async (contactId: string, segmentId: string, options: CallOptions): Promise<void> => {
    await requests.post(path`/contacts/${contactId}/segments/${segmentId}`, {}, options)
  },

  /** Platform facts 5: takes a contact out of a segment. */
  removeFromSegment: async (contactId: string, segmentId: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/contacts/${contactId}/segments/${segmentId}`, options)
  },

  /** Platform facts 5: all segments of the account. */
  listSegments: async (options: CallOptions) => requests.all(readSegments, path`/segments`, options),

  /** Platform facts 5: the contacts of a segment, newest first. */
  listSegmentContacts: async (segmentId: string, options: PageOptions) =>
    requests.page(readContacts, path`/segments/${segmentId}/contacts`, options),

  /** Platform facts 5. @returns its ID */
  createSegment: async (name: string, options: CallOptions): Promise<string> =>
    readMadeId(await requests.post(path`/segments`, { name }, options)),

  /** Platform facts 5. */
  renameSegment: async (segmentId: string, name: string, options: CallOptions): Promise<void> => {
    await requests.patch(path`/segments/${segmentId}`, { name }, options)
  },

  /** Platform facts 5: one that is not there is deleted as well. */
  deleteSegment: async (segmentId: string, options: CallOptions): Promise<void> => {
    await requests.delete(path`/segments/${segmentId}`, options)
  },

  /** Platform facts 5: all properties that contacts of the account can have. */
  listContactProperties: async (options: CallOptions) =>
    requests.all(readProperties, path`/contact-properties`, options),

  /** Platform facts 5. @returns its ID */
  createContactProperty: async (key: string, type: 'string' | 'number', options: CallOptions): Promise<string> =>
    readMadeId(await requests.post(path`/contact-properties`, { key, type }, options)),

  /**
   * Platform facts 5: adds contacts and changes those that are there, by their addresses; what is left out stays as it is.
   * @param numbers keys of properties that take numbers
   * @returns the ID of what the platform does with them
   */
  importContacts: async ({ contacts, numbers, segmentId }: ImportedTable, options: CallOptions): Promise<string> => {
    const keys = [...new Set(contacts.flatMap(({ properties }) => Object.keys(properties ?? {})))]
    const columns = keys.map((_key, at) => `property_${at + 1}`)
    const rows = contacts.map(({ email, firstName, lastName, unsubscribed, properties }) => [
      ...[email, firstName, lastName, unsubscribed],
      ...keys.map((key) => properties?.[key]),
    ])
    const form = new FormData()
    const table = [['email', 'first_name', 'last_name', 'unsubscribed', ...columns], ...rows]
    form.set('file', new Blob([table.map(writeRow).join('')], { type: 'text/csv' }), 'contacts.csv')
    form.set('on_conflict', 'upsert')
    form.set(
      'column_map',
      JSON.stringify({
        ...{ email: 'email', first_name: 'first_name', last_name: 'last_name', unsubscribed: 'unsubscribed' },
        properties: Object.fromEntries(
          keys.map((key, at) => [
            key,
            { column: columns[at] ?? '', type: numbers.includes(key) ? 'number' : 'string' },
          ]),
        ),
      }),
    )
    if (segmentId !== null) form.set('segments', JSON.stringify([{ id: segmentId }]))
    return readMadeId(await requests.postForm(path`/contacts/imports`, form, options))
  },

  /** Platform facts 5. @returns how far an import is, and how many of its contacts the platform did not take */
  getContactImport: async (importId: string, options: CallOptions) =>
    readImport(await requests.get(path`/contacts/imports/${importId}`, options)),

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
