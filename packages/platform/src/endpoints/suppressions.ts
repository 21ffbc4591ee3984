import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { isAddress } from '../mail/addresses.ts'
import type { Database } from '../storage/database.ts'
import {
  type SuppressionRow,
  addSuppression,
  findSuppression,
  removeSuppression,
  suppressionOrigins,
} from '../storage/suppressions.ts'
import { createDeletionSchema, isoTime, optionalText, createReferenceSchema, text, uuid } from './shapes.ts'

/**
 * The suppression list, after the vendor's documentation and clients. They don't specify the order (here newest first),
 * the default page size (20), the response to an unknown origin (422) or the result for batch addresses that aren't on
 * the list (omitted).
 */
const suppressionItemShape = z.strictObject({
  object: z.literal('suppression'),
  id: uuid,
  email: text,
  origin: z.enum(suppressionOrigins),
  source_id: optionalText,
  created_at: isoTime,
})

const addressField = z.string().refine((value) => isAddress(value.trim()), 'It must be an email address')
const MAX_AT_ONCE = 100
const batchOf = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).max(MAX_AT_ONCE)

export const suppressionEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/suppressions',
    summary: 'List suppressions, newest first',
    query: [
      ...paginationParameters,
      { name: 'origin', description: `Only those of one origin: ${suppressionOrigins.join(', ')}.` },
    ],
    answers: { 200: listShape(suppressionItemShape) },
    handle(request) {
      const origin = parseOrigin(request.query.get('origin'))
      const page = readPage<SuppressionRow>(
        request.platform.db,
        {
          select: `SELECT * FROM suppressions ${origin === null ? '' : 'WHERE origin = ?'}`,
          values: origin === null ? [] : [origin],
          orderedBy: 'created_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showSuppression))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/suppressions',
    summary: 'Add an address to the suppression list; one that is there stays as it is',
    body: z.object({ email: addressField }),
    answers: { 201: createReferenceSchema('suppression') },
    handle(request, { email }) {
      return () => respondCreated({ object: 'suppression', id: addManually(request, email).id })
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/suppressions/batch/add',
    summary: 'Add up to 100 addresses to the suppression list',
    body: z.object({ emails: batchOf(addressField) }),
    answers: { 201: z.strictObject({ data: z.array(createReferenceSchema('suppression')) }) },
    handle(request, { emails }) {
      return () =>
        respondCreated({ data: emails.map((email) => ({ object: 'suppression', id: addManually(request, email).id })) })
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/suppressions/batch/remove',
    summary: 'Remove up to 100 suppressions, by addresses or by ids',
    body: z.object({ emails: batchOf(z.string()).optional(), ids: batchOf(z.string()).optional() }),
    answers: { 200: z.strictObject({ data: z.array(createDeletionSchema('suppression')) }) },
    handle(request, { emails, ids }) {
      const named = emails ?? ids
      if (named === undefined || (emails !== undefined && ids !== undefined)) {
        throw createValidationError('Either `emails` or `ids` must be provided, but not both.')
      }
      return () => respondOk({ data: named.flatMap((each) => removeIfPresent(request.platform.db, each)) })
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/suppressions/:suppression',
    summary: 'Retrieve a suppression by id or address',
    answers: { 200: suppressionItemShape },
    handle: (request) => respondOk(showSuppression(suppressionOf(request))),
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/suppressions/:suppression',
    summary: 'Remove a suppression by id or address: mail is sent there again',
    answers: { 200: createDeletionSchema('suppression') },
    handle(request) {
      const { id } = suppressionOf(request)
      return () => {
        removeIfPresent(request.platform.db, id)
        return respondOk({ object: 'suppression', id, deleted: true })
      }
    },
  }),
]

function parseOrigin(origin: string | null): string | null {
  if (origin === null || suppressionOrigins.some((known) => known === origin)) return origin
  throw createValidationError(`The \`origin\` value "${origin}" must be one of: ${suppressionOrigins.join(', ')}.`)
}

function suppressionOf(request: ApiRequest): SuppressionRow {
  const row = findSuppression(request.platform.db, request.param('suppression'))
  if (!row) throw createNotFoundError('Suppression not found')
  return row
}

function addManually({ platform: { db, now } }: ApiRequest, email: string): SuppressionRow {
  return addSuppression(db, { email, origin: 'manual', sourceId: null }, now())
}

function removeIfPresent(db: Database, idOrEmail: string): readonly object[] {
  const row = findSuppression(db, idOrEmail)
  if (!row) return []
  removeSuppression(db, row)
  return [{ object: 'suppression', id: row.id, deleted: true }]
}

function showSuppression(row: SuppressionRow): z.infer<typeof suppressionItemShape> {
  return {
    object: 'suppression',
    id: row.id,
    email: row.email,
    origin: row.origin,
    source_id: row.source_id,
    created_at: formatIsoTimestamp(row.created_at),
  }
}
