import { z } from 'zod'
import { createNotFoundError, createValidationError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, type QueryParameter, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { type PageRequest, listShape, parsePageRequest, readPage, toListResponse } from '../http/pagination.ts'
import { type WebhookAttemptRow, type WebhookEventRow, findWebhookEvent, setEventStatus } from '../storage/webhooks.ts'
import { webhookEventTypes } from '../webhooks/webhook-types.ts'
import { isoTime, text } from './shapes.ts'
import { requireWebhook } from './webhooks.ts'

/** See platform.md 23.2. */
const eventItemShape = z.strictObject({
  id: text,
  type: z.enum(webhookEventTypes),
  created_at: isoTime,
  status: z.enum(['success', 'pending', 'failed', 'attempting']),
})

const eventShape = eventItemShape.extend({
  object: z.literal('webhook_event'),
  next_attempt_at: isoTime.nullable(),
  payload: z.strictObject({ type: text, created_at: isoTime, data: z.record(z.string(), z.unknown()) }),
})

const attemptShape = z.strictObject({ id: text, http_status_code: z.int(), response: text, sent_at: isoTime })

const forwardParameters: readonly QueryParameter[] = [
  { name: 'limit', description: 'Page size, 1 to 100.' },
  { name: 'after', description: 'ID after which to continue with older ones; not part of the page.' },
]

export const webhookEventEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/webhooks/:webhook/events',
    summary: 'List the events of a webhook, newest first',
    query: forwardParameters,
    answers: { 200: listShape(eventItemShape) },
    handle(request) {
      const page = readPage<WebhookEventRow>(
        request.platform.db,
        {
          select: 'SELECT seq, id, type, status, created_at FROM webhook_events WHERE webhook_seq = ?',
          values: [requireWebhook(request).seq],
          orderedBy: 'seq',
          order: 'newest first',
        },
        parseForwardPage(request.query),
      )
      return respondOk(toListResponse(page, showEvent))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/webhooks/:webhook/events/:event',
    summary: 'Retrieve an event with its payload',
    answers: { 200: eventShape },
    handle(request) {
      const event = requireEvent(request)
      return respondOk({
        object: 'webhook_event',
        ...showEvent(event),
        next_attempt_at: event.next_attempt_at === null ? null : formatIsoTimestamp(event.next_attempt_at),
        payload: JSON.parse(event.payload) as unknown,
      })
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/webhooks/:webhook/events/:event/attempts',
    summary: 'List the attempts to deliver an event, newest first',
    query: forwardParameters,
    answers: { 200: listShape(attemptShape) },
    handle(request) {
      const page = readPage<WebhookAttemptRow>(
        request.platform.db,
        {
          select: 'SELECT * FROM webhook_attempts WHERE event_seq = ?',
          values: [requireEvent(request).seq],
          orderedBy: 'seq',
          order: 'newest first',
        },
        parseForwardPage(request.query),
      )
      return respondOk(
        toListResponse(page, ({ id, http_status_code, response, sent_at }) => ({
          id,
          http_status_code,
          response,
          sent_at: formatIsoTimestamp(sent_at),
        })),
      )
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/webhooks/:webhook/events/:event/replay',
    summary: 'Deliver an event once more, now',
    answers: { 200: z.strictObject({ object: z.literal('webhook_event'), id: text }) },
    handle(request) {
      const { db, events } = request.platform
      const event = requireEvent(request)
      return () => {
        setEventStatus(db, event, { ...event, is_replayed: 1 })
        events.deliverSoon()
        return respondOk({ object: 'webhook_event', id: event.id })
      }
    },
  }),
]

/** @throws ApiError 422 for `before`, which these lists don't have; the wording is this service's own */
function parseForwardPage(query: URLSearchParams): PageRequest {
  if (query.has('before')) throw createValidationError('The `before` parameter is not supported for this endpoint.')
  return parsePageRequest(query, 20)
}

function requireEvent(request: ApiRequest): WebhookEventRow {
  const event = findWebhookEvent(request.platform.db, requireWebhook(request).seq, request.param('event'))
  if (!event) throw createNotFoundError('Webhook event not found')
  return event
}

function showEvent(event: WebhookEventRow): z.infer<typeof eventItemShape> {
  return { id: event.id, type: event.type, created_at: formatIsoTimestamp(event.created_at), status: event.status }
}
