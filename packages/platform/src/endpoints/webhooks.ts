import { z } from 'zod'
import { createNotFoundError, createValidationError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, defineEndpoint, respondCreated, respondOk } from '../http/endpoint.ts'
import { listShape, paginationParameters, parsePageRequest, readPage, toListResponse } from '../http/pagination.ts'
import { type WebhookRow, findWebhook, insertWebhook, rotateSecret, updateWebhook } from '../storage/webhooks.ts'
import { webhookEventTypes } from '../webhooks/webhook-types.ts'
import { createDeletionSchema, createReferenceSchema, databaseTime, text, uuid } from './shapes.ts'

const statuses = ['enabled', 'disabled'] as const
const eventType = z.enum(webhookEventTypes)

/** See platform.md 23.1. */
const webhookItemShape = z.strictObject({
  id: uuid,
  created_at: databaseTime,
  status: z.enum(statuses),
  endpoint: text,
  events: z.array(eventType).nullable(),
})
const webhookShape = webhookItemShape.extend({ object: z.literal('webhook'), signing_secret: text })
const secretShape = z.strictObject({ object: z.literal('webhook'), id: uuid, signing_secret: text })

const endpointField = z
  .string()
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'It must be an http or https URL')
const eventsField = z.array(eventType).min(1, 'It must name at least one event type')

/** The previous secret signs too (vendor documentation, "Rotate Signing Secret"). */
const rotationMs = 24 * 60 * 60 * 1000

export const webhookEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks, newest first',
    query: paginationParameters,
    answers: { 200: listShape(webhookItemShape) },
    handle(request) {
      const page = readPage<WebhookRow>(
        request.platform.db,
        { select: 'SELECT * FROM webhooks', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, null),
      )
      return respondOk(toListResponse(page, showWebhook))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    body: z.object({ endpoint: endpointField, events: eventsField }),
    answers: { 201: secretShape },
    handle(request, { endpoint, events }) {
      const { db, now } = request.platform
      return () => {
        const webhook = insertWebhook(db, { endpoint, events }, now())
        return respondCreated({ object: 'webhook', id: webhook.id, signing_secret: webhook.signing_secret })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/webhooks/:webhook',
    summary: 'Retrieve a webhook with its signing secret',
    answers: { 200: webhookShape },
    handle(request) {
      const webhook = requireWebhook(request)
      return respondOk({ object: 'webhook', ...showWebhook(webhook), signing_secret: webhook.signing_secret })
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/webhooks/:webhook',
    summary: 'Change, enable or disable a webhook',
    body: z.object({
      endpoint: endpointField.optional(),
      events: eventsField.optional(),
      status: z.enum(statuses).optional(),
    }),
    answers: { 200: createReferenceSchema('webhook') },
    handle(request, { endpoint, events, status }) {
      const { db, events: log } = request.platform
      const webhook = requireWebhook(request)
      if (endpoint === undefined && events === undefined && status === undefined)
        throw createValidationError('At least one of `endpoint`, `events` and `status` must be provided.')
      return () => {
        updateWebhook(db, webhook, {
          endpoint: endpoint ?? webhook.endpoint,
          events: events === undefined ? webhook.events : JSON.stringify(events),
          status: status ?? webhook.status,
        })
        log.deliverSoon()
        return respondOk({ object: 'webhook', id: webhook.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/webhooks/:webhook',
    summary: 'Delete a webhook with its log',
    answers: { 200: createDeletionSchema('webhook') },
    handle(request) {
      const webhook = requireWebhook(request)
      return () => {
        request.platform.db.run('DELETE FROM webhooks WHERE seq = ?', webhook.seq)
        return respondOk({ object: 'webhook', id: webhook.id, deleted: true })
      }
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/webhooks/:webhook/signing-secret/rotate',
    summary: 'Replace the signing secret; the old one signs too for 24 hours',
    answers: { 200: secretShape },
    handle(request) {
      const { db, now } = request.platform
      const webhook = requireWebhook(request)
      return () => {
        const secret = rotateSecret(db, webhook, now() + rotationMs)
        return respondOk({ object: 'webhook', id: webhook.id, signing_secret: secret })
      }
    },
  }),
]

/** The webhook in the path. @throws ApiError 404 in this service's own wording (platform.md 4.5) */
export function requireWebhook(request: ApiRequest): WebhookRow {
  const webhook = findWebhook(request.platform.db, request.param('webhook'))
  if (!webhook) throw createNotFoundError('Webhook not found')
  return webhook
}

function showWebhook(webhook: WebhookRow): z.infer<typeof webhookItemShape> {
  return {
    id: webhook.id,
    created_at: formatDatabaseDate(webhook.created_at),
    status: webhook.status,
    endpoint: webhook.endpoint,
    events: webhook.events === null ? null : z.array(eventType).parse(JSON.parse(webhook.events)),
  }
}
