import type { LineAnswer } from '../network/line.ts'
import { Unreachable } from './platform-problem.ts'
import { REDIRECTS } from './signed-downloads.ts'
import { keyRemover } from './without-key.ts'

/**
 * The page to open where the network does not name its own. It is never served over TLS, so that the network can answer in its place,
 * and its owner keeps it for just that, under names that no browser has a copy of. It says nothing of the account; whoever owns it needs
 * no trust that the network itself does not have, as anybody on the way can answer for it.
 */
const CAUGHT_PAGE = 'http://neverssl.com/'
const LONGEST_PAGE = 2_000

/** A network that wants a sign-in first answered in the platform's place. */
export class SignInWanted extends Unreachable {
  /** Where a person signs in: an address of http or https, chosen by whoever has the network. */
  readonly page: string

  constructor(page: string, mayHaveArrived: boolean, cause?: unknown) {
    const details = { needsPerson: true }
    super({ code: 'unreachable', message: 'This network wants you to sign in first.', details }, mayHaveArrived, cause)
    this.name = 'SignInWanted'
    this.page = page
  }
}

interface Asked {
  readonly url: URL
  readonly apiKey: string
  /** Whether a platform has ever answered at this address. */
  readonly hasAnswered: () => boolean
}

/** Where a redirect leads, unless it stays at the host that was asked. */
const elsewhere = ({ status, headers }: Pick<LineAnswer, 'status' | 'headers'>, asked: URL): URL | null => {
  const { location } = headers
  if (!REDIRECTS.includes(status) || location === undefined || !URL.canParse(location, asked.href)) return null
  const target = new URL(location, asked)
  return target.hostname === asked.hostname ? null : target
}

const isWebPage = (type: string | undefined, text: string): boolean =>
  /^\s*<(?:!doctype html|html)\b/i.test(text) || (/\bhtml\b/i.test(type ?? '') && /^\s*</.test(text))

/** What a redirect names, where it may be shown and opened. */
const pageAt = (target: URL | null, apiKey: string): string => {
  const isOpenable =
    target !== null &&
    ['http:', 'https:'].includes(target.protocol) &&
    target.username === '' &&
    target.password === '' &&
    target.href.length <= LONGEST_PAGE &&
    keyRemover(apiKey)(target.href) === target.href
  return isOpenable ? target.href : CAUGHT_PAGE
}

/**
 * Whether an answer is not the platform's, but that of a network which wants a sign-in before it lets anything through:
 * - Status 511 says just that, and no platform may use it (RFC 6585, 6).
 * - A redirect to another host, and a web page with a status of success, are a network's where a platform has answered at this address
 *   before. Where none has, as when an account is being connected, the address is wrong sooner than the network.
 * - A page with any other status is trouble of the platform or of its own proxy: a network that wants to be seen says 200, or leads away.
 *
 * A page of the platform's own with a 200 ("We will be back") looks the same and is taken for a network's; it passes as the
 * trouble would, and the changes wait either way.
 * @returns null for an answer of the platform, or of whatever else is there
 */
export const signInInstead = (
  answer: Pick<LineAnswer, 'status' | 'headers'>,
  text: string,
  { url, apiKey, hasAnswered }: Asked,
): SignInWanted | null => {
  const target = elsewhere(answer, url)
  const isSuccess = answer.status >= 200 && answer.status < 300
  const isLikely = target !== null || (isSuccess && isWebPage(answer.headers['content-type'], text))
  if (answer.status !== 511 && !(isLikely && hasAnswered())) return null
  return new SignInWanted(pageAt(target, apiKey), true)
}

/**
 * The same for a connection that was refused here: a certificate that is valid, but of another host, where a platform has
 * answered before. One that nobody trusts may be a company's, and one that has expired is the platform's own.
 */
export const signInByCertificate = (thrown: unknown, hasAnswered: () => boolean): SignInWanted | null =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_TLS_CERT_ALTNAME_INVALID' && hasAnswered()
    ? new SignInWanted(CAUGHT_PAGE, false, thrown)
    : null
