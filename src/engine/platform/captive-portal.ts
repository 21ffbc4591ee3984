import type { HttpResponse } from './connection-pool.ts'
import { UnreachableError } from './platform-problem.ts'
import { REDIRECT_STATUSES } from './signed-downloads.ts'
import { createKeyRedactor } from './key-redaction.ts'

/**
 * Opened if the network names no sign-in page. This site never uses TLS, so a portal can intercept it, and browsers
 * don't cache it. It learns nothing about the account, and anyone on the network could answer for it, so its owner
 * needs no extra trust.
 */
const FALLBACK_PAGE = 'http://neverssl.com/'
const MAX_URL_LENGTH = 2_000

/** A captive portal responded instead of the platform. */
export class CaptivePortalError extends UnreachableError {
  /** Sign-in page (http or https), chosen by the network's owner. */
  readonly page: string

  constructor(page: string, mayHaveArrived: boolean, cause?: unknown) {
    const details = { needsPerson: true }
    super({ code: 'unreachable', message: 'This network wants you to sign in first.', details }, mayHaveArrived, cause)
    this.name = 'CaptivePortalError'
    this.page = page
  }
}

interface PortalCheck {
  readonly url: URL
  readonly apiKey: string
  /** True if a platform has ever answered at this address. */
  readonly hasAnswered: () => boolean
}

/** Target of a redirect to another host, or null. */
const otherHostTarget = ({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>, asked: URL): URL | null => {
  const { location } = headers
  if (!REDIRECT_STATUSES.includes(status) || location === undefined || !URL.canParse(location, asked.href)) return null
  const target = new URL(location, asked)
  return target.hostname === asked.hostname ? null : target
}

const isWebPage = (type: string | undefined, text: string): boolean =>
  /^\s*<(?:!doctype html|html)\b/i.test(text) || (/\bhtml\b/i.test(type ?? '') && /^\s*</.test(text))

/** The redirect target if it is safe to show and open. */
const toSignInPage = (target: URL | null, apiKey: string): string => {
  const isOpenable =
    target !== null &&
    ['http:', 'https:'].includes(target.protocol) &&
    target.username === '' &&
    target.password === '' &&
    target.href.length <= MAX_URL_LENGTH &&
    createKeyRedactor(apiKey)(target.href) === target.href
  return isOpenable ? target.href : FALLBACK_PAGE
}

/**
 * Detects a captive portal's response, or returns null:
 * - Status 511 means exactly that (RFC 6585, 6).
 * - A redirect to another host, or a successful web page, if a platform has answered here before. On first connect a
 * wrong address is more likely.
 * - Other web pages are platform or proxy errors: portals respond with 200 or redirect.
 * - A platform's maintenance page with status 200 is mistaken for a portal. It goes away as an outage does, and changes
 * wait either way.
 */
export const detectCaptivePortal = (
  answer: Pick<HttpResponse, 'status' | 'headers'>,
  text: string,
  { url, apiKey, hasAnswered }: PortalCheck,
): CaptivePortalError | null => {
  const target = otherHostTarget(answer, url)
  const isSuccess = answer.status >= 200 && answer.status < 300
  const isLikely = target !== null || (isSuccess && isWebPage(answer.headers['content-type'], text))
  if (answer.status !== 511 && !(isLikely && hasAnswered())) return null
  return new CaptivePortalError(toSignInPage(target, apiKey), true)
}

/**
 * Detects a captive portal by a valid certificate for another host, at an address where a platform has answered before.
 * Other certificate errors don't count: an untrusted certificate may be a company's, and an expired one the platform's
 * own.
 */
export const detectPortalByCertificate = (thrown: unknown, hasAnswered: () => boolean): CaptivePortalError | null =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_TLS_CERT_ALTNAME_INVALID' && hasAnswered()
    ? new CaptivePortalError(FALLBACK_PAGE, false, thrown)
    : null
