import type { Database } from '../storage/database.ts'
import { type WebhookAttemptRow, type WebhookEventRow, listWebhooks } from '../storage/webhooks.ts'

const shownEvents = 50

/** Webhooks with their newest events, for the page. Without the signing secrets. */
export function listWebhookLogs(db: Database): readonly object[] {
  return listWebhooks(db).map((webhook) => ({
    id: webhook.id,
    endpoint: webhook.endpoint,
    status: webhook.status,
    types: webhook.events === null ? null : (JSON.parse(webhook.events) as unknown),
    events: db
      .all<WebhookEventRow>(
        'SELECT * FROM webhook_events WHERE webhook_seq = ? ORDER BY seq DESC LIMIT ?',
        webhook.seq,
        shownEvents,
      )
      .map((event) => showEvent(db, event)),
  }))
}

function showEvent(db: Database, event: WebhookEventRow): object {
  const attempts = db.all<WebhookAttemptRow>(
    'SELECT * FROM webhook_attempts WHERE event_seq = ? ORDER BY seq DESC',
    event.seq,
  )
  return {
    id: event.id,
    type: event.type,
    status: event.status,
    time: event.created_at,
    next_attempt_at: event.next_attempt_at,
    payload: JSON.stringify(JSON.parse(event.payload), null, 2),
    attempts: attempts.map(({ http_status_code: code, response, sent_at: time }) => ({ code, response, time })),
  }
}
