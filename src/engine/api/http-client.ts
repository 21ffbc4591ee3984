import { ProblemError } from '../../shared/result.ts'
import { USER_AGENT } from '../version.ts'
import { formBody, LARGE_BODY, requestBody, type OutgoingFile } from './outgoing-body.ts'
import { parseJson } from './parse-json.ts'
import {
  AnswerTooLarge,
  isQuota,
  isTimeOut,
  PlatformRefusal,
  toRefusal,
  toUnreachable,
  UnreadableAnswer,
  Unreachable,
  type Upload,
} from './platform-problem.ts'
import type { Priority, RequestBudget } from './request-budget.ts'
import { backOff } from '../timing/back-off.ts'
import { parseRetryAfter } from './retry-time.ts'
import { signInByCertificate, signInInstead } from './sign-in.ts'
import { readQuotaHeaders, type UsedByHeaders } from './usage.ts'
import { keyRemover } from './without-key.ts'
import { LineSilent, LineStale, type Progress } from '../network/exchange.ts'
import type { Line, LineAnswer } from '../network/line.ts'
import type { Network } from '../network/network.ts'
import { ProxyProblem } from '../network/proxy-problem.ts'
import { LEAST_PACE, SILENCE, type Silence } from '../network/time-outs.ts'
import { UntrustedCertificate } from '../network/untrusted-certificate.ts'
import { sleep, systemClock, type Clock } from '../timing/clock.ts'

/** As many as the budget lets go at once. */
const CONNECTIONS = 12
/** A list of a hundred threads is about 60 kB, an e-mail with inline images some megabytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_ATTEMPTS = 3
/** Nobody is to wait for the third attempt before being told that they are offline. */
const MAX_ATTEMPTS_OF_ACTION = 2
const MAX_RATE_LIMITED = 6

/** One request to the platform. */
export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Built with `path`, relative to the base URL. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: unknown
  /** A body that is no JSON, as it is sent. */
  readonly form?: { readonly bytes: Uint8Array; readonly contentType: string }
  /** Files that become the body's `attachments`. */
  readonly files?: readonly OutgoingFile[] | undefined
  /** By which the platform knows the same request again for 24 hours (platform facts 1): it takes effect once. */
  readonly idempotencyKey?: string | undefined
  /** The largest answer that is of use; 64 MiB where it is not given. */
  readonly maxBytes?: number | undefined
  readonly priority: Priority
  /** Hears how much of the body is handed on. */
  readonly progress?: Progress | undefined
  readonly signal: AbortSignal
}

/** How the last request went: the platform answered, or why it could not be reached. */
export type Reach = 'reached' | Unreachable

const withQuery = (path: string, query: PlatformRequest['query']): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

/** How much of an answer that is too large is kept, to tell what is so large. */
const BEGINNING_BYTES = 64 * 1024

/**
 * @param received hears how many bytes have come, and that the answer has begun
 * @throws AnswerTooLarge as soon as that is known: what is too large is not downloaded
 */
const readText = async (
  { body, headers }: LineAnswer,
  maxBytes: number,
  received: (bytes: number) => void,
): Promise<string> => {
  const told = Number(headers['content-length'])
  const size = Number.isFinite(told) && headers['content-encoding'] === undefined ? told : null
  const isTooLarge = (length: number): boolean => length > maxBytes || (size ?? 0) > maxBytes
  const chunks: Uint8Array[] = []
  let length = 0
  received(0)
  for await (const chunk of body) {
    received(chunk.byteLength)
    chunks.push(chunk)
    length += chunk.byteLength
    if (isTooLarge(length) && length >= BEGINNING_BYTES) break
  }
  const text = new TextDecoder()
  if (!isTooLarge(length)) return text.decode(Buffer.concat(chunks))
  // Leaving the loop has ended the transfer.
  throw new AnswerTooLarge(size, text.decode(Buffer.concat(chunks).subarray(0, BEGINNING_BYTES)))
}

/** A wait before the next attempt, in milliseconds; null where there is no use in one. */
const retryIn = (request: PlatformRequest, thrown: unknown, attempt: number): number | null => {
  if (thrown instanceof Unreachable && thrown.cause instanceof UntrustedCertificate) return null
  if (thrown instanceof Unreachable && thrown.cause instanceof ProxyProblem && thrown.cause.isAsking) return null
  // The budget itself waits as long as the platform asked for.
  if (isQuota(thrown)) return null
  if (thrown instanceof PlatformRefusal && thrown.status === 429) return attempt < MAX_RATE_LIMITED ? 0 : null
  const isAction = request.priority === 'action'
  // The connection was silent, and not the platform.
  const isStale = thrown instanceof Unreachable && thrown.cause instanceof LineStale
  if (isAction && isTimeOut(thrown) && !isStale) return null
  const attempts = isAction ? MAX_ATTEMPTS_OF_ACTION : MAX_ATTEMPTS
  if (request.method !== 'GET' || attempt >= attempts || !(thrown instanceof ProblemError)) return null
  const passing = thrown.problem.code === 'unreachable' || thrown.problem.code === 'platform_failed'
  if (isStale) return 0
  return passing ? backOff(attempt, Math.random()) : null
}

interface HttpClientOptions {
  readonly baseUrl: URL
  /**
   * The key to ask with now: it may change while the client lives, and while a request waits for its turn.
   * @throws where there is none that may be used
   */
  readonly apiKey: (signal: AbortSignal) => Promise<string> | string
  /** The platform did not take a key. @returns whether there is another by now, with which it is worth to ask again */
  readonly renewable?: (apiKey: string) => boolean
  readonly budget: RequestBudget
  /** Called after every request with how it went. */
  readonly onReach?: (reach: Reach) => void
  /** Called with what an answer's headers say of the account's quotas. */
  readonly onQuota?: (used: UsedByHeaders) => void
  /** Whether a platform has ever answered at the base URL; none has where it is not given. */
  readonly hasAnswered?: () => boolean
  readonly network: Pick<Network, 'open'>
  readonly silence?: Silence
  /** How long an answer may take as a whole, in milliseconds; as long as its bytes move where it is not given. */
  readonly longestAnswer?: number | null
  readonly clock?: Clock
}

/** The HTTP side of one account. */
export class HttpClient {
  readonly #options: Required<HttpClientOptions>
  readonly #prefix: string
  /** Refusals of a key in whose place there is another. */
  readonly #renewed = new WeakSet<PlatformRefusal>()
  readonly #line: Line

  constructor(options: HttpClientOptions) {
    this.#options = {
      renewable: () => false,
      onReach: () => undefined,
      onQuota: () => undefined,
      hasAnswered: () => false,
      silence: SILENCE,
      longestAnswer: null,
      clock: systemClock,
      ...options,
    }
    this.#prefix = options.baseUrl.pathname.replace(/\/$/, '')
    this.#line = options.network.open({ connections: CONNECTIONS })
  }

  /**
   * Sends a request when the budget allows and returns the JSON of the answer.
   * A 429 is obeyed and tried again; so is a GET that failed on the way or with a 5xx, a few times. A change is not:
   * whether it happened is for the outbox to find out.
   * No redirect is followed: the key goes to the base URL alone.
   * @throws Unreachable, of which SignInWanted is one; AnswerTooLarge; UnreadableAnswer for what no mail platform says; PlatformRefusal for any error status
   */
  request(request: PlatformRequest): Promise<unknown> {
    return this.#attempt(request, 1)
  }

  async close(): Promise<void> {
    await this.#line.end()
  }

  async #attempt(request: PlatformRequest, number: number): Promise<unknown> {
    try {
      return await this.#send(request)
    } catch (thrown) {
      // What was refused for its key has not been done.
      const isRenewed = thrown instanceof PlatformRefusal && this.#renewed.has(thrown) && number === 1
      const wait = isRenewed ? 0 : retryIn(request, thrown, number)
      if (wait === null) throw thrown
      if (wait > 0) await sleep(this.#options.clock, wait, request.signal)
      return this.#attempt(request, number + 1)
    }
  }

  async #send(request: PlatformRequest): Promise<unknown> {
    const silence = request.priority === 'action' ? this.#options.silence.action : this.#options.silence.usual
    let permit = await this.#options.budget.acquire(request.priority, request.signal)
    let apiKey: string
    try {
      apiKey = await this.#options.apiKey(request.signal)
    } catch (thrown) {
      permit.settle()
      throw thrown
    }
    const limit = this.#options.longestAnswer === null ? null : AbortSignal.timeout(this.#options.longestAnswer)
    let text: string
    let answer: LineAnswer
    const isRepeatable = request.method === 'GET' || request.idempotencyKey !== undefined
    const { form } = request
    const body =
      form === undefined
        ? request.body === undefined
          ? null
          : requestBody(request.body, request.files)
        : formBody(form.bytes)
    let upload: Upload | null = body && { done: 0, total: body.length }
    const again = async (): Promise<void> => {
      if (upload !== null && upload.done > 0 && upload.total >= LARGE_BODY) throw new LineStale()
      permit.settle()
      permit = await this.#options.budget.acquire(request.priority, request.signal)
    }
    const progress: Progress = (done, total) => {
      if (upload !== null && done > upload.done) upload = { ...upload, done }
      request.progress?.(done, total)
    }
    const url = new URL(this.#options.baseUrl.origin + withQuery(this.#prefix + request.path, request.query))
    try {
      answer = await this.#line.request({
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
        patience: { silence, pace: LEAST_PACE },
        again: isRepeatable ? again : null,
      })
      text = await readText(answer, request.maxBytes ?? MAX_ANSWER_BYTES, permit.received)
      permit.settle({
        limit: answer.headers['ratelimit-limit'],
        policy: answer.headers['ratelimit-policy'],
        remaining: answer.headers['ratelimit-remaining'],
      })
    } catch (thrown) {
      permit.settle()
      request.signal.throwIfAborted()
      if (thrown instanceof AnswerTooLarge) {
        this.#options.onReach('reached')
        throw thrown
      }
      throw this.#cutOff(
        signInByCertificate(thrown, this.#options.hasAnswered) ??
          toUnreachable(limit?.aborted === true ? new LineSilent() : thrown, true, upload),
      )
    }
    const signIn = signInInstead(answer, text, { url, apiKey, hasAnswered: this.#options.hasAnswered })
    if (signIn !== null) throw this.#cutOff(signIn)
    this.#options.onReach('reached')
    const { headers } = answer
    this.#options.onQuota(readQuotaHeaders((name) => headers[name]))
    let said: unknown
    try {
      said = parseJson(text)
    } catch {
      if (answer.status >= 200 && answer.status < 400) throw new UnreadableAnswer()
    }
    const retryAfter = parseRetryAfter(answer.headers['retry-after'], this.#options.clock.now())
    const isTooMany = answer.status === 429
    const wait = retryAfter ?? (isTooMany ? backOff(1, Math.random()) : null)
    const refusal = answer.status < 400 ? null : toRefusal(answer.status, said, { clean: keyRemover(apiKey), wait })
    // A quota holds up what is to be sent, and nothing else.
    if (wait !== null && !isQuota(refusal) && (isTooMany || answer.status === 503)) {
      this.#options.budget.pause(wait, isTooMany ? 'limit' : 'trouble')
    }
    const isCut = upload !== null && upload.done < upload.total && refusal?.problem.code === 'platform_failed'
    // It was not listened to, to its end: as when the line breaks.
    if (isCut) throw new Unreachable(refusal.problem, false, refusal, upload)
    if (refusal?.problem.code === 'key_rejected' && this.#options.renewable(apiKey)) this.#renewed.add(refusal)
    if (refusal !== null) throw refusal
    if (answer.status >= 300) throw new UnreadableAnswer()
    return said
  }

  #cutOff(failure: Unreachable): Unreachable {
    this.#options.onReach(failure)
    return failure
  }
}
