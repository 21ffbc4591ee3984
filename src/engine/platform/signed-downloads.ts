import { ProblemError, createProblem } from '../../shared/result.ts'
import type { OnTransferProgress } from './exchange.ts'
import { classifyFetchTarget, isPrivateAddressError, lookupPublicAddress } from './fetchable-address.ts'
import type { ConnectionPool, HttpRequest, HttpResponse } from './connection-pool.ts'
import type { Network } from './network.ts'
import { FILE_IDLE_TIMEOUT_MS, MINIMUM_SPEED } from './timeouts.ts'
import { USER_AGENT } from './version.ts'
import { PlatformRefusalError, toRefusal, toUnreachableError } from './platform-problem.ts'
import { readBody } from './read-body.ts'

/** Default limit in bytes for one download. */
export const MAX_DOWNLOAD_BYTES = 64 * 1024 * 1024
const MAX_REDIRECTS = 5
export const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308]

/** True if a signed URL has expired. The platform then issues a new one (platform.md 21.5). */
export const isExpiredUrlError = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusalError && [400, 401, 403, 404, 410].includes(thrown.status)

const untrusted = (): ProblemError =>
  createProblem('refused', 'The platform’s link to this file is unsafe. Nothing was downloaded.')
export class DownloadTooLargeError extends ProblemError {
  constructor() {
    super({ code: 'refused', message: 'This file is larger than 64 MB, the most Linnet can download.' })
    this.name = 'DownloadTooLargeError'
  }
}
const tooLarge = (): ProblemError => new DownloadTooLargeError()

/**
 * GETs a URL that someone else supplied, and follows redirects. Each address is checked.
 * @param poolFor null if the address must not be requested
 * @param unsafe called with that address, or with null for a broken link or too many redirects
 */
export const followRedirects = async (
  url: string,
  request: Omit<HttpRequest, 'method' | 'url'>,
  poolFor: (address: URL) => ConnectionPool | null,
  unsafe: (address: URL | null) => Error,
): Promise<HttpResponse> => {
  let address = URL.parse(url)
  for (let redirectsLeft = MAX_REDIRECTS; ; redirectsLeft -= 1) {
    const pool = address && poolFor(address)
    if (address === null || pool === null) throw unsafe(address)
    const answer = await pool.request({ ...request, method: 'GET', url: address })
    const { location } = answer.headers
    if (!REDIRECT_STATUSES.includes(answer.status) || location === undefined) return answer
    await answer.drop()
    address = redirectsLeft === 0 ? null : URL.parse(location, address)
  }
}

export class SignedDownloads {
  readonly #network: Pick<Network, 'open'>
  readonly #base: URL

  constructor(network: Pick<Network, 'open'>, base: URL) {
    this.#network = network
    this.#base = base
  }

  /**
   * Downloads without the API key: the URL's signature grants access, and its host may be another company's
   * (platform.md 21.5). Redirects are checked like the first URL.
   * @throws ProblemError `refused` for an untrusted URL or too large a file, `unreachable` also if it stalls;
   * PlatformRefusalError
   */
  async fetch(
    url: string,
    signal: AbortSignal,
    maxBytes = MAX_DOWNLOAD_BYTES,
    progress: OnTransferProgress = () => undefined,
  ): Promise<Uint8Array> {
    const pools = {
      own: this.#network.open({ connections: 1 }),
      public: this.#network.open({ connections: 1, lookup: lookupPublicAddress }),
    }
    try {
      const request = {
        headers: { 'user-agent': USER_AGENT },
        timeout: { silence: FILE_IDLE_TIMEOUT_MS, speed: MINIMUM_SPEED },
        beforeRetry: () => Promise.resolve(),
        signal,
      }
      const poolFor = (address: URL): ConnectionPool | null => {
        const target = classifyFetchTarget(address, this.#base)
        return target && pools[target]
      }
      const answer = await followRedirects(url, request, poolFor, untrusted)
      if (answer.status !== 200) {
        await answer.drop()
        throw toRefusal(answer.status, null)
      }
      const length = Number(answer.headers['content-length'] ?? Number.NaN)
      const total = Number.isSafeInteger(length) ? length : null
      if (total !== null && total > maxBytes) throw tooLarge()
      return await readBody(answer.body, maxBytes, tooLarge, (done) => progress(done, total))
    } catch (thrown) {
      if (thrown instanceof ProblemError) throw thrown
      signal.throwIfAborted()
      throw isPrivateAddressError(thrown) ? untrusted() : toUnreachableError(thrown, false)
    } finally {
      await Promise.all([pools.own.end(), pools.public.end()])
    }
  }

  /** Downloads with a fresh link, retrying once if it has expired. @param brokenLink message for `platform_failed` */
  async fetchFresh(
    askForLink: () => Promise<string>,
    brokenLink: string,
    signal: AbortSignal,
    progress?: OnTransferProgress,
  ): Promise<Uint8Array> {
    for (let isLast = false; ; isLast = true) {
      const link = await askForLink()
      try {
        return await this.fetch(link, signal, undefined, progress)
      } catch (thrown) {
        if (!isExpiredUrlError(thrown)) throw thrown
        if (isLast) throw createProblem('platform_failed', brokenLink, thrown)
      }
    }
  }
}
