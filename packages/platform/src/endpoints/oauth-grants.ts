import { z } from 'zod'
import { createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type GrantRow, findGrant, revokeGrant } from '../storage/grants.ts'
import { databaseTime, text, uuid } from './shapes.ts'

/** OAuth grants as the account's owner sees them. Public sources only say that they can be listed and revoked. */
export const oauthGrantEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/oauth/grants',
    summary: 'List what programs were allowed, newest first',
    query: paginationParameters,
    answers: {
      200: listShape(
        z.strictObject({
          id: uuid,
          client_id: text,
          scopes: z.array(text),
          created_at: databaseTime,
          revoked_at: databaseTime.nullable(),
        }),
      ),
    },
    handle(request) {
      const page = readPage<GrantRow & { created_at: number }>(
        request.platform.db,
        { select: 'SELECT * FROM oauth_grants', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, 20),
      )
      return respondOk(
        toListResponse(page, ({ id, client_id, scope, created_at, revoked_at }) => ({
          ...{ id, client_id, scopes: scope.split(' '), created_at: formatDatabaseDate(created_at) },
          revoked_at: revoked_at === null ? null : formatDatabaseDate(revoked_at),
        })),
      )
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/oauth/grants/:grant',
    summary: 'End what a program was allowed',
    answers: { 200: z.strictObject({ object: z.literal('oauth_grant'), id: uuid, revoked_at: databaseTime }) },
    handle(request) {
      const { db, now } = request.platform
      const grant = findGrant(db, request.param('grant'))
      if (grant === null) throw createNotFoundError('OAuth grant not found')
      return () => {
        const at = grant.revoked_at ?? now()
        revokeGrant(db, grant.seq, at)
        return respondOk({ object: 'oauth_grant', id: grant.id, revoked_at: formatDatabaseDate(at) })
      }
    },
  }),
]
