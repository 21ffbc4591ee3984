import type { Context } from 'hono'
import type { Platform } from '../platform.ts'
import type { ApiKeyRow } from '../storage/api-keys.ts'
import type { EventSource } from '../webhooks/webhook-types.ts'
import { ApiError } from './api-error.ts'
import type { ApiRequest } from './endpoint.ts'

export async function readRequest(
  platform: Platform,
  key: ApiKeyRow,
  context: Context,
  source: EventSource,
): Promise<ApiRequest> {
  const { req } = context
  const isForm = req.header('content-type')?.startsWith('multipart/form-data') ?? false
  return {
    platform,
    key,
    source,
    query: new URL(req.url).searchParams,
    headers: req.raw.headers,
    signal: req.raw.signal,
    json: isForm ? undefined : await readJson(context),
    form: isForm ? await readForm(context) : null,
    param(name) {
      const value = req.param(name)
      if (value === undefined) throw new Error(`The path has no placeholder ${name}.`)
      return value
    },
  }
}

/** 400 `validation_error`; the platform's own error is unknown (platform.md 4.7). */
async function readJson(context: Context): Promise<unknown> {
  const text = await context.req.text()
  if (text.trim() === '') return undefined
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError(400, 'validation_error', 'The request body must be valid JSON.')
  }
  if (isTooDeep(body)) throw new ApiError(400, 'validation_error', 'The request body is nested too deeply.')
  return body
}

/** Maximum nesting of a body. Serialising thousands of levels again for an idempotency record overflows the stack. */
const maxLevels = 64

function isTooDeep(body: unknown): boolean {
  let level: readonly unknown[] = [body]
  for (let depth = 0; depth <= maxLevels; depth += 1) {
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
    if (level.length === 0) return false
  }
  return true
}

async function readForm(context: Context): Promise<FormData> {
  try {
    return await context.req.formData()
  } catch {
    throw new ApiError(400, 'validation_error', 'The request body must be valid multipart form data.')
  }
}
