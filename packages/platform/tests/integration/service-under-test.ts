import { createTransport, type SendMailOptions } from 'nodemailer'
import { z } from 'zod'
import type { Plain } from './wire-shapes.ts'
import { type MailPlatform, type PlatformOptions, startPlatform } from '../../src/start-platform.ts'
import type { Platform } from '../../src/platform.ts'
import { type Settings, defaultSettings } from '../../src/settings.ts'
import { StepScheduler } from '../../src/search/step-scheduler.ts'
import type { Database } from '../../src/storage/database.ts'
import { ThreadChanges } from '../../src/storage/thread-changes.ts'
import { Events } from '../../src/webhooks/events.ts'

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  /** Validated against /openapi.json before a test sees it, so the test can choose the type without checking it. */
  readonly body: Body
}

export interface ServiceUnderTest extends Omit<MailPlatform, 'deliver'> {
  /** Sends a request and validates the response against the service's OpenAPI document. */
  ask<Body = Plain>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer<Body>>
  /** Like {@link ask}, but the response must be a success. @returns its body */
  get<Body>(path: string): Promise<Body>
  /** Sends a message by SMTP and waits until it is stored. */
  deliver(message: SendMailOptions): Promise<void>
}

/** A platform with what the rules need, without HTTP and SMTP. */
export const platformOf = (db: Database, settings: Partial<Settings> = {}, now = () => 1): Platform => ({
  db,
  threadChanges: new ThreadChanges(db),
  events: new Events(db, now),
  scheduler: new StepScheduler(1),
  settings: { ...defaultSettings, ...settings },
  now,
  baseUrl: () => '',
  smtpPort: () => 0,
  secret: Buffer.alloc(32),
})

export interface TestOptions extends Partial<Settings> {
  readonly service?: PlatformOptions
}

/** The service in this process on free ports: by default empty, in memory and without a rate limit. */
export async function startTestService({ service = {}, ...settings }: TestOptions = {}): Promise<ServiceUnderTest> {
  const platform = await startPlatform({ settings, ...service })
  const { baseUrl, apiKey, inboxAddress } = platform
  const contract = await contractOf(baseUrl, settings.operations)
  const smtp = createTransport({
    host: '127.0.0.1',
    port: platform.smtpPort,
    ignoreTLS: true,
    pool: true,
    maxConnections: 2,
  })

  const ask = async <Body = Plain>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer<Body>> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'service-tests', ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const json: unknown = await response.json()
    contract.check(method, path, response.status, json)
    return { status: response.status, headers: response.headers, body: json as Body }
  }
  return {
    ...platform,
    ask,
    async get<Body>(path: string) {
      const answer = await ask<Body>('GET', path)
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    async deliver(message) {
      await smtp.sendMail({ from: 'Ann Lee <ann@example.com>', to: inboxAddress, ...message })
    },
    async close() {
      smtp.close()
      await platform.close()
    },
  }
}

const contracts = new Map<Settings['operations'] | undefined, ReturnType<typeof readOpenApi>>()
/**
 * The OpenAPI document from the first service of a test file. Documents of other services differ only in the operations
 * served and the address.
 */
const contractOf = (
  baseUrl: string,
  operations: Settings['operations'] | undefined,
): ReturnType<typeof readOpenApi> => {
  const contract = contracts.get(operations) ?? readOpenApi(baseUrl)
  contracts.set(operations, contract)
  return contract
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: { readonly Error: z.core.JSONSchema.JSONSchema } }
}
interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      { readonly content: { readonly 'application/json': { readonly schema: z.core.JSONSchema.JSONSchema } } }
    >
  >
}

async function readOpenApi(baseUrl: string) {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApi
  const error = z.fromJSONSchema(document.components.schemas.Error)
  const schemas = new Map<object, z.ZodType>()
  const schemaOf = (json: z.core.JSONSchema.JSONSchema): z.ZodType => {
    const known = schemas.get(json) ?? z.fromJSONSchema(json)
    schemas.set(json, known)
    return known
  }
  const operationOf = (method: string, path: string): Operation | undefined => {
    const segments = (path.split('?')[0] ?? '').split('/')
    const candidates = Object.entries(document.paths)
      .filter(([template]) => matches(template.split('/'), segments))
      // Literal segments take precedence over placeholders, as in the service.
      .toSorted(([a], [b]) => (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0))
    return candidates.map(([, item]) => item[method.toLowerCase()]).find((operation) => operation !== undefined)
  }
  return {
    document,
    /** @throws ZodError if the response doesn't match the schema */
    check(method: string, path: string, status: number, body: unknown): void {
      if (status >= 400) {
        error.parse(body)
        return
      }
      const answer = operationOf(method, path)?.responses[String(status)]
      if (!answer) throw new Error(`${method} ${path} answered ${status}, which /openapi.json does not know.`)
      schemaOf(answer.content['application/json'].schema).parse(body)
    },
  }
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => part.startsWith('{') || part === segments[index])
  )
}

/** Waits until `condition` returns a value. @throws Error after a minute */
export async function eventually<Value>(condition: () => Promise<Value | undefined>): Promise<Value> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const value = await condition()
    if (value !== undefined) return value
    if (Date.now() > deadline) throw new Error('What was waited for did not happen within a minute.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
