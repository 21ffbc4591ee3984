import type { Platform } from '../platform.ts'
import {
  type WebhookEventRow,
  type WebhookRow,
  findDueEvent,
  findWebhook,
  findWebhookEvent,
  insertAttempt,
  listWebhooks,
  setEventStatus,
} from '../storage/webhooks.ts'
import { type WebhookResponse, isLoopbackUrl, postWebhook } from './post-webhook.ts'
import { signDelivery } from './sign.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** Milliseconds from each failed attempt to the next (platform.md 23.5). */
const retryDelays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]

/** Milliseconds of failed attempts only, after which a webhook is disabled. The platform's limit is unknown. */
const disableAfterMs = 5 * 24 * hour

/** Delivers events to endpoints: one at a time and in order for each webhook, several webhooks at once. */
export class Deliveries {
  readonly #platform: Platform
  /** Deliveries in progress by webhook ID. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #log: (line: string) => void

  constructor(platform: Platform, log: (line: string) => void) {
    this.#platform = platform
    this.#log = log
    // A replay that was interrupted when the process was killed.
    platform.db.run("UPDATE webhook_events SET is_replayed = 1 WHERE status = 'attempting' AND next_attempt_at IS NULL")
  }

  /** Starts what is due. Call after events were logged, and whenever the clock may have reached an attempt. */
  wake(): void {
    if (this.#closing.signal.aborted) return
    for (const webhook of listWebhooks(this.#platform.db)) {
      if (this.#running.has(webhook.id) || this.#nextOf(webhook) === null) continue
      const run = this.#deliver(webhook.id)
        .catch((error: unknown) => this.#log(`Delivering webhooks failed: ${String(error)}`))
        .finally(() => this.#running.delete(webhook.id))
      this.#running.set(webhook.id, run)
    }
  }

  /** Resolves once everything that is due now was attempted. */
  async settled(): Promise<void> {
    do {
      this.wake()
      await Promise.all(this.#running.values())
      // Events are delivered in the turn after their commit.
      await new Promise((resolve) => setImmediate(resolve))
    } while (this.#running.size > 0)
  }

  /** Aborts requests. Their events are delivered after the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running.values())
  }

  async #deliver(webhookId: string): Promise<void> {
    for (;;) {
      const webhook = findWebhook(this.#platform.db, webhookId)
      const event = webhook && this.#nextOf(webhook)
      if (!webhook || !event || this.#closing.signal.aborted) return
      await this.#attempt(webhook, event)
    }
  }

  /** The event to deliver now. An endpoint on another machine gets nothing unless the settings allow it. */
  #nextOf(webhook: WebhookRow): WebhookEventRow | null {
    const { db, now, settings } = this.#platform
    const isReachable = settings.webhookTargets === 'any' || isLoopbackUrl(new URL(webhook.endpoint))
    return webhook.status === 'enabled' && isReachable ? (findDueEvent(db, webhook.seq, now()) ?? null) : null
  }

  async #attempt(webhook: WebhookRow, event: WebhookEventRow): Promise<void> {
    const { db, now, settings } = this.#platform
    const sentAt = now()
    const secrets = [webhook.signing_secret]
    if (webhook.previous_secret !== null && (webhook.previous_secret_until ?? 0) > sentAt)
      secrets.push(webhook.previous_secret)
    // Receivers compare this time with their own clock, so it can't be the platform's movable one.
    const headers = signDelivery(secrets, event.id, Math.floor(Date.now() / second), event.payload)
    setEventStatus(db, event, { ...event, status: 'attempting', is_replayed: 0 })
    let response: WebhookResponse
    try {
      response = await postWebhook(new URL(webhook.endpoint), headers, event.payload, {
        timeoutMs: settings.webhookTimeout,
        signal: this.#closing.signal,
      })
    } catch {
      // The platform is closing, which says nothing about the endpoint.
      setEventStatus(db, event, event)
      return
    }
    db.transaction(() => this.#conclude(webhook, event, response, sentAt))
  }

  #conclude(
    webhook: WebhookRow,
    { id, is_replayed }: WebhookEventRow,
    response: WebhookResponse,
    sentAt: number,
  ): void {
    const { db, now } = this.#platform
    const event = findWebhookEvent(db, webhook.seq, id)
    // The webhook or its log may have been deleted in the meantime.
    if (!event) return
    insertAttempt(db, event, { status: response.status, response: response.text, sentAt })
    const hasSucceeded = response.status >= 200 && response.status < 300
    if (hasSucceeded) db.run('UPDATE webhooks SET failing_since = NULL WHERE seq = ?', webhook.seq)
    else this.#noteFailure(webhook, now())
    setEventStatus(db, event, { ...event, ...nextState(event, hasSucceeded, is_replayed === 1, now()) })
  }

  #noteFailure({ seq }: WebhookRow, now: number): void {
    this.#platform.db.run('UPDATE webhooks SET failing_since = coalesce(failing_since, ?) WHERE seq = ?', now, seq)
    this.#platform.db.run(
      "UPDATE webhooks SET status = 'disabled' WHERE seq = ? AND failing_since <= ?",
      seq,
      now - disableAfterMs,
    )
  }
}

/** A replay is an extra attempt: it doesn't move the schedule (vendor documentation, "Replay Event"). */
function nextState(
  event: WebhookEventRow,
  hasSucceeded: boolean,
  isReplay: boolean,
  now: number,
): Pick<WebhookEventRow, 'status' | 'attempts' | 'next_attempt_at'> {
  const attempts = isReplay ? event.attempts : event.attempts + 1
  if (hasSucceeded) return { status: 'success', attempts, next_attempt_at: null }
  if (isReplay) {
    const status = event.next_attempt_at === null ? 'failed' : 'attempting'
    return { status, attempts, next_attempt_at: event.next_attempt_at }
  }
  const delay = retryDelays[attempts - 1]
  return delay === undefined
    ? { status: 'failed', attempts, next_attempt_at: null }
    : { status: 'attempting', attempts, next_attempt_at: now + delay }
}
