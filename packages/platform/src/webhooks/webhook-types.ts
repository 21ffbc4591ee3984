/** All event types that a webhook can subscribe to (platform.md 23.7 and 23.9). */
export const webhookEventTypes = [
  'email.sent',
  'email.scheduled',
  'email.delivered',
  'email.delivery_delayed',
  'email.complained',
  'email.bounced',
  'email.opened',
  'email.clicked',
  'email.received',
  'email.failed',
  'email.suppressed',
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'contact.topics.updated',
  'domain.created',
  'domain.updated',
  'domain.deleted',
  'suppression.added',
  'suppression.removed',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'inbox.created',
  'inbox.updated',
  'inbox.deleted',
  'inbox.thread.created',
  'inbox.thread.folder.updated',
  'inbox.thread.assigned',
  'inbox.thread.unassigned',
  'inbox.thread.labels.updated',
  'inbox.email.received',
  'inbox.email.sent',
  'inbox.draft.created',
  'inbox.draft.updated',
  'inbox.draft.sent',
  'inbox.draft.deleted',
] as const
export type WebhookEventType = (typeof webhookEventTypes)[number]

/** `source` of an inbox event (platform.md 23.6). */
export const eventSources = ['api', 'dashboard', 'agent', 'system'] as const
export type EventSource = (typeof eventSources)[number]

/** Headers of a delivery that its signature covers or contains. */
export interface SignatureHeaders {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: string
  /** Signatures separated by spaces, each `v1,` and base64. */
  readonly signature: string
}

/** A verified delivery. */
export interface WebhookDelivery {
  /** ID of the event; the same in each attempt. */
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly data: Readonly<Record<string, unknown>>
  /** For `resend.webhooks.verify({ payload: body, headers, webhookSecret })`. */
  readonly body: string
  readonly headers: SignatureHeaders
}

/** An endpoint on the platform itself that collects what its webhook is sent. */
export interface WebhookInbox {
  /** The webhook's ID. */
  readonly id: string
  readonly endpoint: string
  /** The current one, also after a rotation. */
  readonly signingSecret: string
  /** Every verified delivery, oldest first. */
  readonly received: readonly WebhookDelivery[]
  /**
   * The oldest delivery of this type, or of any, that no earlier call returned; waits for it if necessary.
   * @throws Error that lists the deliveries after `timeoutMs` (default 10,000), or if the platform resets or closes
   */
  next(type?: WebhookEventType, timeoutMs?: number): Promise<WebhookDelivery>
}
