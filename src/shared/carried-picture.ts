/** Characters. Content-IDs are a few dozen (RFC 2392). */
const LONGEST = 1_000

/** A Content-ID without the brackets around it. */
export const bareContentId = (contentId: string | null | undefined): string =>
  (contentId ?? '').trim().replace(/^<|>$/g, '').trim()

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The Content-ID that a `cid:` address names (RFC 2392): of a picture that the e-mail itself carries; null for any other
 * address.
 */
export const contentIdIn = (address: string): string | null => {
  const [, name] = /^cid:(.+)$/is.exec(address.trim()) ?? []
  if (name === undefined || name.length > LONGEST) return null
  return bareContentId(decoded(name)) || null
}
