import { decodePercent } from './decode-percent.ts'

/** Maximum characters of an address or Content-ID. Content-IDs have a few dozen (RFC 2392). */
const MAX_LENGTH = 1_000

export const normalizeContentId = (contentId: string | null | undefined): string =>
  (contentId ?? '').trim().replace(/^<|>$/g, '').trim()

/**
 * File name in a relative address such as `images/logo.png`, which may be a part of the e-mail (RFC 2557, 5); otherwise
 * null.
 */
export const parseEmbeddedFilename = (address: string): string | null => {
  const written = address.trim()
  if (written.length > MAX_LENGTH || /^(?:[a-z][a-z\d+.-]*:|[\\/]{2}|[?#])/i.test(written)) return null
  return decodePercent(written.replace(/[?#].*$/s, '').replace(/^(?:\.?\/)+/, '')) || null
}

/** Content-ID in a `cid:` address (RFC 2392), which refers to a picture in the e-mail; null for other addresses. */
export const parseCidUrl = (address: string): string | null => {
  const [, name] = /^cid:(.+)$/is.exec(address.trim()) ?? []
  if (name === undefined || name.length > MAX_LENGTH) return null
  return normalizeContentId(decodePercent(name)) || null
}
