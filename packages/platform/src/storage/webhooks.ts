import { randomBytes, randomUUID } from 'node:crypto'
import type { WebhookEventType } from '../webhooks/webhook-types.ts'
import type { Database } from './database.ts'

export type WebhookStatus = 'enabled' | 'disabled'
export type DeliveryStatus = 'pending' | 'attempting' | 'success' | 'failed'

export interface WebhookRow {
  readonly seq: number
  readonly id: string
  readonly endpoint: string
  /** JSON array of event types; `null` for all. */
  readonly events: string | null
  readonly status: WebhookStatus
  readonly signing_secret: string
  readonly previous_secret: string | null
  readonly previous_secret_until: number | null
  readonly failing_since: number | null
  readonly created_at: number
}

export interface WebhookEventRow {
  readonly seq: number
  readonly id: string
  readonly webhook_seq: number
  readonly type: WebhookEventType
  readonly payload: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly next_attempt_at: number | null
  readonly is_replayed: number
  readonly created_at: number
}

export interface WebhookAttemptRow {
  readonly seq: number
  readonly id: string
  /** 0 if the endpoint didn't respond. */
  readonly http_status_code: number
  readonly response: string
  readonly sent_at: number
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** An ID in the vendor's format, such as `msg_1srOrx2ZWZBpBUvZwXKQmoEYga2`. */
function makeId(prefix: 'msg' | 'atmpt'): string {
  return `${prefix}_${[...randomBytes(27)].map((byte) => letters.charAt(byte % letters.length)).join('')}`
}

function makeSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`
}

export function listWebhooks(db: Database): readonly WebhookRow[] {
  return db.all<WebhookRow>('SELECT * FROM webhooks ORDER BY seq')
}

export function findWebhook(db: Database, id: string): WebhookRow | undefined {
  return db.get<WebhookRow>('SELECT * FROM webhooks WHERE id = ?', id)
}

/** @param events `null` for all types */
export function insertWebhook(
  db: Database,
  { endpoint, events }: { readonly endpoint: string; readonly events: readonly WebhookEventType[] | null },
  now: number,
): WebhookRow {
  const id = randomUUID()
  db.run(
    "INSERT INTO webhooks (id, endpoint, events, status, signing_secret, created_at) VALUES (?, ?, ?, 'enabled', ?, ?)",
    id,
    endpoint,
    events && JSON.stringify(events),
    makeSecret(),
    now,
  )
  const row = findWebhook(db, id)
  if (!row) throw new Error('A webhook that was just stored is missing.')
  return row
}

/** Enabling a webhook gives its endpoint a new start. */
export function updateWebhook(
  db: Database,
  { seq }: WebhookRow,
  { endpoint, events, status }: Pick<WebhookRow, 'endpoint' | 'events' | 'status'>,
): void {
  db.run(
    `UPDATE webhooks SET endpoint = ?, events = ?,
       failing_since = CASE WHEN status = 'disabled' THEN NULL ELSE failing_since END, status = ? WHERE seq = ?`,
    endpoint,
    events,
    status,
    seq,
  )
}

/** @param previousUntil milliseconds since 1970: time until which the old secret signs too. @returns the new secret */
export function rotateSecret(db: Database, webhook: WebhookRow, previousUntil: number): string {
  const secret = makeSecret()
  db.run(
    'UPDATE webhooks SET signing_secret = ?, previous_secret = ?, previous_secret_until = ? WHERE seq = ?',
    secret,
    webhook.signing_secret,
    previousUntil,
    webhook.seq,
  )
  return secret
}

/** Stores an event in the log of every enabled webhook that subscribes to its type, to be delivered at once. */
export function logEvent(
  db: Database,
  webhooks: readonly WebhookRow[],
  event: { readonly type: WebhookEventType; readonly payload: string },
  now: number,
): void {
  const id = makeId('msg')
  for (const { seq, events } of webhooks) {
    if (events !== null && !(JSON.parse(events) as readonly string[]).includes(event.type)) continue
    db.run(
      `INSERT INTO webhook_events (id, webhook_seq, type, payload, status, next_attempt_at, created_at)
       VALUES (?, ?, ?, ?, 'pending', ?, ?)`,
      id,
      seq,
      event.type,
      event.payload,
      now,
      now,
    )
  }
}

export function findWebhookEvent(db: Database, webhookSeq: number, id: string): WebhookEventRow | undefined {
  return db.get<WebhookEventRow>('SELECT * FROM webhook_events WHERE webhook_seq = ? AND id = ?', webhookSeq, id)
}

/** The oldest event to deliver now, with replays first. */
export function findDueEvent(db: Database, webhookSeq: number, now: number): WebhookEventRow | undefined {
  return (
    db.get<WebhookEventRow>(
      'SELECT * FROM webhook_events WHERE webhook_seq = ? AND is_replayed = 1 ORDER BY seq LIMIT 1',
      webhookSeq,
    ) ??
    db.get<WebhookEventRow>(
      'SELECT * FROM webhook_events WHERE webhook_seq = ? AND next_attempt_at <= ? ORDER BY next_attempt_at, seq LIMIT 1',
      webhookSeq,
      now,
    )
  )
}

export function insertAttempt(
  db: Database,
  { seq }: WebhookEventRow,
  attempt: { readonly status: number; readonly response: string; readonly sentAt: number },
): void {
  db.run(
    'INSERT INTO webhook_attempts (id, event_seq, http_status_code, response, sent_at) VALUES (?, ?, ?, ?, ?)',
    makeId('atmpt'),
    seq,
    attempt.status,
    attempt.response,
    attempt.sentAt,
  )
}

export function setEventStatus(
  db: Database,
  { seq }: WebhookEventRow,
  state: Pick<WebhookEventRow, 'status' | 'attempts' | 'next_attempt_at' | 'is_replayed'>,
): void {
  db.run(
    'UPDATE webhook_events SET status = ?, attempts = ?, next_attempt_at = ?, is_replayed = ? WHERE seq = ?',
    state.status,
    state.attempts,
    state.next_attempt_at,
    state.is_replayed,
    seq,
  )
}

export function deleteOldEvents(db: Database, kept: number): void {
  for (const { seq } of listWebhooks(db)) {
    db.run(
      `DELETE FROM webhook_events WHERE webhook_seq = ? AND seq <= (
         SELECT seq FROM webhook_events WHERE webhook_seq = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
      seq,
      seq,
      kept,
    )
  }
}
