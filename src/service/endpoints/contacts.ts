import { z } from 'zod'
import { invalid, notFound } from '../http/api-error.ts'
import { isoDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, created, endpoint, ok } from '../http/endpoint.ts'
import {
  type Listing,
  listEnvelope,
  listShape,
  paginationParameters,
  readPage,
  readPageRequest,
} from '../http/pagination.ts'
import { isAddress } from '../mail/addresses.ts'
import type { Database } from '../storage/database.ts'
import {
  type ContactChange,
  type ContactRow,
  type SegmentRow,
  type TopicRow,
  addToSegment,
  allProperties,
  changeContact,
  findContact,
  findSegment,
  findTopic,
  propertyValues,
  putContact,
  setSubscription,
} from '../storage/contacts.ts'
import { isoTime, optionalText, reference, text, uuid } from './shapes.ts'

const sharedShape = {
  id: uuid,
  email: text,
  first_name: optionalText,
  last_name: optionalText,
  created_at: isoTime,
  unsubscribed: z.boolean(),
}

/** Contract, Contact: in a list, `properties` maps names to values. */
const contactItemShape = z.strictObject({
  ...sharedShape,
  properties: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** Platform facts 5: for a single contact, `properties` gives each value with its type. */
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
  endpoint({
    method: 'GET',
    path: '/contacts',
    summary: 'List contacts, newest first',
    inContract: true,
    query: [...paginationParameters, { name: 'segment_id', description: 'Only the contacts of this segment.' }],
    answers: { 200: listShape(contactItemShape) },
    handle(request) {
      const segment = request.query.get('segment_id')
      return ok(listContacts(request, segment === null ? null : segmentById(request.platform.db, segment)))
    },
  }),

  endpoint({
    method: 'POST',
    path: '/contacts',
    summary: 'Create a contact, or change the one that has the address',
    body: createBody,
    answers: { 201: reference('contact') },
    handle: (request, body) => createContact(request, body, []),
  }),

  endpoint({
    method: 'GET',
    path: '/contacts/:contact',
    summary: 'Retrieve a contact by id or e-mail address',
    answers: { 200: contactShape },
    handle: (request) => ok({ object: 'contact', ...showContact(request.platform.db, contactOf(request)) }),
  }),

  endpoint({
    method: 'PATCH',
    path: '/contacts/:contact',
    summary: 'Change a contact',
    body: z.object(changeFields),
    answers: { 200: reference('contact') },
    handle(request, body) {
      const { db } = request.platform
      const contact = contactOf(request)
      const change = readChange(db, body)
      return () => ok({ object: 'contact', id: changeContact(db, contact, change).id })
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/contacts/:contact',
    summary: 'Delete a contact',
    answers: { 200: z.strictObject({ object: z.literal('contact'), contact: uuid, deleted: z.boolean() }) },
    handle(request) {
      const contact = contactOf(request)
      return () => {
        request.platform.db.run('DELETE FROM contacts WHERE seq = ?', contact.seq)
        return ok({ object: 'contact', contact: contact.id, deleted: true })
      }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/segments/:segment/contacts',
    summary: 'List the contacts of a segment, newest first',
    query: paginationParameters,
    answers: { 200: listShape(contactItemShape) },
    handle: (request) => ok(listContacts(request, segmentOf(request))),
  }),

  endpoint({
    method: 'POST',
    path: '/segments/:segment/contacts',
    summary: 'Create a contact in a segment',
    body: createBody,
    answers: { 201: reference('contact') },
    handle: (request, body) => createContact(request, body, [segmentOf(request)]),
  }),
]

function listContacts(request: ApiRequest, segment: SegmentRow | null) {
  const { db } = request.platform
  const listing: Pick<Listing, 'select' | 'values'> =
    segment === null
      ? { select: 'SELECT * FROM contacts', values: [] }
      : {
          select: `SELECT contacts.* FROM contacts JOIN contact_segments ON contact_seq = contacts.seq WHERE segment_seq = ?`,
          values: [segment.seq],
        }
  const page = readPage<ContactRow>(
    db,
    { ...listing, orderedBy: 'created_at', order: 'newest first' },
    readPageRequest(request.query, null),
  )
  return listEnvelope(page, (contact) => ({ ...showShared(contact), properties: propertyValues(contact) }))
}

function createContact(request: ApiRequest, body: z.infer<typeof createBody>, inSegments: readonly SegmentRow[]) {
  const { db, now } = request.platform
  const change = readChange(db, body)
  const segments = [...inSegments, ...(body.segments ?? []).map(({ id }) => segmentById(db, id))]
  const topics = (body.topics ?? []).map(({ id, subscription }) => ({ topic: topicById(db, id), subscription }))
  return () => {
    const contact = putContact(db, body.email, change, now())
    for (const segment of segments) addToSegment(db, contact.seq, segment.seq)
    for (const { topic, subscription } of topics) setSubscription(db, contact.seq, topic.seq, subscription)
    return created({ object: 'contact', id: contact.id })
  }
}

type ChangeBody = Pick<z.infer<typeof createBody>, 'first_name' | 'last_name' | 'unsubscribed' | 'properties'>

/** @throws ApiError 422 for an unknown property, or a value of the wrong type */
function readChange(db: Database, body: ChangeBody): ContactChange {
  const types = new Map(allProperties(db).map(({ key, type }) => [key, type]))
  for (const [key, value] of Object.entries(body.properties ?? {})) {
    const type = types.get(key)
    if (type === undefined) throw invalid(`The contact property \`${key}\` does not exist.`)
    if (value !== null && typeof value !== type) throw invalid(`The contact property \`${key}\` must be a ${type}.`)
  }
  return {
    firstName: body.first_name,
    lastName: body.last_name,
    unsubscribed: body.unsubscribed,
    properties: body.properties,
  }
}

/** The contact in the path, by ID or e-mail address. @throws ApiError 404 `Contact not found` (platform facts 5) */
export function contactOf(request: ApiRequest): ContactRow {
  const contact = findContact(request.platform.db, request.param('contact'))
  if (!contact) throw notFound('Contact not found')
  return contact
}

/** @throws ApiError 404 `Audience not found`, the platform's message for segments too (platform facts 2) */
export function segmentById(db: Database, id: string): SegmentRow {
  const segment = findSegment(db, id)
  if (!segment) throw notFound('Audience not found')
  return segment
}

/** The segment in the path. @throws ApiError 404 like {@link segmentById} */
export function segmentOf(request: ApiRequest): SegmentRow {
  return segmentById(request.platform.db, request.param('segment'))
}

/** @throws ApiError 404 `Topic not found` (platform facts 2) */
export function topicById(db: Database, id: string): TopicRow {
  const topic = findTopic(db, id)
  if (!topic) throw notFound('Topic not found')
  return topic
}

function showShared(contact: ContactRow) {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    created_at: isoDate(contact.created_at),
    unsubscribed: contact.unsubscribed === 1,
  }
}

function showContact(db: Database, contact: ContactRow) {
  const types = new Map(allProperties(db).map(({ key, type }) => [key, type]))
  const properties = Object.entries(propertyValues(contact)).map(([key, value]) => [
    key,
    { type: types.get(key), value },
  ])
  return { ...showShared(contact), properties: Object.fromEntries(properties) as unknown }
}
