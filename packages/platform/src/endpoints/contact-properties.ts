import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type PropertyRow, type PropertyType, loadAllProperties, insertProperty } from '../storage/contacts.ts'
import { databaseTime, createDeletionSchema, createReferenceSchema, text, uuid } from './shapes.ts'

const valueField = z.union([z.string(), z.number(), z.null()])
const propertyItemShape = z.strictObject({
  id: uuid,
  key: text,
  type: z.enum(['string', 'number']),
  fallback_value: valueField,
  created_at: databaseTime,
})

export const contactPropertyEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/contact-properties',
    summary: 'List contact properties, newest first',
    query: paginationParameters,
    answers: { 200: listShape(propertyItemShape) },
    handle(request) {
      const page = readPage<PropertyRow>(
        request.platform.db,
        { select: 'SELECT * FROM contact_properties', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showProperty))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/contact-properties',
    summary: 'Create a contact property',
    body: z.object({
      key: z.string().regex(/^\w{1,50}$/, 'It must be 1 to 50 letters, digits or underscores'),
      type: z.enum(['string', 'number']),
      fallback_value: valueField.optional(),
    }),
    answers: { 201: createReferenceSchema('contact_property') },
    handle(request, { key, type, fallback_value: fallbackValue = null }) {
      const { db, now } = request.platform
      checkFallback(type, fallbackValue)
      return () => {
        if (loadAllProperties(db).some((property) => property.key === key)) {
          throw createValidationError(`A contact property with the key \`${key}\` already exists.`)
        }
        return respondCreated({
          object: 'contact_property',
          id: insertProperty(db, { key, type, fallbackValue }, now()),
        })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/contact-properties/:property',
    summary: 'Retrieve a contact property',
    answers: { 200: propertyItemShape.extend({ object: z.literal('contact_property') }) },
    handle: (request) => respondOk({ object: 'contact_property', ...showProperty(propertyOf(request)) }),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/contact-properties/:property',
    summary: 'Change the fallback value of a contact property',
    body: z.object({ fallback_value: valueField.optional() }),
    answers: { 200: createReferenceSchema('contact_property') },
    handle(request, { fallback_value: fallbackValue = null }) {
      const property = propertyOf(request)
      checkFallback(property.type, fallbackValue)
      return () => {
        request.platform.db.run(
          'UPDATE contact_properties SET fallback_value = ? WHERE seq = ?',
          JSON.stringify(fallbackValue),
          property.seq,
        )
        return respondOk({ object: 'contact_property', id: property.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/contact-properties/:property',
    summary: 'Delete a contact property with its values',
    answers: { 200: createDeletionSchema('contact_property') },
    handle(request) {
      const { db } = request.platform
      const property = propertyOf(request)
      return () => {
        db.run('DELETE FROM contact_properties WHERE seq = ?', property.seq)
        db.run('UPDATE contacts SET properties = json_remove(properties, ?)', `$."${property.key}"`)
        return respondOk({ object: 'contact_property', id: property.id, deleted: true })
      }
    },
  }),
]

function checkFallback(type: PropertyType, value: string | number | null): void {
  if (value !== null && typeof value !== type)
    throw createValidationError(`Invalid \`fallback_value\` field. It must be a ${type}.`)
}

function propertyOf(request: ApiRequest): PropertyRow {
  const id = request.param('property')
  const property = request.platform.db.get<PropertyRow>('SELECT * FROM contact_properties WHERE id = ?', id)
  if (!property) throw createNotFoundError('Contact property not found')
  return property
}

function showProperty(property: PropertyRow): z.infer<typeof propertyItemShape> {
  return {
    id: property.id,
    key: property.key,
    type: property.type,
    fallback_value: JSON.parse(property.fallback_value ?? 'null') as string | number | null,
    created_at: formatDatabaseDate(property.created_at),
  }
}
