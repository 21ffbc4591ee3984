import { z } from 'zod'
import type { FaultRule, FaultState } from './http/fault-rule.ts'
import { faultRuleSchema } from './http/faults.ts'
import { parseFaultRule } from './http/parse-fault-rule.ts'
import { isLocalRecipient, receiveMessage } from './mail/deliver.ts'
import { type MessageFields, buildRawMessage } from './mail/message-fields.ts'
import { parseMessage } from './mail/parse-message.ts'
import { type RunningService, startService } from './service.ts'
import { type Settings, defaultSettings } from './settings.ts'
import { type WebhookEventType, type WebhookInbox, webhookEventTypes } from './webhooks/webhook-types.ts'

export type { FaultKind, FaultRule, FaultState } from './http/fault-rule.ts'
export type { MessageFields, MessageFile } from './mail/message-fields.ts'
export type { SignatureHeaders, WebhookDelivery, WebhookEventType, WebhookInbox } from './webhooks/webhook-types.ts'
export type { Authentication, AuthenticationResult, InlineImageMode, SearchLimits, Settings } from './settings.ts'

export interface PlatformOptions {
  /** HTTP port. Default 0: any free one. */
  readonly port?: number | undefined
  /** SMTP port. Default 0: any free one. */
  readonly smtpPort?: number | undefined
  /** Content of a new database: an empty inbox (default) or the demo mailbox. */
  readonly dataset?: 'empty' | 'demo' | undefined
  /** The database file; its existing content is kept. Default: in memory. */
  readonly data?: string | null | undefined
  /** The full-access key. Default: a new one. */
  readonly apiKey?: string | null | undefined
  /** Files to load into the inbox: mbox, `.eml`, zip, JSON lines, or folders of them. */
  readonly imports?: readonly string[] | undefined
  /** Threads to generate for a new database; the same seed gives the same threads. */
  readonly generate?: { readonly threads: number; readonly seed: number } | null | undefined
  /** Faults to inject from the first request on. */
  readonly faults?: readonly (FaultRule | string)[] | undefined
  /** Settings that the program's command-line switches would set. No rate limit by default. */
  readonly settings?: Partial<Settings> | undefined
  /** Clock for tests; returns milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Receives log lines, one per request. Default: silent. */
  readonly log?: ((line: string) => void) | undefined
}

export interface DeliveredEmail {
  readonly id: string
  /** `null` if the address has no inbox but its domain is local. */
  readonly inboxId: string | null
  readonly threadId: string | null
}

export interface MailPlatform {
  /** For example `http://127.0.0.1:50712`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  /** Port on 127.0.0.1, without TLS or authentication. */
  readonly smtpPort: number
  /**
   * Delivers a message as if by SMTP, and resolves once it is stored.
   * @param envelope overrides the headers. By default, a raw message without local recipients goes to the announced
   * inbox
   * @returns one e-mail per inbox, plus one for all other addresses of local domains
   * @throws Error for a recipient without a local mailbox, or an invalid address
   */
  deliver(
    message: string | Uint8Array | MessageFields,
    envelope?: { readonly from?: string; readonly to?: readonly string[] },
  ): Promise<readonly DeliveredEmail[]>
  /**
   * Replaces the fault rules; an empty list clears them. A rule is an object or a line such as `error_503 GET /emails
   * times=2`.
   * @returns the active rules with their counters; without an argument, nothing changes
   * @throws Error that explains an invalid rule
   */
  faults(rules?: readonly (FaultRule | string)[]): readonly FaultState[]
  /**
   * Creates a webhook with an endpoint on the platform that collects its deliveries. Fault rules apply to the endpoint's
   * path. Ends with `reset()` and `close()`.
   * @param options `events` limits the types; by default, all events are delivered
   */
  webhook(options?: { readonly events?: readonly WebhookEventType[] }): WebhookInbox
  /** Resolves once everything that is due was done: scheduled e-mails, delivery events, checks of domains, webhooks. */
  settled(): Promise<void>
  /**
   * Moves the platform's clock forward, which affects scheduled e-mails, checks of domains, tokens, links and retries of
   * webhooks.
   */
  advance(milliseconds: number): void
  /** Prepares for the next test: empties the platform except for its first inbox and key, and clears all faults. */
  reset(): void
  /** Lets requests in flight finish, then releases ports and file. A second call waits for the first. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const optionsSchema = z.strictObject({
  port: z.int().min(0).max(65_535).optional(),
  smtpPort: z.int().min(0).max(65_535).optional(),
  dataset: z.enum(['empty', 'demo']).optional(),
  data: z.string().min(1).nullish(),
  apiKey: z.string().min(1).nullish(),
  imports: z.array(z.string()).optional(),
  generate: z.strictObject({ threads: z.int().min(0), seed: z.int().min(0) }).nullish(),
  faults: z.array(z.unknown()).optional(),
  settings: z.partialRecord(z.enum(Object.keys(defaultSettings)), z.unknown()).optional(),
  now: z.unknown().optional(),
  log: z.unknown().optional(),
})

const webhookOptionsSchema = z.strictObject({ events: z.array(z.enum(webhookEventTypes)).min(1).optional() })

/**
 * Starts a mail platform in this process. Default: free ports, empty, in memory, without a rate limit. It listens on
 * 127.0.0.1 only and never sends anything to other machines.
 * @throws Error with a message for the user if an option is invalid, a port is taken or a file is unusable
 */
export async function startPlatform(options: PlatformOptions = {}): Promise<MailPlatform> {
  check(optionsSchema, options, 'startPlatform')
  const service = await startService({
    port: options.port ?? 0,
    smtpPort: options.smtpPort ?? 0,
    dataset: options.dataset ?? 'empty',
    data: options.data ?? null,
    apiKey: options.apiKey ?? null,
    imports: options.imports ?? [],
    generate: options.generate ?? null,
    faults: rulesOf(options.faults ?? []),
    settings: { rateLimit: null, ...options.settings },
    log: options.log ?? (() => undefined),
    ...(options.now === undefined ? {} : { now: options.now }),
  })
  const { base_url: baseUrl, api_key: apiKey, inbox_id, inbox_address, smtp_port } = service.announcement
  let closed: Promise<void> | null = null
  const close = (): Promise<void> => (closed ??= service.close())
  return {
    baseUrl,
    apiKey,
    inboxId: inbox_id,
    inboxAddress: inbox_address,
    smtpPort: smtp_port,
    deliver: (message, envelope) => deliver(service, message, envelope),
    faults(rules) {
      if (rules !== undefined) service.faults.set(rulesOf(rules))
      return service.faults.state()
    },
    webhook(hook = {}) {
      const { events } = check(webhookOptionsSchema, hook, 'webhook')
      return service.webhookInboxes.open(baseUrl, events ?? null, service.platform.now())
    },
    settled: () => service.settled(),
    advance: (milliseconds) => service.advanceClock(check(z.number().min(0), milliseconds, 'advance')),
    reset: () => service.reset(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function rulesOf(rules: readonly (FaultRule | string)[]): readonly FaultRule[] {
  return rules.map((rule, index) =>
    typeof rule === 'string' ? parseFaultRule(rule) : check(faultRuleSchema, rule, `faults.${index}`),
  )
}

/** @throws Error that starts with the path of the invalid option */
function check<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): z.infer<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new Error(`${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
}

async function deliver(
  { platform, announcement }: RunningService,
  message: string | Uint8Array | MessageFields,
  given: { readonly from?: string; readonly to?: readonly string[] } = {},
): Promise<readonly DeliveredEmail[]> {
  const { db } = platform
  const isHere = (address: string): boolean => isLocalRecipient(db, address)
  const inbox = announcement.inbox_address
  const { raw, from, named } = await mailOf(message, inbox, platform.now())
  const here = named.filter(isHere)
  // A real raw message may be addressed to others, but a test that names a non-local recipient is wrong.
  const to = given.to ?? (here.length === 0 && isRaw(message) ? [inbox] : here)
  const stranger = to.length === 0 ? named[0] : to.find((address) => !isHere(address))
  if (stranger !== undefined) throw new Error(`No mailbox here for <${stranger}>`)
  if (to.length === 0) throw new Error('The envelope names nobody.')
  const stored = await receiveMessage(platform, raw, { from: given.from ?? from, to })
  return stored.map(({ id, inbox_seq, thread_seq }) => ({
    id,
    inboxId: db.get<{ id: string }>('SELECT id FROM inboxes WHERE seq = ?', inbox_seq)?.id ?? null,
    threadId: db.get<{ id: string }>('SELECT id FROM threads WHERE seq = ?', thread_seq)?.id ?? null,
  }))
}

function isRaw(message: string | Uint8Array | MessageFields): message is string | Uint8Array {
  return typeof message === 'string' || message instanceof Uint8Array
}

async function mailOf(
  message: string | Uint8Array | MessageFields,
  inbox: string,
  now: number,
): Promise<{ readonly raw: Uint8Array; readonly from: string; readonly named: readonly string[] }> {
  if (!isRaw(message)) return buildRawMessage(message, inbox, now)
  const raw = typeof message === 'string' ? Buffer.from(message) : message
  const { from, to, cc, bcc } = await parseMessage(raw)
  return { raw, from: from?.address ?? '', named: [...to, ...cc, ...bcc].map(({ address }) => address) }
}
