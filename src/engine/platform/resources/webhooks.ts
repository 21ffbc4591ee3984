import { z } from 'zod'
import type { DeliveryFailure } from '../../../shared/delivery.ts'
import { addressKey, isAddress } from '../../../shared/recipients.ts'
import { apiPath } from '../api-path.ts'
import { createParser, parseCreatedId, toTime, wireId, wireListOf, wireText, wireTexts } from '../parse-response.ts'
import type { CallOptions, PageOptions, Requests } from '../requests.ts'

/** Displayed and stored, so limited in length. */
const MAX_TEXT = 1_000
/** An e-mail can't have more recipients (platform.md 20.1). */
const MAX_RECIPIENTS = 50
const shortText = wireText.transform((text) => text?.slice(0, MAX_TEXT) ?? null)

/** Without the signing secret, which Linnet never reads (docs/security.md). */
const wireWebhook = z.object({ id: wireId, endpoint: shortText, status: wireText, events: wireTexts })

/** A webhook of the team (platform.md 23.1). */
export interface Webhook {
  readonly id: string
  /** The address without its scheme, user name and query, which may hold secrets. */
  readonly endpoint: string
  readonly isEnabled: boolean
  /** The types of its events; null for all. */
  readonly events: readonly string[] | null
}

const toEndpoint = (address: string | null): string => {
  const url = URL.parse(address ?? '')
  return url === null ? '' : `${url.host}${url.pathname === '/' ? '' : url.pathname}`
}

const toWebhook = ({ id, endpoint, status, events }: z.output<typeof wireWebhook>): Webhook => ({
  ...{ id, endpoint: toEndpoint(endpoint), isEnabled: status !== 'disabled', events: events ?? null },
})

const wireEvent = z.object({ id: wireId, type: z.string().max(MAX_TEXT), created_at: wireText })

/** A row of a webhook's event log. */
export interface LoggedEvent {
  readonly id: string
  readonly type: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

const toLogged = ({ id, type, created_at }: z.output<typeof wireEvent>): LoggedEvent => ({
  ...{ id, type, at: toTime(created_at) },
})

const wireReason = z
  .object({ type: shortText, subType: shortText, message: shortText, reason: shortText, diagnosticCode: wireTexts })
  .optional()
  .catch(undefined)

const wireLabels = wireListOf(z.object({ id: wireId, name: shortText }))

const wirePayload = z.object({
  source: shortText,
  inbox_id: shortText,
  thread_id: shortText,
  email_id: shortText,
  draft_id: shortText,
  email: z
    .union([z.string(), z.object({ id: wireText }).transform(({ id }) => id)])
    .nullable()
    .optional()
    .catch(undefined),
  from: shortText,
  /** A folder after a move, or the affected recipients of a sent e-mail. */
  to: wireTexts,
  added: wireLabels,
  removed: wireLabels,
  assignee_email: shortText,
  assigned_by_email: shortText,
  previous_assignee_email: shortText,
  bounce: wireReason,
  failed: wireReason,
  suppressed: wireReason,
})
const wireEventDetail = z.object({
  id: wireId,
  payload: z.object({ data: wirePayload.catch(wirePayload.parse({})) }).catch({ data: wirePayload.parse({}) }),
})

/** A label that an event added or removed, with its name at that time. */
export type EventLabel = NonNullable<z.output<typeof wireLabels>>[number]

/** The part of an event's payload that Linnet uses. Fields that the event lacks are null. */
export interface EventPayload {
  /** `api`, `dashboard`, `agent` or `system`. */
  readonly source: string | null
  readonly inboxId: string | null
  readonly threadId: string | null
  readonly emailId: string | null
  readonly draftId: string | null
  /** Folder before and after a move. */
  readonly from: string | null
  readonly to: string | null
  readonly added: readonly EventLabel[]
  readonly removed: readonly EventLabel[]
  /** Addresses in lower case. */
  readonly assignee: string | null
  readonly assignedBy: string | null
  readonly previousAssignee: string | null
  /** Why an e-mail was not delivered. */
  readonly failure: DeliveryFailure | null
}

const toAddress = (text: string | null): string | null => (text !== null && isAddress(text) ? addressKey(text) : null)

const toPayload = ({ payload: { data } }: z.output<typeof wireEventDetail>): EventPayload => {
  const reason = data.bounce ?? data.suppressed ?? data.failed
  const to = (data.to ?? []).slice(0, MAX_RECIPIENTS).map((text) => text.slice(0, MAX_TEXT))
  return {
    source: data.source,
    inboxId: data.inbox_id,
    threadId: data.thread_id,
    emailId: data.email_id ?? data.email ?? null,
    draftId: data.draft_id,
    from: data.from,
    to: to[0] ?? null,
    added: data.added ?? [],
    removed: data.removed ?? [],
    assignee: toAddress(data.assignee_email),
    assignedBy: toAddress(data.assigned_by_email),
    previousAssignee: toAddress(data.previous_assignee_email),
    failure:
      reason === undefined
        ? null
        : {
            type: reason.type,
            subType: reason.subType,
            // The reply of the recipient's server says more than the platform's text.
            message: reason.diagnosticCode?.[0]?.slice(0, MAX_TEXT) ?? reason.message ?? reason.reason,
            recipients: to,
          },
  }
}

const parseWebhookPage = createParser(wireWebhook, toWebhook).page
const parseEventPage = createParser(wireEvent, toLogged).page
const parseEvent = createParser(wireEventDetail, toPayload).one

export const createWebhookCalls = (requests: Requests) => ({
  listWebhooks: (options: CallOptions): Promise<readonly Webhook[]> =>
    requests.all(parseWebhookPage, apiPath`/webhooks`, options),

  /** The newest events first. */
  listWebhookEvents: (webhookId: string, options: PageOptions) =>
    requests.page(parseEventPage, apiPath`/webhooks/${webhookId}/events`, options),

  getWebhookEvent: async (webhookId: string, eventId: string, options: CallOptions): Promise<EventPayload> =>
    parseEvent(await requests.get(apiPath`/webhooks/${webhookId}/events/${eventId}`, options), eventId),

  /** @returns the new webhook's ID; its signing secret is dropped unread */
  createWebhook: async (endpoint: string, events: readonly string[], options: CallOptions): Promise<string> =>
    parseCreatedId(await requests.post(apiPath`/webhooks`, { endpoint, events }, options)),
})
