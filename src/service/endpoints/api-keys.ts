import { z } from 'zod'
import { invalid, notFound } from '../http/api-error.ts'
import { databaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, created, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import { type ApiKeyRow, addApiKey, newToken } from '../storage/api-keys.ts'
import { databaseTime, deletion, reference, text, uuid } from './shapes.ts'

const apiKeyItemShape = z.strictObject({
  id: uuid,
  name: text,
  created_at: databaseTime,
  last_used_at: databaseTime.nullable(),
})
const nameField = z.string().min(1, 'It must not be empty').max(50)

export const apiKeyEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys, newest first',
    query: paginationParameters,
    answers: { 200: listShape(apiKeyItemShape) },
    handle(request) {
      const page = readPage<ApiKeyRow>(
        request.platform.db,
        { select: 'SELECT * FROM api_keys', values: [], orderedBy: 'created_at', order: 'newest first' },
        readPageRequest(request.query, null),
      )
      return ok(
        listEnvelope(page, ({ id, name, created_at, last_used_at }) => ({
          id,
          name,
          created_at: databaseDate(created_at),
          last_used_at: last_used_at === null ? null : databaseDate(last_used_at),
        })),
      )
    },
  }),

  endpoint({
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
        if (permission === 'full_access') throw invalid('Only a `sending_access` key can be restricted to a domain.')
        if (!db.get('SELECT 1 FROM domains WHERE id = ?', domainId)) throw notFound('Domain not found')
      }
      return () => {
        const token = newToken()
        const id = addApiKey(db, { token, name, permission, domainId: domainId ?? null }, now())
        return created({ object: 'api_key', id, token })
      }
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/api-keys/:key',
    summary: 'Rename an API key',
    body: z.object({ name: nameField }),
    answers: { 200: reference('api_key') },
    handle(request, { name }) {
      const key = apiKeyOf(request)
      return () => {
        request.platform.db.run('UPDATE api_keys SET name = ? WHERE seq = ?', name, key.seq)
        return ok({ object: 'api_key', id: key.id })
      }
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/api-keys/:key',
    summary: 'Delete an API key',
    answers: { 200: deletion('api_key') },
    handle(request) {
      const key = apiKeyOf(request)
      return () => {
        request.platform.db.run('DELETE FROM api_keys WHERE seq = ?', key.seq)
        return ok({ object: 'api_key', id: key.id, deleted: true })
      }
    },
  }),
]

function apiKeyOf(request: ApiRequest): ApiKeyRow {
  const key = request.platform.db.get<ApiKeyRow>('SELECT * FROM api_keys WHERE id = ?', request.param('key'))
  if (!key) throw notFound('API key not found')
  return key
}
