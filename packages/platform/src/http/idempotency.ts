import { createHash } from 'node:crypto'
import type { Platform } from '../platform.ts'
import { ApiError } from './api-error.ts'
import type { ApiResponse, ApiRequest, Endpoint } from './endpoint.ts'

/** Milliseconds to keep responses (platform.md 1.10: 24 hours). */
const retentionMs = 24 * 60 * 60 * 1000

interface StoredResponse {
  readonly request_sha256: string
  readonly status: number
  readonly body: string
}

/**
 * Makes requests with an `Idempotency-Key` take effect once (platform.md 1.10). A repeat gets the same response for 24
 * hours, a different request 409 `invalid_idempotent_request`, a concurrent one 409 `concurrent_idempotent_requests`.
 * Only successes are stored, so a rejected request can be corrected and sent again.
 */
export class IdempotencyStore {
  readonly #platform: Platform
  readonly #inFlight = new Set<string>()

  constructor(platform: Platform) {
    this.#platform = platform
  }

  async run(endpoint: Endpoint, request: ApiRequest): Promise<ApiResponse> {
    const key = endpoint.idempotent ? readKey(request) : null
    if (key === null) return perform(this.#platform, endpoint, request)
    const hash = requestHash(endpoint, request)
    const kept = findResponse(this.#platform, key)
    if (kept) return replay(kept, hash)
    if (this.#inFlight.has(key)) {
      throw new ApiError(
        409,
        'concurrent_idempotent_requests',
        'Same idempotency key used while original request is still in progress. Please try again later.',
      )
    }
    this.#inFlight.add(key)
    try {
      return await perform(this.#platform, endpoint, request, (answer) => {
        storeResponse(this.#platform, key, hash, answer)
      })
    } finally {
      this.#inFlight.delete(key)
    }
  }
}

async function perform(
  platform: Platform,
  endpoint: Endpoint,
  request: ApiRequest,
  note: (answer: ApiResponse) => void = () => undefined,
): Promise<ApiResponse> {
  const result = await endpoint.handle(request)
  if (typeof result !== 'function') return result
  return platform.events.as(request.source, () =>
    platform.db.transaction(() => {
      const answer = result()
      note(answer)
      return answer
    }),
  )
}

function readKey(request: ApiRequest): string | null {
  const key = request.headers.get('idempotency-key')
  if (key === null) return null
  if (key.length < 1 || key.length > 256) {
    throw new ApiError(400, 'invalid_idempotency_key', 'The idempotency key must be between 1-256 chars.')
  }
  return key
}

function requestHash(endpoint: Endpoint, request: ApiRequest): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => request.param(name))
  return createHash('sha256')
    .update(JSON.stringify([endpoint.method, path, request.json ?? null]))
    .digest('hex')
}

function findResponse(platform: Platform, key: string): StoredResponse | undefined {
  return platform.db.get<StoredResponse>(
    'SELECT request_sha256, status, body FROM idempotency_keys WHERE key = ? AND created_at > ?',
    key,
    platform.now() - retentionMs,
  )
}

function storeResponse(platform: Platform, key: string, hash: string, { status, body }: ApiResponse): void {
  platform.db.run(
    'INSERT OR REPLACE INTO idempotency_keys (key, request_sha256, status, body, created_at) VALUES (?, ?, ?, ?, ?)',
    key,
    hash,
    status,
    JSON.stringify(body),
    platform.now(),
  )
}

function replay(kept: StoredResponse, hash: string): ApiResponse {
  if (kept.request_sha256 !== hash) {
    throw new ApiError(409, 'invalid_idempotent_request', 'Same idempotency key used with a different request payload.')
  }
  return { status: kept.status, body: JSON.parse(kept.body) as unknown }
}
