import { Hono } from 'hono'
import { assigneeEndpoint } from '../endpoints/assignee.ts'
import { draftEndpoints } from '../endpoints/drafts.ts'
import { replyEndpoints } from '../endpoints/replies-and-forwards.ts'
import { threadLabelEndpoints } from '../endpoints/thread-labels.ts'
import { threadEndpoints } from '../endpoints/threads.ts'
import type { Platform } from '../platform.ts'
import { findOldestFullAccessKey } from '../storage/api-keys.ts'
import { ApiError, createNotFoundError } from './api-error.ts'
import type { Endpoint } from './endpoint.ts'
import type { IdempotencyStore } from './idempotency.ts'
import { readRequest } from './read-request.ts'
import { errorResponse, jsonResponse } from './responses.ts'

/** Changes that the dashboard and the agent can make, like those of the API plus assigning threads. */
const actions: readonly Endpoint[] = [
  ...threadEndpoints,
  ...threadLabelEndpoints,
  ...replyEndpoints,
  ...draftEndpoints,
  assigneeEndpoint,
].filter(({ method }) => method !== 'GET')

const actors = ['dashboard', 'agent'] as const

/**
 * `/dashboard/…` and `/agent/…`: the endpoints that change threads and drafts, but the events name the dashboard or the
 * agent as their source. The caller checks permissions.
 */
export function createActingRoutes(platform: Platform, idempotency: IdempotencyStore): Hono {
  const acting = new Hono()
  for (const source of actors) {
    for (const endpoint of actions) {
      acting.on(endpoint.method, `/${source}${endpoint.path}`, async (context) => {
        const key = findOldestFullAccessKey(platform.db)
        if (!key) throw createNotFoundError('The account has no key.')
        return jsonResponse(await idempotency.run(endpoint, await readRequest(platform, key, context, source)))
      })
    }
  }
  acting.onError((error) => {
    if (error instanceof ApiError) return errorResponse(error)
    throw error
  })
  return acting
}
