import type { z } from 'zod'
import type { ApiKeyRow, Permission } from '../storage/api-keys.ts'
import type { Platform } from '../platform.ts'
import { readBody } from './read-body.ts'

/** A request as a rule sees it: values, no sockets. */
export interface ApiRequest {
  readonly platform: Platform
  /** Whose request it is. */
  readonly key: ApiKeyRow
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Aborts when the client hangs up. */
  readonly signal: AbortSignal
  /** The parsed JSON body; `undefined` when there was none. */
  readonly json: unknown
  /** The fields and files of a multipart body; `null` for any other body. */
  readonly form: FormData | null
  /** A placeholder of the endpoint's path, decoded. */
  param(name: string): string
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/**
 * What changes the database, after everything slow is done: it runs in one transaction together with the note of its
 * idempotency key, so either both are on disk or neither is.
 */
export type Commit = () => Answer

export interface QueryParameter {
  readonly name: string
  readonly description: string
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Placeholders as `:name`. */
  readonly path: string
  readonly summary: string
  /** One of the six operations of the contract; the rest comes from the platform facts. */
  readonly inContract: boolean
  /** The least key that may call it. */
  readonly permission: Permission
  /** Whether `Idempotency-Key` is heeded (platform facts 1). */
  readonly idempotent: boolean
  readonly query: readonly QueryParameter[]
  readonly body: z.ZodType | null
  /** The shape of each successful answer, by its status. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  handle(request: ApiRequest): Answer | Commit | Promise<Answer | Commit>
}

interface Definition<Body extends z.ZodType | undefined> {
  readonly method: Endpoint['method']
  readonly path: string
  readonly summary: string
  readonly inContract?: true
  readonly permission?: Permission
  readonly idempotent?: true
  readonly query?: readonly QueryParameter[]
  readonly body?: Body
  readonly answers: Readonly<Record<number, z.ZodType>>
  handle(
    request: ApiRequest,
    body: Body extends z.ZodType ? z.infer<Body> : undefined,
  ): Answer | Commit | Promise<Answer | Commit>
}

/** Declares an endpoint; its body is checked before `handle` sees it. */
export function endpoint<Body extends z.ZodType | undefined = undefined>(definition: Definition<Body>): Endpoint {
  const { body: schema } = definition
  return {
    method: definition.method,
    path: definition.path,
    summary: definition.summary,
    inContract: definition.inContract ?? false,
    permission: definition.permission ?? 'full_access',
    idempotent: definition.idempotent ?? false,
    query: definition.query ?? [],
    body: schema ?? null,
    answers: definition.answers,
    handle: (request) =>
      definition.handle(
        request,
        (schema ? readBody(schema, request.json) : undefined) as Parameters<typeof definition.handle>[1],
      ),
  }
}

/** 200 */
export function ok(body: unknown): Answer {
  return { status: 200, body }
}

/** 201: contacts, segments, topics, properties, keys and new drafts (platform facts 1 and 3.7). */
export function created(body: unknown): Answer {
  return { status: 201, body }
}
