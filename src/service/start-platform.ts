import { z } from 'zod'
import type { FaultRule, FaultState } from './http/fault-rule.ts'
import { faultRule } from './http/faults.ts'
import { readFault } from './http/read-fault.ts'
import { isLocalRecipient } from './mail/deliver.ts'
import { type MessageFields, writeMessage } from './mail/message-fields.ts'
import { parseMessage } from './mail/parse-message.ts'
import { receiveMessage } from './mail/receive.ts'
import { type RunningService, startService } from './service.ts'
import { type Settings, defaultSettings } from './settings.ts'

export type { FaultKind, FaultRule, FaultState } from './http/fault-rule.ts'
export type { MessageFields, MessageFile } from './mail/message-fields.ts'
export type { Authentication, AuthenticationResult, InlineImages, SearchLimits, Settings } from './settings.ts'

/** How a platform is started. Every option may be left out. */
export interface PlatformOptions {
  /** HTTP port; 0, as without it, for any free one. */
  readonly port?: number | undefined
  /** SMTP port; 0, as without it, for any free one. */
  readonly smtpPort?: number | undefined
  /** What a new database holds: one empty inbox, as without it, or the demo mailbox. */
  readonly dataset?: 'empty' | 'demo' | undefined
  /** The database file, which keeps what it holds; in memory without it. */
  readonly data?: string | null | undefined
  /** The full-access key; a new one without it. */
  readonly apiKey?: string | null | undefined
  /** Files to load into the inbox: mbox, `.eml`, zip, JSON lines, folders of them. */
  readonly imports?: readonly string[] | undefined
  /** Generated threads for a new database, the same for the same seed. */
  readonly generate?: { readonly threads: number; readonly seed: number } | null | undefined
  /** What goes wrong on purpose, from the first request on. */
  readonly faults?: readonly (FaultRule | string)[] | undefined
  /** What the switches of the program decide. There is no rate limit unless one is set here. */
  readonly settings?: Partial<Settings> | undefined
  /** Milliseconds since 1970; for tests that need another time. */
  readonly now?: (() => number) | undefined
  /** Takes one line of log at a time, a request each; silent without it. */
  readonly log?: ((line: string) => void) | undefined
}

/** An e-mail that came in, by the ids that the HTTP interface gives. */
export interface DeliveredEmail {
  readonly id: string
  /** `null` where the address has no inbox, only the domain is local. */
  readonly inboxId: string | null
  readonly threadId: string | null
}

/** A platform that runs in this process, until it is closed. */
export interface MailPlatform {
  /** Such as `http://127.0.0.1:50712`. */
  readonly baseUrl: string
  /** Opens everything. */
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  /** On 127.0.0.1, without TLS and without a sign-in. */
  readonly smtpPort: number
  /**
   * Hands in a message, as if it had come by SMTP, and resolves once it is stored.
   *
   * @param message the message as it is on the wire, or what people see of it
   * @param envelope who it is from and for, whatever its headers say. Without it the headers decide; a message on the wire
   *   that names nobody here goes to the announced inbox
   * @returns one e-mail for each inbox that it is for, and one for all other addresses of local domains
   * @throws Error where a recipient has no mailbox here, or an address is none
   */
  deliver(
    message: string | Uint8Array | MessageFields,
    envelope?: { readonly from?: string; readonly to?: readonly string[] },
  ): Promise<readonly DeliveredEmail[]>
  /**
   * Has requests go wrong from now on, by these rules alone; an empty list ends all faults.
   * A rule is an object, or a line such as `error_503 GET /emails times=2`.
   *
   * @returns the rules that hold, with how often each was met; without an argument they stay as they are
   * @throws Error that says what is wrong with a rule
   */
  faults(rules?: readonly (FaultRule | string)[]): readonly FaultState[]
  /** Moves the platform's clock forward: scheduled e-mails, tokens and links follow it. */
  advance(milliseconds: number): void
  /** Empties the platform but for its first inbox and its key, and ends all faults: for a test that begins anew. */
  reset(): void
  /** Lets requests under way finish, then frees ports and file. A second call waits for the first. */
  close(): Promise<void>
  /** As {@link close}, at the end of a block that says `await using`. */
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

/**
 * Starts a mail platform in this process: on free ports, empty, in memory and without a rate limit unless `options` says
 * otherwise. It listens on 127.0.0.1 only, and sends nothing anywhere.
 *
 * @returns the platform, once it listens
 * @throws Error with a sentence for a person where an option is wrong, a port is taken or a file cannot be used
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
    advance: (milliseconds) => service.advanceClock(check(z.number().min(0), milliseconds, 'advance')),
    reset: () => service.reset(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function rulesOf(rules: readonly (FaultRule | string)[]): readonly FaultRule[] {
  return rules.map((rule, index) =>
    typeof rule === 'string' ? readFault(rule) : check(faultRule, rule, `faults.${index}`),
  )
}

/** @throws Error that begins with the name of what is wrong */
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
  // A file of real mail is for people elsewhere; a test that names somebody who is not here is wrong.
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

/** A message as it is on the wire, with whom it is from and whom it names. */
async function mailOf(
  message: string | Uint8Array | MessageFields,
  inbox: string,
  now: number,
): Promise<{ readonly raw: Uint8Array; readonly from: string; readonly named: readonly string[] }> {
  if (!isRaw(message)) return writeMessage(message, inbox, now)
  const raw = typeof message === 'string' ? Buffer.from(message) : message
  const { from, to, cc, bcc } = await parseMessage(raw)
  return { raw, from: from?.address ?? '', named: [...to, ...cc, ...bcc].map(({ address }) => address) }
}
