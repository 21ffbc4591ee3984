import { z } from 'zod'
import { ProxyError } from './proxy-problem.ts'
import { UntrustedCertificateError } from './untrusted-certificate.ts'
import { ProblemError, type Problem, type ProblemCode } from '../../shared/result.ts'

/** Statuses that always concern the request itself, even from an intermediary, so retrying never helps. */
const FINAL_STATUSES: readonly number[] = [413, 414, 415, 422]

/** The platform responded with an error. The engine acts on `status` and `errorName`. */
export class PlatformRefusalError extends ProblemError {
  readonly status: number
  /** The platform's error name, such as `validation_error`, or null. */
  readonly errorName: string | null
  /** True for a platform's JSON error, false for a web page. */
  readonly isInJson: boolean

  constructor(status: number, errorName: string | null, isInJson: boolean, problem: Problem) {
    super(problem)
    this.name = 'PlatformRefusalError'
    this.status = status
    this.errorName = errorName
    this.isInJson = isInJson
  }

  /** False for an intermediary's rejection, which may be temporary. */
  get isFinal(): boolean {
    return this.isInJson || FINAL_STATUSES.includes(this.status)
  }
}

export const isNotFound = (thrown: unknown): boolean => thrown instanceof PlatformRefusalError && thrown.status === 404

/** True if the resource or this operation doesn't exist. */
export const lacksOperation = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && (thrown.status === 404 || thrown.status === 405)

/** True if the daily or monthly quota is used up, so retrying soon is pointless. */
export const isQuotaExceeded = (thrown: unknown): thrown is PlatformRefusalError =>
  thrown instanceof PlatformRefusalError && thrown.errorName?.endsWith('_quota_exceeded') === true

/** A flat object, with its fields in any order (platform.md 4.1). */
const errorBody = z.object({
  message: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})

const describeWait = (milliseconds: number): string =>
  `Linnet will wait ${Math.max(1, Math.ceil(milliseconds / 1000))} s.`
/** Message during a rate-limit pause. @param wait milliseconds */
export const describeRateLimit = (wait: number): string => `Too many requests; ${describeWait(wait)}`
/** Message during a pause after a platform error. @param wait milliseconds */
export const describePlatformError = (wait: number): string => `The platform reported an error. ${describeWait(wait)}`

/** Temporary errors from intermediaries: proxy authentication required, request too slow, request too early. */
const TEMPORARY_STATUSES: readonly number[] = [407, 408, 425]
/** Temporary conflicts: a concurrent request is working on the same thing (platform.md 4.2). */
const TEMPORARY_CONFLICTS: readonly string[] = ['resource_locked', 'concurrent_idempotent_requests']

const REFUSALS: Readonly<Record<number, string>> = {
  413: 'The platform rejected this request as too large.',
  451: 'The platform has blocked this account. Contact the platform’s support.',
}

const problemOf = (status: number, name: string, message: string, wait: number | null): Problem => {
  const text = `${name} ${message}`.toLowerCase()
  const details = { status, ...(name !== '' && { name }), ...(message !== '' && { platform: message }) }
  if ([400, 401, 403].includes(status)) {
    if (text.includes('only send') || name === 'invalid_permission') {
      const message =
        name === 'invalid_permission'
          ? 'Linnet is not allowed to do this with your sign-in. Sign in again and allow full access.'
          : 'This API key can only send mail. Linnet needs an API key with full access.'
      return { code: 'key_restricted', message, details }
    }
    if (name === 'suspended_api_key') {
      return { code: 'key_rejected', message: 'This API key is suspended. Use another one.', details }
    }
    if (status === 401 || text.includes('api key') || /_api_key\b/.test(name)) {
      return {
        code: 'key_rejected',
        message: 'The platform does not accept this API key. Check that it is complete and still active.',
        details,
      }
    }
  }
  if (status === 404) return { code: 'not_found', message: 'This item is no longer on the platform.', details }
  if (status === 429) {
    return { code: 'rate_limited', message: describeRateLimit(wait ?? 1000), details }
  }
  if (status >= 500 || TEMPORARY_STATUSES.includes(status)) {
    const message =
      wait === null ? 'The platform reported an error. Try again in a moment.' : describePlatformError(wait)
    return { code: 'platform_failed', message, details }
  }
  if (TEMPORARY_CONFLICTS.includes(name)) {
    return { code: 'platform_failed', message: 'The platform is busy. Try again in a moment.', details }
  }
  const known = REFUSALS[status]
  if (known !== undefined) return { code: 'refused', message: known, details }
  const words = message === '' ? `status ${status}.` : message
  return { code: 'refused', message: `The platform rejected the request: ${words}`, details }
}

/** Limits for platform text: characters read, and characters shown. */
const MAX_READ = 10_000
const MAX_SHOWN = 500

/**
 * Maps an error response to a problem (platform.md 4). Sources disagree on an invalid key's status, so its name or text
 * decides. Text is truncated. `clean` removes secrets from it; `wait` is the pause in milliseconds.
 */
export const toRefusal = (
  status: number,
  body: unknown,
  {
    clean = (text) => text,
    wait = null,
  }: { readonly clean?: (text: string) => string; readonly wait?: number | null } = {},
): PlatformRefusalError => {
  const parsed = errorBody.safeParse(body)
  const said = parsed.success ? parsed.data : {}
  const shown = (text = ''): string => clean(text.slice(0, MAX_READ)).slice(0, MAX_SHOWN)
  const name = shown(said.name)
  return new PlatformRefusalError(
    status,
    name === '' ? null : name,
    parsed.success,
    problemOf(status, name, shown(said.message), wait),
  )
}

/** Uploaded bytes of a request body before the failure; the maximum over all attempts. */
export interface UploadProgress {
  readonly done: number
  readonly total: number
}

/**
 * No response: the platform was unreachable, or its response was lost. With `needsPerson` in the details the user must
 * act, so the message says why.
 */
export class UnreachableError extends ProblemError {
  /** False if the complete request can't have arrived: no connection, or cut off early. */
  readonly mayHaveArrived: boolean
  /** Null without a request body. */
  readonly upload: UploadProgress | null

  constructor(problem: Problem, mayHaveArrived: boolean, cause: unknown, upload: UploadProgress | null = null) {
    super(problem, { cause })
    this.name = 'UnreachableError'
    this.mayHaveArrived = mayHaveArrived && (upload === null || upload.done >= upload.total)
    this.upload = upload
  }

  get needsPerson(): boolean {
    return this.problem.details?.needsPerson === true
  }
}

/** Key errors: the platform ignored the request, or it was never sent. */
const KEY_PROBLEMS: readonly ProblemCode[] = ['key_missing', 'key_rejected', 'key_of_another_account']

/** True if a failed change may be retried without checking its outcome. */
export const neverTookEffect = (thrown: unknown): boolean =>
  (thrown instanceof ProblemError && KEY_PROBLEMS.includes(thrown.problem.code)) ||
  (thrown instanceof UnreachableError && !thrown.mayHaveArrived) ||
  (thrown instanceof PlatformRefusalError &&
    (thrown.status === 429 || TEMPORARY_CONFLICTS.includes(thrown.errorName ?? '')))

/** Error codes of the system and undici, grouped by meaning. */
const CONNECTION_ERRORS: readonly {
  readonly codes: RegExp
  readonly message: string
  /** True if a wrong address may be the cause. */
  readonly isByAddress?: boolean
  readonly needsPerson?: boolean
  readonly mayHaveArrived: boolean
}[] = [
  {
    codes: /^(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)$/,
    message: 'This address does not exist, or you are offline.',
    mayHaveArrived: false,
  },
  {
    codes: /^ECONNREFUSED$/,
    message: 'No server responds at this address. Check the address, or try again later.',
    mayHaveArrived: false,
  },
  {
    // Certificate errors inside a SOCKS tunnel, where the certificate can't be inspected.
    codes: /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|CERT_ALTNAME/,
    message:
      'Your computer does not trust this server’s certificate. If your company issued it, add the company’s root certificate to your computer and restart Linnet.',
    needsPerson: true,
    mayHaveArrived: false,
  },
  {
    codes: /CERT|TLS|SSL|EPROTO|ALTNAME/,
    message: 'Linnet could not make a secure connection to this address.',
    isByAddress: true,
    mayHaveArrived: false,
  },
  {
    codes: /^UND_ERR_CONNECT_TIMEOUT$/,
    message: 'The platform is taking too long to answer. Try again later.',
    mayHaveArrived: false,
  },
  {
    codes: /TIMEOUT|TIMEDOUT/,
    message: 'The platform is taking too long to answer. Try again later.',
    mayHaveArrived: true,
  },
]

/** True if the platform accepted the connection but didn't respond. */
export const isTimeOut = (thrown: unknown): boolean =>
  thrown instanceof UnreachableError && /TIMEOUT|TIMEDOUT/.test(String(thrown.problem.details?.cause))

/** Maps a missing response to a problem. @param isTyped true for a typed, possibly wrong address */
export const toUnreachableError = (
  thrown: unknown,
  isTyped = true,
  upload: UploadProgress | null = null,
): UnreachableError => {
  if (thrown instanceof UntrustedCertificateError) {
    const details = { cause: thrown.code, needsPerson: true }
    return new UnreachableError({ code: 'unreachable', message: thrown.describe(isTyped), details }, false, thrown)
  }
  if (thrown instanceof ProxyError) {
    const { address, name } = thrown.proxy
    const asking = { proxyAsks: address, ...(name !== null && { proxyName: name }) }
    const details = { cause: thrown.code, needsPerson: true, ...(thrown.isAsking && asking) }
    return new UnreachableError({ code: 'unreachable', message: thrown.message, details }, false, thrown)
  }
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'UNKNOWN'
  const {
    message,
    isByAddress = false,
    needsPerson = false,
    mayHaveArrived,
  } = CONNECTION_ERRORS.find(({ codes }) => codes.test(code)) ?? {
    message: 'The platform cannot be reached. Check your connection.',
    mayHaveArrived: true,
  }
  const checked = isByAddress && isTyped ? ' Check the platform address.' : ''
  const details = { cause: code, ...(needsPerson && { needsPerson }) }
  const problem = { code: 'unreachable', message: message + checked, details } as const
  return new UnreachableError(problem, mayHaveArrived, thrown, upload)
}

export class ResponseTooLargeError extends ProblemError {
  /** Announced size in bytes, or null. */
  readonly size: number | null
  /** Start of the response, to find out what is so large. */
  readonly beginning: string

  constructor(size: number | null, beginning: string) {
    super({ code: 'refused', message: 'This download is larger than 64 MB, the most Linnet can download at once.' })
    this.name = 'ResponseTooLargeError'
    this.size = size
    this.beginning = beginning
  }
}

/** The response can't be parsed: a web page, a truncated response, or JSON of another shape. */
export class UnreadableResponseError extends ProblemError {
  constructor() {
    super({
      code: 'platform_failed',
      message: 'The platform sent an unreadable response. Nothing is lost. Linnet will try again.',
    })
    this.name = 'UnreadableResponseError'
  }
}

/** Null if the platform lacks the resource or the operation. */
export const catchMissing = async <Answer>(answer: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await answer
  } catch (thrown) {
    if (lacksOperation(thrown)) return null
    throw thrown
  }
}
