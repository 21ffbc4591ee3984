import { ProblemError } from '../../shared/result.ts'
import { USER_AGENT } from './version.ts'
import { createBytesBody, LARGE_BODY_BYTES, createJsonBody, type OutgoingFile } from './outgoing-body.ts'
import { parseJson } from './parse-json.ts'
import { readBody } from './read-body.ts'
import {
  ResponseTooLargeError,
  isQuotaExceeded,
  isTimeOut,
  PlatformRefusalError,
  toRefusal,
  toUnreachableError,
  UnreadableResponseError,
  UnreachableError,
  type UploadProgress,
} from './platform-problem.ts'
import type { Priority, RequestBudget } from './request-budget.ts'
import { computeBackOffMs } from '../timing/back-off.ts'
import { detectPortalByCertificate, detectCaptivePortal } from './captive-portal.ts'
import { parseQuotaHeaders, type QuotaHeaders } from './resources/usage.ts'
import { createKeyRedactor } from './key-redaction.ts'
import { ResponseTimeoutError, StaleConnectionError, type OnTransferProgress } from './exchange.ts'
import type { ConnectionPool, HttpResponse } from './connection-pool.ts'
import type { Network } from './network.ts'
import { ProxyError } from './proxy-problem.ts'
import { MINIMUM_SPEED, IDLE_TIMEOUTS, type IdleTimeouts } from './timeouts.ts'
import { UntrustedCertificateError } from './untrusted-certificate.ts'
import { sleep, systemClock, type Clock } from '../timing/clock.ts'

/**
 * Parses a Retry-After header: seconds or a date (platform.md 2.3). @returns milliseconds, at most five minutes, or
 * null
 */
export const parseRetryAfter = (header: string | undefined, now: number): number | null => {
  if (header === undefined) return null
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), 300_000)
}

/** The request budget allows as many requests in flight. */
const CONNECTIONS = 12
/** A list of a hundred threads is about 60 kB; an e-mail with inline images takes several megabytes. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024
const MAX_ATTEMPTS = 3
/** Users shouldn't wait for a third attempt to learn that they are offline. */
const MAX_ACTION_ATTEMPTS = 2
const MAX_RATE_LIMITED = 6

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to the base URL; build it with `path`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** A raw body instead of JSON. */
  readonly form?: { readonly bytes: Uint8Array; readonly contentType: string }
  /** Files for the body's `attachments`. */
  readonly files?: readonly OutgoingFile[] | undefined
  /** The platform deduplicates requests with the same key for 24 hours (platform.md 1.10). */
  readonly idempotencyKey?: string | undefined
  /** Largest accepted response in bytes; 64 MiB by default. */
  readonly maxBytes?: number | undefined
  readonly priority: Priority
  readonly progress?: OnTransferProgress | undefined
  readonly signal: AbortSignal
}

/** Outcome of the last request: a response, or why the platform was unreachable. */
export type Reach = 'reached' | UnreachableError

const withQuery = (path: string, query: PlatformRequest['query']): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

/** Milliseconds until the next attempt; null to give up. */
const retryDelayMs = (request: PlatformRequest, thrown: unknown, attempt: number): number | null => {
  if (thrown instanceof UnreachableError && thrown.cause instanceof UntrustedCertificateError) return null
  if (thrown instanceof UnreachableError && thrown.cause instanceof ProxyError && thrown.cause.isAsking) return null
  // No extra wait after a 429: the budget already waits as long as the platform asked.
  if (isQuotaExceeded(thrown)) return null
  if (thrown instanceof PlatformRefusalError && thrown.status === 429) return attempt < MAX_RATE_LIMITED ? 0 : null
  const isAction = request.priority === 'action'
  // The connection was dead, not the platform slow.
  const isStale = thrown instanceof UnreachableError && thrown.cause instanceof StaleConnectionError
  if (isAction && isTimeOut(thrown) && !isStale) return null
  const attempts = isAction ? MAX_ACTION_ATTEMPTS : MAX_ATTEMPTS
  if (request.method !== 'GET' || attempt >= attempts || !(thrown instanceof ProblemError)) return null
  const passing = thrown.problem.code === 'unreachable' || thrown.problem.code === 'platform_failed'
  if (isStale) return 0
  return passing ? computeBackOffMs(attempt, Math.random()) : null
}

export interface HttpClientOptions {
  readonly baseUrl: URL
  /** The current key, which may change while a request is queued. @throws if there is no usable key */
  readonly apiKey: (signal: AbortSignal) => Promise<string> | string
  /** Called when the platform rejects a key. @returns true if a new key makes a retry worthwhile */
  readonly renewable?: (apiKey: string) => boolean
  readonly budget: RequestBudget
  readonly onReach?: (reach: Reach) => void
  readonly onQuota?: (used: QuotaHeaders) => void
  /** True if a platform has ever answered at the base URL; false by default. */
  readonly hasAnswered?: () => boolean
  readonly network: Pick<Network, 'open'>
  readonly silence?: IdleTimeouts
  /** Limit for a complete response in milliseconds; by default none while bytes keep arriving. */
  readonly longestAnswer?: number | null
  readonly clock?: Clock
}

export class HttpClient {
  readonly #options: Required<HttpClientOptions>
  readonly #prefix: string
  /** Rejections of a key that has since been replaced. */
  readonly #staleKeyRefusals = new WeakSet<PlatformRefusalError>()
  readonly #pool: ConnectionPool

  constructor(options: HttpClientOptions) {
    this.#options = {
      renewable: () => false,
      onReach: () => undefined,
      onQuota: () => undefined,
      hasAnswered: () => false,
      silence: IDLE_TIMEOUTS,
      longestAnswer: null,
      clock: systemClock,
      ...options,
    }
    this.#prefix = options.baseUrl.pathname.replace(/\/$/, '')
    this.#pool = options.network.open({ connections: CONNECTIONS })
  }

  /**
   * Sends a request when the budget allows and returns the response's JSON. Retries after a 429, and a few times a GET
   * that failed in transit or with a 5xx. Changes aren't retried: the outbox checks whether they took effect. Redirects
   * aren't followed, so the key reaches only the base URL.
   * @throws Unreachable, including CaptivePortalError; ResponseTooLargeError; UnreadableResponseError; PlatformRefusalError for errors
   */
  request(request: PlatformRequest): Promise<unknown> {
    return this.#attempt(request, 1)
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #attempt(request: PlatformRequest, number: number): Promise<unknown> {
    try {
      return await this.#send(request)
    } catch (thrown) {
      // Retry at once: the key was rejected and has been replaced, and a rejected request had no effect.
      const isRenewed = thrown instanceof PlatformRefusalError && this.#staleKeyRefusals.has(thrown) && number === 1
      const wait = isRenewed ? 0 : retryDelayMs(request, thrown, number)
      if (wait === null) throw thrown
      if (wait > 0) await sleep(this.#options.clock, wait, request.signal)
      return this.#attempt(request, number + 1)
    }
  }

  async #send(request: PlatformRequest): Promise<unknown> {
    const silence = request.priority === 'action' ? this.#options.silence.action : this.#options.silence.usual
    let permit = await this.#options.budget.acquire(request.priority, request.signal)
    try {
      const apiKey = await this.#options.apiKey(request.signal)
      const limit = this.#options.longestAnswer === null ? null : AbortSignal.timeout(this.#options.longestAnswer)
      let text: string
      let answer: HttpResponse
      const isRepeatable = request.method === 'GET' || request.idempotencyKey !== undefined
      const { form } = request
      const body =
        form === undefined
          ? request.body === undefined
            ? null
            : createJsonBody(request.body, request.files)
          : createBytesBody(form.bytes)
      let upload: UploadProgress | null = body && { done: 0, total: body.length }
      const beforeRetry = async (): Promise<void> => {
        if (upload !== null && upload.done > 0 && upload.total >= LARGE_BODY_BYTES) throw new StaleConnectionError()
        permit.settle()
        permit = await this.#options.budget.acquire(request.priority, request.signal)
      }
      const progress: OnTransferProgress = (done, total) => {
        if (upload !== null && done > upload.done) upload = { ...upload, done }
        request.progress?.(done, total)
      }
      const url = new URL(this.#options.baseUrl.origin + withQuery(this.#prefix + request.path, request.query))
      try {
        answer = await this.#pool.request({
          method: request.method,
          url,
          headers: {
            authorization: `Bearer ${apiKey}`,
            'user-agent': USER_AGENT,
            accept: 'application/json',
            'content-type': form?.contentType ?? 'application/json',
            ...(body !== null && { 'content-length': String(body.length) }),
            ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
          },
          body,
          progress,
          signal: limit === null ? request.signal : AbortSignal.any([request.signal, limit]),
          timeout: { silence, speed: MINIMUM_SPEED },
          beforeRetry: isRepeatable ? beforeRetry : null,
        })
        permit.received(0)
        const { 'content-length': length, 'content-encoding': encoding } = answer.headers
        const size = length === undefined || encoding !== undefined ? null : Number(length)
        const bytes = await readBody(
          answer.body,
          request.maxBytes ?? MAX_RESPONSE_BYTES,
          (beginning) => new ResponseTooLargeError(size, new TextDecoder().decode(beginning)),
          (_done, added) => permit.received(added),
          size,
        )
        text = new TextDecoder().decode(bytes)
        permit.settle(answer.headers)
      } catch (thrown) {
        request.signal.throwIfAborted()
        if (thrown instanceof ResponseTooLargeError) {
          this.#options.onReach('reached')
          throw thrown
        }
        throw this.#reportUnreachable(
          detectPortalByCertificate(thrown, this.#options.hasAnswered) ??
            toUnreachableError(limit?.aborted === true ? new ResponseTimeoutError() : thrown, true, upload),
        )
      }
      const signIn = detectCaptivePortal(answer, text, { url, apiKey, hasAnswered: this.#options.hasAnswered })
      if (signIn !== null) throw this.#reportUnreachable(signIn)
      this.#options.onReach('reached')
      this.#options.onQuota(parseQuotaHeaders(answer.headers))
      let said: unknown
      try {
        said = parseJson(text)
      } catch {
        if (answer.status >= 200 && answer.status < 400) throw new UnreadableResponseError()
      }
      const retryAfter = parseRetryAfter(answer.headers['retry-after'], this.#options.clock.now())
      const isTooMany = answer.status === 429
      const wait = retryAfter ?? (isTooMany ? computeBackOffMs(1, Math.random()) : null)
      const refusal =
        answer.status < 400 ? null : toRefusal(answer.status, said, { clean: createKeyRedactor(apiKey), wait })
      // A quota blocks only sending.
      if (wait !== null && !isQuotaExceeded(refusal) && (isTooMany || answer.status === 503)) {
        this.#options.budget.pause(wait, isTooMany ? 'limit' : 'trouble')
      }
      const isCut = upload !== null && upload.done < upload.total && refusal?.problem.code === 'platform_failed'
      // The platform stopped reading early, as if the connection had dropped.
      if (isCut) throw new UnreachableError(refusal.problem, false, refusal, upload)
      if (refusal?.problem.code === 'key_rejected' && this.#options.renewable(apiKey))
        this.#staleKeyRefusals.add(refusal)
      if (refusal !== null) throw refusal
      if (answer.status >= 300) throw new UnreadableResponseError()
      return said
    } finally {
      permit.settle()
    }
  }

  #reportUnreachable(failure: UnreachableError): UnreachableError {
    this.#options.onReach(failure)
    return failure
  }
}
