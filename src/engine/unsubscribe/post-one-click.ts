import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import type { Unsubscribed } from '../../shared/unsubscribing.ts'
import { REDIRECTS } from '../api/signed-downloads.ts'
import { isPrivateAddress, isPublicHttps, publicLookup } from '../network/fetchable-address.ts'
import type { Network } from '../network/network.ts'
import { ProxyProblem } from '../network/proxy-problem.ts'
import { LEAST_PACE } from '../network/time-outs.ts'
import { UntrustedCertificate } from '../network/untrusted-certificate.ts'
import { problem } from '../saying.ts'

/** RFC 8058, 3.2: all that the server is told beside its own address. */
const BODY = Buffer.from('List-Unsubscribe=One-Click')

/** No cookie, no referrer, no language, and a name that every browser gives. */
const HEADERS = {
  accept: '*/*',
  'accept-encoding': 'identity',
  'content-type': 'application/x-www-form-urlencoded',
  'content-length': String(BODY.byteLength),
  'user-agent': 'Mozilla/5.0',
}

/** Milliseconds for the whole of it. */
const OVERALL_MS = 20_000

/** What a server made of it. */
export type OneClickAnswer = Pick<Unsubscribed, 'outcome' | 'status' | 'leadsTo'>

const UNANSWERED: OneClickAnswer = { outcome: 'unanswered', status: null, leadsTo: null }

interface OneClickOptions {
  readonly overall?: number
  /** Who looks names up. Tests have a world of their own. */
  readonly lookup?: LookupFunction
}

/**
 * Asks a list's server to let go (RFC 8058), once: from the public Internet alone, judged when the name is looked up, and
 * without a word about who asks. A redirect is an answer, and is not followed (3.1). Of what the server answers, only the
 * status and where it points are read: however much it sends, nothing of it is waited for.
 * @param url what `readWays` gave
 * @returns `unanswered` where the request may have arrived and no answer came
 * @throws ProblemError `refused` or `unreachable` where nothing was sent; the signal's reason
 */
export const postOneClick = async (
  network: Pick<Network, 'open'>,
  url: string,
  signal: AbortSignal,
  { overall = OVERALL_MS, lookup = publicLookup }: OneClickOptions = {},
): Promise<OneClickAnswer> => {
  const address = URL.parse(url)
  const host = address?.hostname ?? ''
  const notPublic = () =>
    problem('refused', `${host} is not on the public Internet, so Linnet does not ask it. Nothing was sent.`)
  if (address === null || !isPublicHttps(address)) throw notPublic()
  const patience = AbortSignal.timeout(overall)
  const line = network.open({ connections: 1, lookup, isNameNeeded: true })
  const sent = { bytes: 0 }
  try {
    const { status, headers } = await line.request({
      method: 'POST',
      url: address,
      headers: HEADERS,
      // In a piece, so that it is known whether it was handed on.
      body: { length: BODY.byteLength, open: () => Readable.from([BODY], { objectMode: false }) },
      progress: (bytes) => (sent.bytes = bytes),
      patience: { silence: overall, pace: LEAST_PACE },
      again: null,
      signal: AbortSignal.any([signal, patience]),
    })
    if (status >= 200 && status < 300) return { outcome: 'accepted', status, leadsTo: null }
    const aim = REDIRECTS.includes(status) ? URL.parse(headers.location ?? '', address) : null
    return { outcome: 'declined', status, leadsTo: aim === null ? null : aim.hostname.slice(0, 253) || null }
  } catch (thrown) {
    // Also where the account was closed meanwhile: it is not asked a second time.
    if (sent.bytes > 0) return UNANSWERED
    signal.throwIfAborted()
    if (isPrivateAddress(thrown)) throw notPublic()
    if (thrown instanceof UntrustedCertificate) throw problem('unreachable', thrown.inWords(false))
    if (thrown instanceof ProxyProblem && thrown.kind !== 'refused') {
      throw problem('unreachable', `${thrown.message} Nothing was sent.`)
    }
    if (patience.aborted) throw problem('unreachable', `${host} takes too long. Nothing was sent.`)
    throw problem('unreachable', `${host} cannot be reached. Nothing was sent. Check your connection.`)
  } finally {
    await line.end()
  }
}
