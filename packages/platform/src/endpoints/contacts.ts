import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import {
  type ListQuery,
  toListResponse,
  listShape,
  paginationParameters,
  readPage,
  parsePageRequest,
} from '../http/pagination.ts'
import { isAddress } from '../mail/addresses.ts'
import type { Database } from '../storage/database.ts'
import {
  type ContactChange,
  type ContactRow,
  type SegmentRow,
  type TopicRow,
  addToSegment,
  loadAllProperties,
  changeContact,
  findContact,
  findSegment,
  findTopic,
  listPropertyValues,
  upsertContact,
  setTopicSubscription,
} from '../storage/contacts.ts'
import { isoTime, optionalText, createReferenceSchema, text, uuid } from './shapes.ts'

const sharedShape = {
  id: uuid,
  email: text,
  first_name: optionalText,
  last_name: optionalText,
  created_at: isoTime,
  unsubscribed: z.boolean(),
}

/** In a list, `properties` maps names to values (platform.md 18.2). */
const contactItemShape = z.strictObject({
  ...sharedShape,
  properties: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** For a single contact, `properties` gives each value with its type (platform.md 18.2). */
const contactShape = z.strictObject({
  object: z.literal('contact'),
  ...sharedShape,
  properties: z.record(
    z.string(),
    z.union([
      z.strictObject({ type: z.literal('string'), value: z.string() }),
      z.strictObject({ type: z.literal('number'), value: z.number() }),
    ]),
  ),
})

const changeFields = {
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  unsubscribed: z.boolean().optional(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).optional(),
}

export const subscriptionFields = z.array(z.object({ id: z.uuid(), subscription: z.enum(['opt_in', 'opt_out']) }))
export const segmentFields = z.array(z.object({ id: z.uuid() }))
const emailField = z.string().refine(isAddress, 'It must be an email address')

const createBody = z.object({
  email: emailField,
  ...changeFields,
  segments: segmentFields.optional(),
  topics: subscriptionFields.optional(),
})

export const contactEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/contacts',
    summary: 'List contacts, newest first',
    inContract: true,
    query: [...paginationParameters, { name: 'segment_id', description: 'Only the contacts of this segment.' }],
    answers: { 200: listShape(contactItemShape) },
    handle(request) {
      const segment = request.query.get('segment_id')
      return respondOk(
        listContacts(request, segment === null ? null : requireSegmentById(request.platform.db, segment)),
      )
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/contacts',
    summary: 'Create a contact, or change the one that has the address',
    body: createBody,
    answers: { 201: createReferenceSchema('contact') },
    handle: (request, body) => createContact(request, body, []),
  }),

  defineEndpoint({
    method: 'GET',
    path: '/contacts/:contact',
    summary: 'Retrieve a contact by id or e-mail address',
    answers: { 200: contactShape },
    handle: (request) => respondOk({ object: 'contact', ...showContact(request.platform.db, requireContact(request)) }),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/contacts/:contact',
    summary: 'Change a contact',
    body: z.object(changeFields),
    answers: { 200: createReferenceSchema('contact') },
    handle(request, body) {
      const { db } = request.platform
      const contact = requireContact(request)
      const change = parseChange(db, body)
      return () => respondOk({ object: 'contact', id: changeContact(db, contact, change).id })
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/contacts/:contact',
    summary: 'Delete a contact',
    answers: { 200: z.strictObject({ object: z.literal('contact'), contact: uuid, deleted: z.boolean() }) },
    handle(request) {
      const contact = requireContact(request)
      return () => {
        request.platform.db.run('DELETE FROM contacts WHERE seq = ?', contact.seq)
        return respondOk({ object: 'contact', contact: contact.id, deleted: true })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/segments/:segment/contacts',
    summary: 'List the contacts of a segment, newest first',
    query: paginationParameters,
    answers: { 200: listShape(contactItemShape) },
    handle: (request) => respondOk(listContacts(request, requireSegment(request))),
  }),

  defineEndpoint({
    method: 'POST',
    path: '/segments/:segment/contacts',
    summary: 'Create a contact in a segment',
    body: createBody,
    answers: { 201: createReferenceSchema('contact') },
    handle: (request, body) => createContact(request, body, [requireSegment(request)]),
  }),
]

function listContacts(request: ApiRequest, segment: SegmentRow | null) {
  const { db } = request.platform
  const listing: Pick<ListQuery, 'select' | 'values'> =
    segment === null
      ? { select: 'SELECT * FROM contacts', values: [] }
      : {
          select: `SELECT contacts.* FROM contacts JOIN contact_segments ON contact_seq = contacts.seq WHERE segment_seq = ?`,
          values: [segment.seq],
        }
  const page = readPage<ContactRow>(
    db,
    { ...listing, orderedBy: 'created_at', order: 'newest first' },
    parsePageRequest(request.query, null),
  )
  return toListResponse(page, (contact) => ({ ...showShared(contact), properties: listPropertyValues(contact) }))
}

function createContact(request: ApiRequest, body: z.infer<typeof createBody>, inSegments: readonly SegmentRow[]) {
  const { db, now } = request.platform
  const change = parseChange(db, body)
  const segments = [...inSegments, ...(body.segments ?? []).map(({ id }) => requireSegmentById(db, id))]
  const topics = (body.topics ?? []).map(({ id, subscription }) => ({ topic: requireTopicById(db, id), subscription }))
  return () => {
    const contact = upsertContact(db, body.email, change, now())
    for (const segment of segments) addToSegment(db, contact.seq, segment.seq)
    for (const { topic, subscription } of topics) setTopicSubscription(db, contact.seq, topic.seq, subscription)
    return respondCreated({ object: 'contact', id: contact.id })
  }
}

type ChangeBody = Pick<z.infer<typeof createBody>, 'first_name' | 'last_name' | 'unsubscribed' | 'properties'>

/** @throws ApiError 422 for an unknown property, or a value of the wrong type */
function parseChange(db: Database, body: ChangeBody): ContactChange {
  const types = new Map(loadAllProperties(db).map(({ key, type }) => [key, type]))
  for (const [key, value] of Object.entries(body.properties ?? {})) {
    const type = types.get(key)
    if (type === undefined) throw createValidationError(`The contact property \`${key}\` does not exist.`)
    if (value !== null && typeof value !== type)
      throw createValidationError(`The contact property \`${key}\` must be a ${type}.`)
  }
  return {
    firstName: body.first_name,
    lastName: body.last_name,
    unsubscribed: body.unsubscribed,
    properties: body.properties,
  }
}

/** The contact in the path, by ID or e-mail address. @throws ApiError 404 `Contact not found` (platform.md 18.5) */
export function requireContact(request: ApiRequest): ContactRow {
  const contact = findContact(request.platform.db, request.param('contact'))
  if (!contact) throw createNotFoundError('Contact not found')
  return contact
}

/** @throws ApiError 404 `Audience not found`, the platform's message for segments too (platform.md 4.5) */
export function requireSegmentById(db: Database, id: string): SegmentRow {
  const segment = findSegment(db, id)
  if (!segment) throw createNotFoundError('Audience not found')
  return segment
}

/** The segment in the path. @throws ApiError 404 like {@link requireSegmentById} */
export function requireSegment(request: ApiRequest): SegmentRow {
  return requireSegmentById(request.platform.db, request.param('segment'))
}

/** @throws ApiError 404 `Topic not found` (platform.md 4.5) */
export function requireTopicById(db: Database, id: string): TopicRow {
  const topic = findTopic(db, id)
  if (!topic) throw createNotFoundError('Topic not found')
  return topic
}

function showShared(contact: ContactRow) {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    created_at: formatIsoTimestamp(contact.created_at),
    unsubscribed: contact.unsubscribed === 1,
  }
}

function showContact(db: Database, contact: ContactRow) {
  const types = new Map(loadAllProperties(db).map(({ key, type }) => [key, type]))
  const properties = Object.entries(listPropertyValues(contact)).map(([key, value]) => [
    key,
    { type: types.get(key), value },
  ])
  return { ...showShared(contact), properties: Object.fromEntries(properties) as unknown }
}
