import { decodePercent } from './decode-percent.ts'

/** Characters. Content-IDs are a few dozen (RFC 2392). */
const LONGEST = 1_000

export const bareContentId = (contentId: string | null | undefined): string =>
  (contentId ?? '').trim().replace(/^<|>$/g, '').trim()

/**
 * The name of a picture whose address names no place, such as `logo.png` or `images/logo.png`: of one that the e-mail may
 * carry itself (RFC 2557, 5); null for any other address.
 */
export const nameWithin = (address: string): string | null => {
  const written = address.trim()
  if (written.length > LONGEST || /^(?:[a-z][a-z\d+.-]*:|[\\/]{2}|[?#])/i.test(written)) return null
  return decodePercent(written.replace(/[?#].*$/s, '').replace(/^(?:\.?\/)+/, '')) || null
}

/**
 * The Content-ID that a `cid:` address names (RFC 2392): of a picture that the e-mail itself carries; null for any other
 * address.
 */
export const contentIdIn = (address: string): string | null => {
  const [, name] = /^cid:(.+)$/is.exec(address.trim()) ?? []
  if (name === undefined || name.length > LONGEST) return null
  return bareContentId(decodePercent(name)) || null
}
