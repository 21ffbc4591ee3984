import type { LookupFunction } from 'node:net'
import { ResponseTimeoutError } from '../../platform/exchange.ts'
import { isFetchablePicture, isPrivateAddressError, lookupPublicAddress } from '../../platform/fetchable-address.ts'
import type { Network } from '../../platform/network.ts'
import { MINIMUM_SPEED } from '../../platform/timeouts.ts'
import { UntrustedCertificateError } from '../../platform/untrusted-certificate.ts'
import { followRedirects } from '../../platform/signed-downloads.ts'
import { readBody } from '../../platform/read-body.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { parsePictureMetadata, type PictureType } from '../../store/picture-metadata.ts'

export interface FetchedPicture {
  readonly type: PictureType
  readonly content: Uint8Array
}

export interface PictureFetchPolicy {
  readonly mayFetch: (address: URL) => boolean
  readonly lookup: LookupFunction
}

/** Excludes the user's own network, even if the platform runs there. */
export const PUBLIC_INTERNET_POLICY: PictureFetchPolicy = { mayFetch: isFetchablePicture, lookup: lookupPublicAddress }

export interface PictureLimits {
  readonly bytes: number
  /** Maximum number of decoded pixels, regardless of the file's size. */
  readonly pixels: number
  /** Maximum total time in milliseconds, including redirects. */
  readonly overall: number
}

export const PICTURE_LIMITS: PictureLimits = { bytes: 8 * 1024 * 1024, pixels: 50_000_000, overall: 15_000 }

/** Anonymous: no referrer, cookie or language. Uncompressed, so that a few bytes can't expand to millions. */
const HEADERS = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/bmp,image/x-icon;q=0.9',
  'accept-encoding': 'identity',
  'user-agent': 'Mozilla/5.0',
}

const NOT_PUBLIC = 'its address is not on the public Internet'
const refused = (why: string): ProblemError => createProblem('refused', `This picture was not loaded: ${why}.`)

/** Checks a picture and detects its type. @throws ProblemError `refused` if too large or not displayable */
export const validatePicture = (content: Uint8Array, limits: PictureLimits = PICTURE_LIMITS): FetchedPicture => {
  if (content.byteLength > limits.bytes) throw refused('it is too large')
  const facts = parsePictureMetadata(content)
  if (facts === null) throw refused('its format is not supported')
  if (facts.width * facts.height > limits.pixels) throw refused('it has too many pixels')
  return { type: facts.type, content }
}

/**
 * Fetches anonymously from the public Internet. Each redirect is checked like the first URL.
 * @throws ProblemError `refused` for a bad address, size or type; `unreachable`; `platform_failed` if too slow
 */
export const fetchPicture = async (
  network: Pick<Network, 'open'>,
  url: string,
  signal: AbortSignal,
  limits: PictureLimits = PICTURE_LIMITS,
  reach: PictureFetchPolicy = PUBLIC_INTERNET_POLICY,
): Promise<FetchedPicture> => {
  const overall = AbortSignal.timeout(limits.overall)
  const ending = AbortSignal.any([signal, overall])
  const pool = network.open({ connections: 1, lookup: reach.lookup, isNameNeeded: true })

  try {
    const timeout = { silence: limits.overall, speed: MINIMUM_SPEED }
    const { status, headers, body } = await followRedirects(
      url,
      { headers: HEADERS, timeout, beforeRetry: null, signal: ending },
      (address) => (reach.mayFetch(address) ? pool : null),
      (address) => refused(address === null ? 'the link is broken' : NOT_PUBLIC),
    )
    // Don't read an unwanted body: closing the pool drops the connection.
    if (status !== 200) throw createProblem('platform_failed', 'The server did not return this picture.')
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw refused('its compression is not supported')
    return validatePicture(await readBody(body, limits.bytes, () => refused('it is too large')), limits)
  } catch (thrown) {
    if (thrown instanceof ProblemError) throw thrown
    signal.throwIfAborted()
    if (overall.aborted || thrown instanceof ResponseTimeoutError)
      throw createProblem('platform_failed', 'This picture’s server is taking too long.')
    if (isPrivateAddressError(thrown)) throw refused(NOT_PUBLIC)
    if (thrown instanceof UntrustedCertificateError) throw createProblem('unreachable', thrown.describe(false))
    throw createProblem('unreachable', 'This picture’s server cannot be reached. Check your connection.')
  } finally {
    await pool.end()
  }
}

/** Decodes `%xx`. A data URL is ASCII, so every other character is one byte. */
const decodePercentBytes = (text: string): Uint8Array =>
  Buffer.from(
    text.replaceAll(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  )

/** Decodes and checks a `data:` picture; null for other URLs. @throws ProblemError `refused` if not displayable */
export const decodeEmbeddedPicture = (address: string): FetchedPicture | null => {
  if (!/^data:/i.test(address)) return null
  const comma = address.indexOf(',')
  const isBase64 = /;\s*base64\s*$/i.test(address.slice(0, Math.max(0, comma)))
  const bytes = decodePercentBytes(address.slice(comma + 1))
  return validatePicture(isBase64 ? Buffer.from(Buffer.from(bytes).toString('latin1'), 'base64') : bytes)
}
