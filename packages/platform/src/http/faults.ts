import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { type FaultKind, type FaultRule, type FaultState, faultKinds } from './fault-rule.ts'

export const faultRuleSchema = z.strictObject({
  kind: z.enum(faultKinds),
  method: z.string().optional(),
  path: z.string().optional(),
  times: z.int().min(1).optional(),
  skip: z.int().min(0).optional(),
  delay_ms: z.int().min(0).max(600_000).optional(),
  message: z.string().optional(),
  retry_after: z.int().min(0).optional(),
  field: z.string().optional(),
}) satisfies z.ZodType<FaultRule>

export class Faults {
  #states: readonly FaultState[] = []

  constructor(rules: readonly FaultRule[] = []) {
    this.set(rules)
  }

  set(rules: readonly FaultRule[]): void {
    this.#states = rules.map((rule) => ({ rule, seen: 0, met: 0 }))
  }

  state(): readonly FaultState[] {
    return this.#states
  }

  take(method: string, path: string): FaultRule | null {
    const fitting = this.#states.find((state) => fits(state.rule, method, path) && !isUsedUp(state))
    if (!fitting) return null
    const isMet = fitting.seen >= (fitting.rule.skip ?? 0)
    const next = { ...fitting, seen: fitting.seen + 1, met: fitting.met + Number(isMet) }
    this.#states = this.#states.map((state) => (state === fitting ? next : state))
    return isMet ? fitting.rule : null
  }
}

function fits(rule: FaultRule, method: string, path: string): boolean {
  return (rule.method === undefined || rule.method === method) && path.startsWith(rule.path ?? '/')
}

function isUsedUp({ rule, met }: FaultState): boolean {
  return rule.times !== undefined && met >= rule.times
}

/** Faults that prevent a request from taking effect. */
const refusals: Partial<Record<FaultKind, (rule: FaultRule) => Response>> = {
  error_422: (rule) => failure(422, 'validation_error', rule.message ?? 'The request is not valid.', {}),
  error_500: () => failure(500, 'application_error', 'Internal server error.', {}),
  error_503: (rule) => failure(503, 'service_unavailable', 'The service is unavailable.', retryAfter(rule)),
  rate_limited: (rule) => failure(429, 'rate_limit_exceeded', 'Too many requests.', retryAfter(rule)),
  html: () =>
    new Response('<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>\n', {
      status: 502,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    }),
}

export function createFaultMiddleware(faults: Faults): MiddlewareHandler {
  return async (context, next) => {
    const rule = faults.take(context.req.method, context.req.path)
    if (!rule) return next()
    const instead = refusals[rule.kind]?.(rule)
    if (instead) return instead
    if (rule.kind === 'delay') await wait(rule.delay_ms ?? 1000)
    // From here on, the request takes effect even if the client gets no response.
    await next()
    const answer = context.res
    const body = await answer.clone().text()
    if (rule.kind === 'lost') dropConnection(context)
    if (rule.kind === 'cut') context.res = cutAnswer(answer, body)
    const changed = applyBodyFault(rule, body)
    if (changed !== null) context.res = new Response(changed, answer)
    return undefined
  }
}

function failure(status: number, name: string, message: string, headers: Record<string, string>): Response {
  return new Response(JSON.stringify({ statusCode: status, message, name }), {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  })
}

function retryAfter({ retry_after: seconds }: FaultRule): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}

async function wait(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function dropConnection(context: Context): void {
  const { outgoing } = context.env as HttpBindings
  outgoing.destroy()
}

/** Milliseconds for the first half of a cut response to be sent. */
const firstHalfDelayMs = 50

/** Announces the full length, sends half, then closes the connection. */
function cutAnswer(answer: Response, body: string): Response {
  const bytes = Buffer.from(body)
  const half = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.subarray(0, Math.ceil(bytes.byteLength / 2)))
    },
    async pull(controller) {
      await wait(firstHalfDelayMs)
      controller.error(new Error('The answer is cut on purpose.'))
    },
  })
  const headers = new Headers(answer.headers)
  headers.set('content-length', String(bytes.byteLength))
  return new Response(half, { status: answer.status, headers })
}

/** The body with the fault applied, or `null` to leave it unchanged. */
function applyBodyFault(rule: FaultRule, body: string): string | null {
  switch (rule.kind) {
    case 'truncated_json':
      return body.slice(0, Math.floor(body.length / 2))
    case 'malformed_json':
      return body.replace(/:/g, ' = ')
    case 'unknown_fields':
      return mapObjects(body, (object) => ({ ...object, x_unknown: { nested: [1, 'two', null] } }))
    case 'unknown_enum':
      return mapObjects(body, (object) => withField(object, rule.field ?? 'folder', () => 'x_unknown'))
    case 'missing_field':
      return mapObjects(body, (object) => withField(object, rule.field ?? 'subject', () => undefined))
    case 'delay':
    case 'error_422':
    case 'error_500':
    case 'error_503':
    case 'rate_limited':
    case 'html':
    case 'lost':
    case 'cut':
      return null
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/** Maps every object of a JSON text, inner ones first. */
function mapObjects(body: string, change: (object: JsonObject) => JsonObject): string {
  const parsed: unknown = JSON.parse(body, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as JsonObject) : value,
  )
  return JSON.stringify(parsed)
}

function withField(object: JsonObject, field: string, value: () => unknown): JsonObject {
  return field in object ? { ...object, [field]: value() } : object
}
