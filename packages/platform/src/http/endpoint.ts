import type { z } from 'zod'
import type { ApiKeyRow, Permission } from '../storage/api-keys.ts'
import type { Platform } from '../platform.ts'
import type { EventSource } from '../webhooks/webhook-types.ts'
import { parseBody } from './parse-body.ts'

export interface ApiRequest {
  readonly platform: Platform
  readonly key: ApiKeyRow
  /** Origin of the changes in their events. */
  readonly source: EventSource
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** The parsed JSON body; `undefined` without one. */
  readonly json: unknown
  /** Fields and files of a multipart body; `null` for any other body. */
  readonly form: FormData | null
  /** Decoded value of a path placeholder. */
  param(name: string): string
}

export interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

/** Writes to the database after all slow work, in the same transaction as the idempotency record. */
export type Commit = () => ApiResponse

export interface QueryParameter {
  readonly name: string
  readonly description: string
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Placeholders as `:name`. */
  readonly path: string
  readonly summary: string
  /** True for the contract's six operations (docs/platform.md). */
  readonly inContract: boolean
  readonly permission: Permission
  /** True if `Idempotency-Key` applies (platform.md 1.10). */
  readonly idempotent: boolean
  readonly query: readonly QueryParameter[]
  readonly body: z.ZodType | null
  readonly answers: Readonly<Record<number, z.ZodType>>
  handle(request: ApiRequest): ApiResponse | Commit | Promise<ApiResponse | Commit>
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
  ): ApiResponse | Commit | Promise<ApiResponse | Commit>
}

/** Declares an endpoint. The body is validated before `handle` runs. */
export function defineEndpoint<Body extends z.ZodType | undefined = undefined>(definition: Definition<Body>): Endpoint {
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
        (schema ? parseBody(schema, request.json) : undefined) as Parameters<typeof definition.handle>[1],
      ),
  }
}

export function respondOk(body: unknown): ApiResponse {
  return { status: 200, body }
}

/** 201: contacts, segments, topics, properties, keys and new drafts (platform.md 1.5 and 14.4). */
export function respondCreated(body: unknown): ApiResponse {
  return { status: 201, body }
}
