import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type ApiKeyRow, addApiKey, generateToken } from '../storage/api-keys.ts'
import { databaseTime, createDeletionSchema, createReferenceSchema, text, uuid } from './shapes.ts'

const apiKeyItemShape = z.strictObject({
  id: uuid,
  name: text,
  created_at: databaseTime,
  last_used_at: databaseTime.nullable(),
})
const nameField = z.string().min(1, 'It must not be empty').max(50)

export const apiKeyEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys, newest first',
    query: paginationParameters,
    answers: { 200: listShape(apiKeyItemShape) },
    handle(request) {
      const page = readPage<ApiKeyRow>(
        request.platform.db,
        { select: 'SELECT * FROM api_keys', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, null),
      )
      return respondOk(
        toListResponse(page, ({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          created_at: formatDatabaseDate(created_at),
          last_used_at: last_used_at === null ? null : formatDatabaseDate(last_used_at),
        })),
      )
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/api-keys',
    summary: 'Create an API key; its token is shown this once',
    body: z.object({
      name: nameField,
      permission: z.enum(['full_access', 'sending_access']).optional(),
      domain_id: z.uuid().optional(),
    }),
    answers: { 201: z.strictObject({ object: z.literal('api_key'), id: uuid, token: text }) },
    handle(request, { name, permission = 'full_access', domain_id: domainId }) {
      const { db, now } = request.platform
      if (domainId !== undefined) {
        if (permission === 'full_access')
          throw createValidationError('Only a `sending_access` key can be restricted to a domain.')
        if (!db.get('SELECT 1 FROM domains WHERE id = ?', domainId)) throw createNotFoundError('Domain not found')
      }
      return () => {
        const token = generateToken()
        const id = addApiKey(db, { token, name, permission, domainId: domainId ?? null }, now())
        return respondCreated({ object: 'api_key', id, token })
      }
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/api-keys/:key',
    summary: 'Rename an API key',
    body: z.object({ name: nameField }),
    answers: { 200: createReferenceSchema('api_key') },
    handle(request, { name }) {
      const key = apiKeyOf(request)
      return () => {
        request.platform.db.run('UPDATE api_keys SET name = ? WHERE seq = ?', name, key.seq)
        return respondOk({ object: 'api_key', id: key.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/api-keys/:key',
    summary: 'Delete an API key',
    answers: { 200: createDeletionSchema('api_key') },
    handle(request) {
      const key = apiKeyOf(request)
      return () => {
        request.platform.db.run('DELETE FROM api_keys WHERE seq = ?', key.seq)
        return respondOk({ object: 'api_key', id: key.id, deleted: true })
      }
    },
  }),
]

function apiKeyOf(request: ApiRequest): ApiKeyRow {
  const key = request.platform.db.get<ApiKeyRow>('SELECT * FROM api_keys WHERE id = ?', request.param('key'))
  if (!key) throw createNotFoundError('API key not found')
  return key
}
