import type { Contact, ContactChange, PropertyValue } from '../../../../shared/people.ts'
import type { NewContact } from '../../../platform/resources/contacts.ts'
import type { ChangeSubject } from '../change.ts'
import type { Attributes } from './created-entity.ts'

/**
 * A contact as text fields for the queue. Fields change one by one, so that a colleague's edits to the rest survive.
 * `contact` is its existence (`created-entity.ts`). Its attributes also include the address, the topics chosen for it
 * (`topic.ts`), and the ID of the change that created it here, if one did.
 */
export const CONTACT = 'contact'
export const EXISTENCE_FIELD = 'contact'
export const EMAIL = 'email'
export const MADE_BY = 'made_by'
export const FIRST_NAME = 'first_name'
export const LAST_NAME = 'last_name'
export const UNSUBSCRIBED = 'unsubscribed'
const PROPERTY = 'property:'
const SEGMENT = 'segment:'
const TOPIC = 'topic:'

/** @param contactId ID, or the address (`canonicalizeAddress`) of someone who has none yet */
export const contactSubject = (contactId: string): ChangeSubject => ({ kind: CONTACT, scope: '', id: contactId })

export const isPropertyField = (field: string): boolean => field.startsWith(PROPERTY)
export const propertyOf = (field: string): string => field.slice(PROPERTY.length)

export const isSegmentField = (field: string): boolean => field.startsWith(SEGMENT)
export const toSegmentField = (segmentId: string): string => SEGMENT + segmentId
export const segmentIdOf = (field: string): string => field.slice(SEGMENT.length)

export const isTopicField = (field: string): boolean => field.startsWith(TOPIC)
export const toTopicField = (topicId: string): string => TOPIC + topicId
export const topicIdOf = (field: string): string => field.slice(TOPIC.length)

/** True for fields that can be edited. */
export const isContactField = (field: string): boolean =>
  [FIRST_NAME, LAST_NAME, UNSUBSCRIBED].includes(field) || isPropertyField(field) || isSegmentField(field)

/** Value of a field that isn't set on an existing contact. */
export const getEmptyValue = (field: string): string => {
  if (isSegmentField(field) || field === UNSUBSCRIBED) return 'false'
  return isPropertyField(field) ? 'null' : ''
}

const nameOf = (text: string): string | null => (text === '' ? null : text)

/** Reads a change, without segments and topics. */
export const parseContactChange = (fields: Attributes): ContactChange => {
  const properties = Object.entries(fields).flatMap(([field, value]) =>
    isPropertyField(field) ? [[propertyOf(field), JSON.parse(value) as PropertyValue] as const] : [],
  )
  const { [FIRST_NAME]: firstName, [LAST_NAME]: lastName, [UNSUBSCRIBED]: unsubscribed } = fields
  return {
    ...(firstName !== undefined && { firstName: nameOf(firstName) }),
    ...(lastName !== undefined && { lastName: nameOf(lastName) }),
    ...(unsubscribed !== undefined && { unsubscribed: unsubscribed === 'true' }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}

/** Reverses `parseContactChange`. */
export const toContactFields = ({ firstName, lastName, unsubscribed, properties = {} }: ContactChange): Attributes => ({
  ...(firstName !== undefined && { [FIRST_NAME]: firstName ?? '' }),
  ...(lastName !== undefined && { [LAST_NAME]: lastName ?? '' }),
  ...(unsubscribed !== undefined && { [UNSUBSCRIBED]: String(unsubscribed) }),
  ...Object.fromEntries(Object.entries(properties).map(([key, value]) => [PROPERTY + key, JSON.stringify(value)])),
})

/** Changes to a contact's segments by ID: true to add it, false to remove it. */
export const parseSegments = (fields: Attributes): ReadonlyMap<string, boolean> =>
  new Map(
    Object.entries(fields).flatMap(([field, value]) =>
      isSegmentField(field) ? [[segmentIdOf(field), value === 'true'] as const] : [],
    ),
  )

export const toAttributes = (contact: NewContact): Attributes => ({
  [EMAIL]: contact.email,
  ...toContactFields(contact),
  ...Object.fromEntries((contact.segments ?? []).map((segmentId) => [toSegmentField(segmentId), 'true'])),
  ...Object.fromEntries((contact.topics ?? []).map(({ id, subscription }) => [toTopicField(id), subscription])),
})

/** Reverses `toAttributes`. */
export const parseNewContact = (attributes: Attributes): NewContact & Pick<Contact, 'unsubscribed' | 'properties'> => {
  const { firstName = null, lastName = null, unsubscribed = false, properties = {} } = parseContactChange(attributes)
  return {
    ...{ email: attributes[EMAIL] ?? '', firstName, lastName, unsubscribed, properties },
    segments: [...parseSegments(attributes)].flatMap(([id, isIn]) => (isIn ? [id] : [])),
    topics: Object.entries(attributes).flatMap(([field, subscription]) =>
      isTopicField(field) ? [{ id: topicIdOf(field), subscription }] : [],
    ),
  }
}

export const formatContactName = ({ firstName, lastName }: Pick<Contact, 'firstName' | 'lastName'>): string =>
  [firstName, lastName].filter((part) => part).join(' ')
