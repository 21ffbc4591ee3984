import { ProblemError } from '../../shared/result.ts'
import { USER_AGENT } from '../version.ts'
import { howToFetch, isPrivateAddress, publicLookup } from './fetchable-address.ts'
import { loadUndici } from './load-undici.ts'
import { PlatformRefusal, toRefusal, toUnreachable } from './platform-problem.ts'
import { readBody } from './read-body.ts'

/** How much of a person's disk, time and patience one download may take. */
export interface DownloadLimits {
  readonly bytes: number
  /** Milliseconds for the whole of it, redirects included. */
  readonly overall: number
}

export const LIMITS: DownloadLimits = { bytes: 64 * 1024 * 1024, overall: 10 * 60_000 }
/** The longest silence. */
const ANSWER_MS = 60_000
const MAX_REDIRECTS = 5
export const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/** Whether a signed address has expired: the platform then gives a new one (platform facts 7, `download_url`). */
export const isExpired = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && [400, 401, 403, 404, 410].includes(thrown.status)

const untrusted = (): ProblemError =>
  new ProblemError({
    code: 'refused',
    message: 'The platform’s link to this file is unsafe. Nothing was downloaded.',
  })
/** The file is larger than what was asked for may be. */
export class DownloadTooLarge extends ProblemError {
  constructor() {
    super({ code: 'refused', message: 'This file is larger than 64 MB, the most Linnet downloads.' })
    this.name = 'DownloadTooLarge'
  }
}
const tooLarge = (): ProblemError => new DownloadTooLarge()
const tooSlow = (): ProblemError =>
  new ProblemError({ code: 'platform_failed', message: 'This download takes too long. Try again later.' })

/** Hears how many bytes have come. @param total of how many; null where that was not said */
export type DownloadProgress = (done: number, total: number | null) => void

/**
 * Fetches a file from a signed address. The API key is not sent: the signature is the permission, and the address may
 * be another company's (platform facts 7). Where the address leads on, each next one is judged like the first.
 * @param base the account's base URL
 * @throws ProblemError `refused` for an address that is not to be trusted or a file over 64 MiB, `unreachable`,
 * `platform_failed` where it takes over ten minutes; PlatformRefusal for an error status
 */
export const downloadSigned = async (
  url: string,
  base: URL,
  signal: AbortSignal,
  limits: DownloadLimits = LIMITS,
  progress: DownloadProgress = () => undefined,
): Promise<Uint8Array> => {
  const { Agent, request } = await loadUndici()
  const overall = AbortSignal.timeout(limits.overall)
  const ending = AbortSignal.any([signal, overall])
  const ways = { own: new Agent(), public: new Agent({ connect: { lookup: publicLookup } }) }

  const fetchFrom = async (text: string, redirectsLeft: number): Promise<Uint8Array> => {
    const address = URL.canParse(text) ? new URL(text) : null
    const way = address === null ? null : howToFetch(address, base)
    if (address === null || way === null) throw untrusted()
    const answer = await request(address, {
      dispatcher: ways[way],
      headers: { 'user-agent': USER_AGENT },
      signal: ending,
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    })
    const location = answer.headers.location
    if (REDIRECTS.includes(answer.statusCode) && typeof location === 'string') {
      await answer.body.dump()
      if (redirectsLeft === 0 || !URL.canParse(location, address)) throw untrusted()
      return fetchFrom(new URL(location, address).href, redirectsLeft - 1)
    }
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      throw toRefusal(answer.statusCode, null)
    }
    const length = Number(answer.headers['content-length'] ?? Number.NaN)
    const total = Number.isSafeInteger(length) ? length : null
    if (total !== null && total > limits.bytes) throw tooLarge()
    const body = answer.body as AsyncIterable<Uint8Array>
    return readBody(body, limits.bytes, tooLarge, (done) => progress(done, total))
  }

  try {
    return await fetchFrom(url, MAX_REDIRECTS)
  } catch (thrown) {
    if (thrown instanceof ProblemError) throw thrown
    signal.throwIfAborted()
    if (overall.aborted) throw tooSlow()
    throw isPrivateAddress(thrown) ? untrusted() : toUnreachable(thrown)
  } finally {
    await Promise.all([ways.own.destroy(), ways.public.destroy()])
  }
}

/**
 * Fetches a file by a fresh link, and by a second one where the first expired on the way.
 * @param askForLink asks the platform for a signed address
 * @param brokenLink the sentence where the second link does not work either
 * @throws as `askForLink` and `downloadSigned`; ProblemError `platform_failed` with `brokenLink`
 */
export const downloadFresh = async (
  askForLink: () => Promise<string>,
  brokenLink: string,
  base: URL,
  signal: AbortSignal,
  progress?: DownloadProgress,
): Promise<Uint8Array> => {
  const attempt = async (isLast: boolean): Promise<Uint8Array> => {
    const link = await askForLink()
    try {
      return await downloadSigned(link, base, signal, LIMITS, progress)
    } catch (thrown) {
      if (!isExpired(thrown)) throw thrown
      if (isLast) throw new ProblemError({ code: 'platform_failed', message: brokenLink }, { cause: thrown })
      return attempt(true)
    }
  }
  return attempt(false)
}
