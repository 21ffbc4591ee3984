import { randomUUID } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { type WebhookRow, findWebhook, insertWebhook } from '../storage/webhooks.ts'
import { isSignedBy } from './sign.ts'
import type { SignatureHeaders, WebhookDelivery, WebhookEventType, WebhookInbox } from './webhook-types.ts'

interface Waiter {
  readonly type: string | undefined
  resolve(delivery: WebhookDelivery): void
  reject(error: Error): void
}

/** Path of the endpoints, which fault rules can name. */
export const inboxPath = '/_webhooks'

const defaultTimeoutMs = 10_000

class Collector implements WebhookInbox {
  readonly id: string
  readonly endpoint: string
  readonly received: WebhookDelivery[] = []
  readonly #db: Database
  #fresh: readonly WebhookDelivery[] = []
  #waiters: readonly Waiter[] = []

  constructor(db: Database, webhook: WebhookRow) {
    this.#db = db
    this.id = webhook.id
    this.endpoint = webhook.endpoint
  }

  get signingSecret(): string {
    return findWebhook(this.#db, this.id)?.signing_secret ?? ''
  }

  /** @returns false if the signature is wrong */
  accept(headers: SignatureHeaders, body: string): boolean {
    if (!isSignedBy(this.signingSecret, headers, body)) return false
    const {
      type,
      created_at: createdAt,
      data,
    } = JSON.parse(body) as {
      readonly type: string
      readonly created_at: string
      readonly data: Readonly<Record<string, unknown>>
    }
    const delivery: WebhookDelivery = { id: headers.id, type, createdAt, data, body, headers }
    this.received.push(delivery)
    const waiter = this.#waiters.find((each) => each.type === undefined || each.type === type)
    this.#waiters = this.#waiters.filter((each) => each !== waiter)
    if (waiter) waiter.resolve(delivery)
    else this.#fresh = [...this.#fresh, delivery]
    return true
  }

  next(type?: WebhookEventType, timeoutMs = defaultTimeoutMs): Promise<WebhookDelivery> {
    const delivery = this.#fresh.find((each) => type === undefined || each.type === type)
    if (delivery) {
      this.#fresh = this.#fresh.filter((each) => each !== delivery)
      return Promise.resolve(delivery)
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { type, resolve, reject }
      this.#waiters = [...this.#waiters, waiter]
      // Does nothing if the promise is settled by then.
      const giveUp = (): void => {
        this.#waiters = this.#waiters.filter((each) => each !== waiter)
        const others = this.received.map((each) => each.type).join(', ')
        reject(new Error(`No ${type ?? 'delivery'} within ${timeoutMs} ms. Received: ${others || 'nothing'}.`))
      }
      setTimeout(giveUp, timeoutMs).unref()
    })
  }

  close(): void {
    for (const waiter of this.#waiters) waiter.reject(new Error('The platform was reset or closed.'))
    this.#waiters = []
  }
}

/** The webhook inboxes of this run. */
export class WebhookInboxes {
  readonly #db: Database
  /** By the end of their endpoints. */
  readonly #collectors = new Map<string, Collector>()

  constructor(db: Database) {
    this.#db = db
  }

  /** @param events `null` for all types @param now milliseconds since 1970 */
  open(baseUrl: string, events: readonly WebhookEventType[] | null, now: number): WebhookInbox {
    const name = randomUUID()
    const endpoint = `${baseUrl}${inboxPath}/${name}`
    const collector = new Collector(this.#db, insertWebhook(this.#db, { endpoint, events }, now))
    this.#collectors.set(name, collector)
    return collector
  }

  /** Handles a delivery. @param name the end of the inbox's endpoint */
  async receive(name: string, request: Request): Promise<Response> {
    const headers: SignatureHeaders = {
      id: request.headers.get('svix-id') ?? '',
      timestamp: request.headers.get('svix-timestamp') ?? '',
      signature: request.headers.get('svix-signature') ?? '',
    }
    const collector = this.#collectors.get(name)
    if (!collector) return Response.json({ error: 'No such webhook inbox.' }, { status: 404 })
    return collector.accept(headers, await request.text())
      ? Response.json({ received: true })
      : Response.json({ error: 'The signature is wrong.' }, { status: 401 })
  }

  /** Forgets all inboxes; waiting calls fail. */
  clear(): void {
    for (const collector of this.#collectors.values()) collector.close()
    this.#collectors.clear()
  }
}
