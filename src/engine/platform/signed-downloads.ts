import { ProblemError, createProblem } from '../../shared/result.ts'
import type { OnTransferProgress } from './exchange.ts'
import { classifyFetchTarget, isPrivateAddressError, lookupPublicAddress } from './fetchable-address.ts'
import type { ConnectionPool } from './connection-pool.ts'
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
      return await this.#fetchFrom(pools, { url, redirectsLeft: MAX_REDIRECTS }, { signal, maxBytes, progress })
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
    const attempt = async (isLast: boolean): Promise<Uint8Array> => {
      const link = await askForLink()
      try {
        return await this.fetch(link, signal, undefined, progress)
      } catch (thrown) {
        if (!isExpiredUrlError(thrown)) throw thrown
        if (isLast) throw createProblem('platform_failed', brokenLink, thrown)
        return attempt(true)
      }
    }
    return attempt(false)
  }

  async #fetchFrom(
    pools: Readonly<Record<'own' | 'public', ConnectionPool>>,
    { url, redirectsLeft }: { readonly url: string; readonly redirectsLeft: number },
    wanted: { readonly signal: AbortSignal; readonly maxBytes: number; readonly progress: OnTransferProgress },
  ): Promise<Uint8Array> {
    const { signal, maxBytes, progress } = wanted
    const address = URL.canParse(url) ? new URL(url) : null
    const way = address === null ? null : classifyFetchTarget(address, this.#base)
    if (address === null || way === null) throw untrusted()
    const answer = await pools[way].request({
      method: 'GET',
      url: address,
      headers: { 'user-agent': USER_AGENT },
      timeout: { silence: FILE_IDLE_TIMEOUT_MS, speed: MINIMUM_SPEED },
      beforeRetry: () => Promise.resolve(),
      signal,
    })
    const { location } = answer.headers
    if (REDIRECT_STATUSES.includes(answer.status) && location !== undefined) {
      await answer.drop()
      if (redirectsLeft === 0 || !URL.canParse(location, address)) throw untrusted()
      const next = { url: new URL(location, address).href, redirectsLeft: redirectsLeft - 1 }
      return this.#fetchFrom(pools, next, wanted)
    }
    if (answer.status !== 200) {
      await answer.drop()
      throw toRefusal(answer.status, null)
    }
    const length = Number(answer.headers['content-length'] ?? Number.NaN)
    const total = Number.isSafeInteger(length) ? length : null
    if (total !== null && total > maxBytes) throw tooLarge()
    return readBody(answer.body, maxBytes, tooLarge, (done) => progress(done, total))
  }
}
