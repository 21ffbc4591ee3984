import { z } from 'zod'
import { notFound } from '../http/api-error.ts'
import { isoDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import { type ContactRow, findContact } from '../storage/contacts.ts'
import { isoTime, optionalText, text, uuid } from './shapes.ts'

/** Contract, Contact. */
const contactItemShape = z.strictObject({
  id: uuid,
  email: text,
  first_name: optionalText,
  last_name: optionalText,
  created_at: isoTime,
  unsubscribed: z.boolean(),
  properties: z.record(z.string(), z.union([z.string(), z.number()])),
})

export const contactEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/contacts',
    summary: 'List contacts, newest first',
    inContract: true,
    query: paginationParameters,
    answers: { 200: listShape(contactItemShape) },
    handle(request) {
      const page = readPage<ContactRow>(
        request.platform.db,
        { select: 'SELECT * FROM contacts', values: [], orderedBy: 'created_at', order: 'newest first' },
        readPageRequest(request.query, null),
      )
      return ok(listEnvelope(page, showContactItem))
    },
  }),
]

function showContactItem(contact: ContactRow): z.infer<typeof contactItemShape> {
  return {
    id: contact.id,
    email: contact.email,
    first_name: contact.first_name,
    last_name: contact.last_name,
    created_at: isoDate(contact.created_at),
    unsubscribed: contact.unsubscribed === 1,
    properties: JSON.parse(contact.properties) as Record<string, string | number>,
  }
}

/** The contact of the path, by id or e-mail address. @throws ApiError 404 `Contact not found` (platform facts 5) */
export function contactOf(request: ApiRequest): ContactRow {
  const contact = findContact(request.platform.db, request.param('contact'))
  if (!contact) throw notFound('Contact not found')
  return contact
}
