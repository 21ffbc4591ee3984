import { z } from 'zod'
import { ProxyProblem } from '../network/proxy-problem.ts'
import { UntrustedCertificate } from '../network/untrusted-certificate.ts'
import { ProblemError, type Problem, type ProblemCode } from '../../shared/result.ts'

/** These are about the request itself, whoever refuses it: it is never taken as it is. */
const FINAL_STATUSES: readonly number[] = [413, 414, 415, 422]

/** The platform answered, and the answer is no: `status` and `errorName` decide what the engine does about it. */
export class PlatformRefusal extends ProblemError {
  readonly status: number
  /** The platform's name of the error, such as `validation_error`; null where it gave none. */
  readonly errorName: string | null
  /** Whether it gave its reason as a platform does, and not as a web page. */
  readonly isInJson: boolean

  constructor(status: number, errorName: string | null, isInJson: boolean, problem: Problem) {
    super(problem)
    this.name = 'PlatformRefusal'
    this.status = status
    this.errorName = errorName
    this.isInJson = isInJson
  }

  /** False for a door in between, which may let the same request pass later. */
  get isFinal(): boolean {
    return this.isInJson || FINAL_STATUSES.includes(this.status)
  }
}

/** Whether the platform said that what was asked for does not exist. */
export const isNotFound = (thrown: unknown): boolean => thrown instanceof PlatformRefusal && thrown.status === 404

/** Whether the platform said that what was asked for, or this way of asking, does not exist. */
export const lacksOperation = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && (thrown.status === 404 || thrown.status === 405)

/** Whether the account has sent or received as much as it may today or this month: asking again soon is of no use. */
export const isQuota = (thrown: unknown): thrown is PlatformRefusal =>
  thrown instanceof PlatformRefusal && thrown.errorName?.endsWith('_quota_exceeded') === true

/** Flat, and in any order (platform facts 2). */
const errorBody = z.object({
  message: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
})

const waits = (milliseconds: number): string => `Linnet waits ${Math.max(1, Math.ceil(milliseconds / 1000))} s.`
/** What a person is told while nothing is sent, as the platform's limit was met. @param wait milliseconds */
export const waitingWords = (wait: number): string => `Too many requests; ${waits(wait)}`
/** The same, as the platform is in trouble and has said for how long. @param wait milliseconds */
export const troubleWords = (wait: number): string => `The platform reported an error. ${waits(wait)}`

/** A proxy that wants something of its own, a request that came too slowly, or too early: said on the way there. */
const PASSING_STATUSES: readonly number[] = [407, 408, 425]
/** Refusals that pass by themselves: another request is at the same thing (platform facts 2). */
const PASSING_CONFLICTS: readonly string[] = ['resource_locked', 'concurrent_idempotent_requests']

const REFUSALS: Readonly<Record<number, string>> = {
  413: 'This is too large for the platform.',
  451: 'The platform has blocked this account. Ask its support.',
}

const problemOf = (status: number, name: string, message: string, wait: number | null): Problem => {
  const text = `${name} ${message}`.toLowerCase()
  const details = { status, ...(name !== '' && { name }), ...(message !== '' && { platform: message }) }
  if ([400, 401, 403].includes(status)) {
    if (text.includes('only send') || name === 'invalid_permission') {
      const message =
        name === 'invalid_permission'
          ? 'Linnet is not allowed to do this with your sign-in. Sign in again and allow full access.'
          : 'This key can only send mail. Linnet needs one with full access.'
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
  if (status === 404) return { code: 'not_found', message: 'This is no longer on the platform.', details }
  if (status === 429) {
    return { code: 'rate_limited', message: waitingWords(wait ?? 1000), details }
  }
  if (status >= 500 || PASSING_STATUSES.includes(status)) {
    const message = wait === null ? 'The platform reported an error. Try again in a moment.' : troubleWords(wait)
    return { code: 'platform_failed', message, details }
  }
  if (PASSING_CONFLICTS.includes(name)) {
    return { code: 'platform_failed', message: 'The platform is busy. Try again in a moment.', details }
  }
  const known = REFUSALS[status]
  if (known !== undefined) return { code: 'refused', message: known, details }
  const words = message === '' ? `It answered with status ${status}.` : message
  return { code: 'refused', message: `The platform refused: ${words}`, details }
}

/** The longest text of the platform's that is looked at, and the longest that is shown. */
const MAX_READ = 10_000
const MAX_SHOWN = 500

/**
 * What an answer with an error status means to a person (platform facts 2). An invalid key is known by its name or its
 * words, as sources disagree on its status. The body may be anything; what it says is cut to a readable length.
 * @param about `clean` takes out of each text what nobody is to see; `wait` says for how many milliseconds nothing is
 * sent now
 */
export const toRefusal = (
  status: number,
  body: unknown,
  {
    clean = (text) => text,
    wait = null,
  }: { readonly clean?: (text: string) => string; readonly wait?: number | null } = {},
): PlatformRefusal => {
  const parsed = errorBody.safeParse(body)
  const said = parsed.success ? parsed.data : {}
  const shown = (text = ''): string => clean(text.slice(0, MAX_READ)).slice(0, MAX_SHOWN)
  const name = shown(said.name)
  return new PlatformRefusal(
    status,
    name === '' ? null : name,
    parsed.success,
    problemOf(status, name, shown(said.message), wait),
  )
}

/** How much of a request's body was handed on before it failed, in bytes; the most, where it was asked more than once. */
export interface Upload {
  readonly done: number
  readonly total: number
}

/**
 * The platform could not be reached, or its answer was lost on the way. Where a person has to do something about that
 * (`needsPerson` in its details), being offline is said with its reason.
 */
export class Unreachable extends ProblemError {
  /** False where the request cannot have got there whole: no connection was ever made, or it was cut before its end. */
  readonly mayHaveArrived: boolean
  /** Null for a request without a body. */
  readonly upload: Upload | null

  constructor(problem: Problem, mayHaveArrived: boolean, cause: unknown, upload: Upload | null = null) {
    super(problem, { cause })
    this.name = 'Unreachable'
    this.mayHaveArrived = mayHaveArrived && (upload === null || upload.done >= upload.total)
    this.upload = upload
  }

  get needsPerson(): boolean {
    return this.problem.details?.needsPerson === true
  }
}

/** A request with such a key is not looked at any further, or was never made. */
const KEY_TROUBLE: readonly ProblemCode[] = ['key_missing', 'key_rejected', 'key_of_another_account']

/** Whether a change that ended like this can be asked for again without asking what became of it. */
export const neverTookEffect = (thrown: unknown): boolean =>
  (thrown instanceof ProblemError && KEY_TROUBLE.includes(thrown.problem.code)) ||
  (thrown instanceof Unreachable && !thrown.mayHaveArrived) ||
  (thrown instanceof PlatformRefusal && (thrown.status === 429 || PASSING_CONFLICTS.includes(thrown.errorName ?? '')))

/** Codes of the system and of undici, by what they mean to a person. */
const NO_ANSWER: readonly {
  readonly codes: RegExp
  readonly message: string
  /** Whether it can be a wrong address. */
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
    message: 'Nothing answers at this address. Check it, or try again later.',
    mayHaveArrived: false,
  },
  {
    // Within the tunnel of a SOCKS proxy, where nothing is known of the certificate.
    codes: /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|CERT_ALTNAME/,
    message:
      'Your computer does not trust the certificate here. If it is your company’s, add its root certificate to your computer and restart Linnet.',
    needsPerson: true,
    mayHaveArrived: false,
  },
  {
    codes: /CERT|TLS|SSL|EPROTO|ALTNAME/,
    message: 'This address has no secure connection.',
    isByAddress: true,
    mayHaveArrived: false,
  },
  {
    codes: /^UND_ERR_CONNECT_TIMEOUT$/,
    message: 'The platform takes too long to answer. Try again later.',
    mayHaveArrived: false,
  },
  {
    codes: /TIMEOUT|TIMEDOUT/,
    message: 'The platform takes too long to answer. Try again later.',
    mayHaveArrived: true,
  },
]

/** Whether a platform that was reached kept silent. */
export const isTimeOut = (thrown: unknown): boolean =>
  thrown instanceof Unreachable && /TIMEOUT|TIMEDOUT/.test(String(thrown.problem.details?.cause))

/**
 * What a request that got no answer means to a person.
 * @param isTyped whether a person typed the address, so that it may be wrong
 */
export const toUnreachable = (thrown: unknown, isTyped = true, upload: Upload | null = null): Unreachable => {
  if (thrown instanceof UntrustedCertificate) {
    const details = { cause: thrown.code, needsPerson: true }
    return new Unreachable({ code: 'unreachable', message: thrown.inWords(isTyped), details }, false, thrown)
  }
  if (thrown instanceof ProxyProblem) {
    const { address, name } = thrown.proxy
    const asking = { proxyAsks: address, ...(name !== null && { proxyName: name }) }
    const details = { cause: thrown.code, needsPerson: true, ...(thrown.isAsking && asking) }
    return new Unreachable({ code: 'unreachable', message: thrown.message, details }, false, thrown)
  }
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'UNKNOWN'
  const {
    message,
    isByAddress = false,
    needsPerson = false,
    mayHaveArrived,
  } = NO_ANSWER.find(({ codes }) => codes.test(code)) ?? {
    message: 'The platform cannot be reached. Check your connection.',
    mayHaveArrived: true,
  }
  const checked = isByAddress && isTyped ? ' Check the platform address.' : ''
  const details = { cause: code, ...(needsPerson && { needsPerson }) }
  const problem = { code: 'unreachable', message: message + checked, details } as const
  return new Unreachable(problem, mayHaveArrived, thrown, upload)
}

/** The platform's answer is larger than what was asked for may be. */
export class AnswerTooLarge extends ProblemError {
  /** Bytes, where the platform said so before it began. */
  readonly size: number | null
  /** The first part of the answer: it may tell what is so large. */
  readonly beginning: string

  constructor(size: number | null, beginning: string) {
    super({ code: 'refused', message: 'This is larger than 64 MB, the most Linnet downloads at once.' })
    this.name = 'AnswerTooLarge'
    this.size = size
    this.beginning = beginning
  }
}

/** The platform answered with something that cannot be read: a web page, half of an answer, JSON of another shape. */
export class UnreadableAnswer extends ProblemError {
  constructor() {
    super({
      code: 'platform_failed',
      message: 'The platform sent an unreadable answer. Nothing is lost; Linnet tries again.',
    })
    this.name = 'UnreadableAnswer'
  }
}
