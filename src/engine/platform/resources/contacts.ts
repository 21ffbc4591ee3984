import { z } from 'zod'
import type {
  Contact,
  ContactChange,
  ContactProperty,
  PropertyValue,
  Segment,
  TopicSubscription,
} from '../../../shared/people.ts'
import { apiPath } from '../api-path.ts'
import {
  wireFlag,
  wireId,
  createParser,
  parseCreatedId,
  wireText,
  RAW_PAYLOAD,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests } from '../requests.ts'

const wireContact = z.looseObject({
  id: wireId,
  email: wireText,
  first_name: wireText,
  last_name: wireText,
  created_at: wireText,
  unsubscribed: wireFlag,
  properties: z.record(z.string(), z.unknown()).nullable().optional().catch(undefined),
})
type WireContact = z.infer<typeof wireContact>

const wireTopic = z.looseObject({ id: wireId, name: wireText, description: wireText, subscription: wireText })
type WireTopic = z.infer<typeof wireTopic>

const wireSegment = z.looseObject({ id: wireId, name: wireText })
type WireSegment = z.infer<typeof wireSegment>

const wireProperty = z.looseObject({ id: wireId, key: z.string().min(1), type: wireText, fallback_value: z.unknown() })
type WireProperty = z.infer<typeof wireProperty>

export interface FetchedContact extends Contact, RawPayload<WireContact> {
  readonly createdAt: number
}

export interface FetchedTopic extends Omit<TopicSubscription, 'subscription'>, RawPayload<WireTopic> {
  readonly subscription: string | null
}

export interface FetchedSegment extends Segment, RawPayload<WireSegment> {}

export interface FetchedProperty extends ContactProperty, RawPayload<WireProperty> {}

export interface NewContact extends Pick<Contact, 'email' | 'firstName' | 'lastName'> {
  readonly unsubscribed?: boolean | undefined
  readonly properties?: Contact['properties'] | undefined
  readonly segments?: readonly string[] | undefined
  readonly topics?: readonly { readonly id: string; readonly subscription: string }[] | undefined
}

/** Reads a property value: plain, as `{ value, type }`, or absent (platform.md 18.2). */
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
  [RAW_PAYLOAD]: wire,
})

const toTopic = (wire: WireTopic): FetchedTopic => ({
  id: wire.id,
  name: wire.name ?? wire.id,
  description: wire.description ?? null,
  subscription: wire.subscription ?? null,
  [RAW_PAYLOAD]: wire,
})

const toSegment = (wire: WireSegment): FetchedSegment => ({
  id: wire.id,
  name: wire.name ?? wire.id,
  [RAW_PAYLOAD]: wire,
})

const toProperty = (wire: WireProperty): FetchedProperty => ({
  id: wire.id,
  key: wire.key,
  type: wire.type ?? 'string',
  fallback: toPropertyValue(wire.fallback_value),
  [RAW_PAYLOAD]: wire,
})

/** A contact's choice. @param listed the topic as its list has it, if it does */
export const createTopicSubscription = (topicId: string, subscription: string, listed?: FetchedTopic): FetchedTopic =>
  toTopic({ ...listed?.[RAW_PAYLOAD], id: topicId, subscription })

/** Sends only changed fields, to keep other clients' changes. */
const toWireChange = ({ firstName, lastName, unsubscribed, properties }: ContactChange) => ({
  ...(firstName !== undefined && { first_name: firstName }),
  ...(lastName !== undefined && { last_name: lastName }),
  ...(unsubscribed !== undefined && { unsubscribed }),
  ...(properties !== undefined && Object.keys(properties).length > 0 && { properties }),
})

export const withContactChange = (contact: FetchedContact, change: ContactChange): FetchedContact => {
  const { properties = {}, ...fields } = toWireChange(change)
  const all = Object.entries({ ...contact[RAW_PAYLOAD].properties, ...properties }).filter(
    ([, value]) => value !== null,
  )
  return toContact({ ...contact[RAW_PAYLOAD], ...fields, properties: Object.fromEntries(all) })
}

/** A contact as it is about to be created. @param createdAt the platform's time format; omitted until it is created */
export const createLocalContact = (
  contactId: string,
  { email, firstName, lastName, unsubscribed = false, properties }: NewContact,
  createdAt?: string,
): FetchedContact =>
  toContact({
    id: contactId,
    email,
    first_name: firstName,
    last_name: lastName,
    created_at: createdAt,
    unsubscribed,
    ...(properties !== undefined && { properties }),
  })

/** Placeholder for a contact whose cached payload is lost. @param createdAt milliseconds since the epoch */
export const createPlaceholderContact = (contactId: string, createdAt: number): FetchedContact =>
  toContact({ id: contactId, created_at: formatPlatformTime(createdAt) })

export const contactParser = createParser(wireContact, toContact)
export const topicParser = createParser(wireTopic, toTopic)
export const segmentParser = createParser(wireSegment, toSegment)
export const propertyParser = createParser(wireProperty, toProperty)

export const serializePayloads = (items: readonly RawPayload[]): string =>
  JSON.stringify(items.map((item) => item[RAW_PAYLOAD]))

export const toNamedSegment = (segmentId: string, name: string): FetchedSegment => toSegment({ id: segmentId, name })

interface ImportedTable {
  readonly contacts: readonly (ContactChange & Pick<Contact, 'email'>)[]
  readonly numbers: readonly string[]
  readonly segmentId: string | null
}

/** A CSV row (RFC 4180). */
const formatCsvRow = (cells: readonly (PropertyValue | undefined)[]): string =>
  `${cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`

const wireImport = z.looseObject({
  status: wireText,
  counts: z.looseObject({ failed: z.number() }).nullish().catch(null),
})

/** Unknown states mean that the import is still running. */
const parseImport = createParser(wireImport, ({ status, counts }) => ({
  state: status === 'completed' || status === 'failed' ? status : ('working' as const),
  failed: counts?.failed ?? 0,
})).one

/** See platform.md 18. @param now wall time, milliseconds since the epoch */
export const createContactCalls = (requests: Requests, now: () => number) => ({
  listContacts: async (options: PageOptions) => requests.page(contactParser.page, apiPath`/contacts`, options),

  getContact: async (idOrAddress: string, options: CallOptions) =>
    contactParser.one(await requests.get(apiPath`/contacts/${idOrAddress}`, options)),

  /** If a contact with this address exists, updates it. The response has only an ID; the other fields are as sent. */
  createContact: async (made: NewContact, options: CallOptions): Promise<FetchedContact> => {
    const { email, firstName, lastName, unsubscribed, properties, segments = [], topics = [] } = made
    const body = {
      email,
      ...toWireChange({ firstName: firstName ?? undefined, lastName: lastName ?? undefined, unsubscribed, properties }),
      ...(segments.length > 0 && { segments: segments.map((segmentId) => ({ id: segmentId })) }),
      ...(topics.length > 0 && { topics }),
    }
    const contactId = parseCreatedId(await requests.post(apiPath`/contacts`, body, options))
    return createLocalContact(contactId, made, formatPlatformTime(now()))
  },

  updateContact: async (contactId: string, change: ContactChange, options: CallOptions) =>
    requests.patch(apiPath`/contacts/${contactId}`, toWireChange(change), options),

  deleteContact: async (idOrAddress: string, options: CallOptions) =>
    requests.delete(apiPath`/contacts/${idOrAddress}`, options),

  listContactSegments: async (contactId: string, options: CallOptions) =>
    requests.all(segmentParser.page, apiPath`/contacts/${contactId}/segments`, options),

  addToSegment: async (contactId: string, segmentId: string, options: CallOptions) =>
    requests.post(apiPath`/contacts/${contactId}/segments/${segmentId}`, {}, options),

  removeFromSegment: async (contactId: string, segmentId: string, options: CallOptions) =>
    requests.delete(apiPath`/contacts/${contactId}/segments/${segmentId}`, options),

  listSegments: async (options: CallOptions) => requests.all(segmentParser.page, apiPath`/segments`, options),

  /** Newest first. */
  listSegmentContacts: async (segmentId: string, options: PageOptions) =>
    requests.page(contactParser.page, apiPath`/segments/${segmentId}/contacts`, options),

  /** @returns its ID */
  createSegment: async (name: string, options: CallOptions): Promise<string> =>
    parseCreatedId(await requests.post(apiPath`/segments`, { name }, options)),

  renameSegment: async (segmentId: string, name: string, options: CallOptions) =>
    requests.patch(apiPath`/segments/${segmentId}`, { name }, options),

  /** Succeeds for a segment that doesn't exist. */
  deleteSegment: async (segmentId: string, options: CallOptions) =>
    requests.delete(apiPath`/segments/${segmentId}`, options),

  listContactProperties: async (options: CallOptions) =>
    requests.all(propertyParser.page, apiPath`/contact-properties`, options),

  /** @returns its ID */
  createContactProperty: async (key: string, type: 'string' | 'number', options: CallOptions): Promise<string> =>
    parseCreatedId(await requests.post(apiPath`/contact-properties`, { key, type }, options)),

  /**
   * Adds contacts or updates them by address; omitted fields stay. @param numbers names of numeric properties @returns
   * the import's ID
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
    form.set('file', new Blob([table.map(formatCsvRow).join('')], { type: 'text/csv' }), 'contacts.csv')
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
    return parseCreatedId(await requests.postForm(apiPath`/contacts/imports`, form, options))
  },

  /** @returns the import's progress, and the number of rejected contacts */
  getContactImport: async (importId: string, options: CallOptions) =>
    parseImport(await requests.get(apiPath`/contacts/imports/${importId}`, options)),

  /** @param contactId ID or address */
  listContactTopics: async (contactId: string, options: CallOptions) =>
    requests.all(topicParser.page, apiPath`/contacts/${contactId}/topics`, options),

  /** The request body is the array itself, without a wrapping object. */
  setContactTopic: async (contactId: string, topicId: string, subscription: string, options: CallOptions) =>
    requests.patch(apiPath`/contacts/${contactId}/topics`, [{ id: topicId, subscription }], options),
})
