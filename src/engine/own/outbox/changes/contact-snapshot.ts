import type { FetchedContact } from '../../../platform/resources/contacts.ts'
import type { Contact, ContactChange, PropertyValue } from '../../../../shared/people.ts'
import type { Cache } from '../../../store/cache.ts'
import type { SubjectState, WaitingChange } from '../change.ts'

/**
 * A contact as text fields for the queue. `contact` is `NONE`, or a snapshot to recreate a deleted contact from. Other
 * fields change one by one, so that a colleague's edits to the rest survive.
 */
export const EXISTENCE_FIELD = 'contact'
export const NOT_EXISTING = ''
const FIRST_NAME = 'first_name'
const LAST_NAME = 'last_name'
const UNSUBSCRIBED = 'unsubscribed'
const PROPERTY = 'property:'
const SEGMENT = 'segment:'
const NO_VALUE = 'null'

export const isSegmentField = (field: string): boolean => field.startsWith(SEGMENT)
export const toSegmentField = (segmentId: string): string => SEGMENT + segmentId
export const segmentIdOf = (field: string): string => field.slice(SEGMENT.length)

/** True for fields that this change type owns; topics are changed separately. */
export const isContactField = (field: string): boolean =>
  [EXISTENCE_FIELD, FIRST_NAME, LAST_NAME, UNSUBSCRIBED].includes(field) ||
  field.startsWith(PROPERTY) ||
  isSegmentField(field)

export interface ContactSnapshot extends Pick<
  Contact,
  'email' | 'firstName' | 'lastName' | 'unsubscribed' | 'properties'
> {
  readonly segments: readonly string[]
  /** Topics with a state chosen for this contact, if known. */
  readonly topics: readonly { readonly id: string; readonly subscription: string }[]
  /** The local change that created it, if any (`contact.ts`). */
  readonly madeBy: string | null
}

const ordered = (properties: Contact['properties']): Contact['properties'] =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, value]) => value !== null)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

/** Equal contacts give the same text, whatever the order of their parts. */
export const serializeContactSnapshot = (all: ContactSnapshot): string => {
  const { email, firstName, lastName, unsubscribed, properties, segments, topics, madeBy } = all
  return JSON.stringify({
    ...{ email, firstName, lastName, unsubscribed },
    properties: ordered(properties),
    segments: segments.toSorted(),
    topics: topics.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    madeBy,
  })
}

export const parseContactSnapshot = (text: string): ContactSnapshot => JSON.parse(text) as ContactSnapshot

/** All fields but `EXISTENCE`. */
export const toContactFields = (snapshot: Omit<ContactSnapshot, 'email' | 'madeBy' | 'topics'>): SubjectState =>
  new Map([
    [FIRST_NAME, snapshot.firstName ?? ''],
    [LAST_NAME, snapshot.lastName ?? ''],
    [UNSUBSCRIBED, String(snapshot.unsubscribed)],
    ...Object.entries(snapshot.properties).flatMap(([key, value]) =>
      value === null ? [] : [[PROPERTY + key, JSON.stringify(value)] as const],
    ),
    ...snapshot.segments.map((segmentId) => [toSegmentField(segmentId), 'true'] as const),
  ])

/** Value of a field that isn't set on an existing contact. */
export const getEmptyValue = (field: string): string => {
  if (isSegmentField(field) || field === UNSUBSCRIBED) return 'false'
  return field.startsWith(PROPERTY) ? NO_VALUE : ''
}

export const toContactState = (snapshot: ContactSnapshot | null): SubjectState =>
  snapshot === null
    ? new Map()
    : new Map([...toContactFields(snapshot), [EXISTENCE_FIELD, serializeContactSnapshot(snapshot)]])

const nameOf = (text: string): string | null => (text === '' ? null : text)

/** Reads a change from field texts, without segments. */
export const parseContactChange = (fields: Iterable<Pick<WaitingChange, 'field' | 'wanted'>>): ContactChange => {
  const change: { -readonly [Name in keyof ContactChange]: ContactChange[Name] } = {}
  const properties: [string, PropertyValue][] = []
  for (const { field, wanted } of fields) {
    if (field === FIRST_NAME) change.firstName = nameOf(wanted)
    else if (field === LAST_NAME) change.lastName = nameOf(wanted)
    else if (field === UNSUBSCRIBED) change.unsubscribed = wanted === 'true'
    else if (field.startsWith(PROPERTY)) {
      properties.push([field.slice(PROPERTY.length), JSON.parse(wanted) as PropertyValue])
    }
  }
  return properties.length === 0 ? change : { ...change, properties: Object.fromEntries(properties) }
}

/** Reverses `parseContactChange`. */
export const serializeContactChange = ({
  firstName,
  lastName,
  unsubscribed,
  properties = {},
}: ContactChange): SubjectState =>
  new Map([
    ...(firstName === undefined ? [] : [[FIRST_NAME, firstName ?? ''] as const]),
    ...(lastName === undefined ? [] : [[LAST_NAME, lastName ?? ''] as const]),
    ...(unsubscribed === undefined ? [] : [[UNSUBSCRIBED, String(unsubscribed)] as const]),
    ...Object.entries(properties).map(([key, value]) => [PROPERTY + key, JSON.stringify(value)] as const),
  ])

export const applyFieldChanges = (
  snapshot: ContactSnapshot,
  fields: readonly Pick<WaitingChange, 'field' | 'wanted'>[],
): ContactSnapshot => {
  const { firstName = snapshot.firstName, lastName = snapshot.lastName, ...change } = parseContactChange(fields)
  const segments = new Set(snapshot.segments)
  for (const { field, wanted } of fields) {
    if (isSegmentField(field)) segments[wanted === 'true' ? 'add' : 'delete'](segmentIdOf(field))
  }
  return {
    ...snapshot,
    ...{ firstName, lastName },
    unsubscribed: change.unsubscribed ?? snapshot.unsubscribed,
    properties: ordered({ ...snapshot.properties, ...change.properties }),
    segments: [...segments].toSorted(),
  }
}

type CacheStores = Pick<Cache, 'contacts' | 'segments' | 'topics' | 'accountLists'>

/** Builds a snapshot from a contact that the platform just returned, adding what is cached about it. */
export const buildContactSnapshot = (
  cache: CacheStores,
  contactId: string,
  { email, firstName, lastName, unsubscribed, properties }: FetchedContact,
  madeBy: string | null,
): ContactSnapshot => {
  const defaults = cache.accountLists.topicDefaults()
  const topics = cache.topics.ofContact(contactId)?.topics ?? []
  return {
    ...{ email, firstName, lastName, unsubscribed, properties },
    segments: [...cache.segments.idsOf(contactId)],
    // A state equal to the topic's default may not be a choice (platform.md 19.3), so don't make it one.
    topics: topics.flatMap(({ id, subscription }) =>
      subscription === '' || defaults.get(id) === subscription ? [] : [{ id, subscription }],
    ),
    madeBy,
  }
}

/** Snapshot of a contact from the platform's cached state, or null. */
export const findContactSnapshot = (cache: CacheStores, contactId: string): ContactSnapshot | null => {
  const kept = cache.contacts.server(contactId)
  return kept === undefined ? null : buildContactSnapshot(cache, contactId, kept.contact, kept.madeBy)
}
