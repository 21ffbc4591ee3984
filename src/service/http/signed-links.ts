import { createHmac } from 'node:crypto'
import { sameText } from './signed-token.ts'

/** An hour, in milliseconds (platform facts 7: how long a download link works). */
export const downloadLifetime = 60 * 60 * 1000

/**
 * A link that works without a key until it expires.
 * @param path from the service's root, such as `/downloads/raw/ID`
 * @param expiresAt milliseconds since 1970
 */
export function signedUrl(secret: Buffer, baseUrl: string, path: string, expiresAt: number): string {
  return `${baseUrl}${path}?expires=${expiresAt}&signature=${signature(secret, path, String(expiresAt))}`
}

/** How a link that was followed stands. */
export function checkSignedUrl(secret: Buffer, url: URL, now: number): 'valid' | 'expired' | 'forged' {
  const expires = url.searchParams.get('expires') ?? ''
  const given = url.searchParams.get('signature') ?? ''
  if (!sameText(given, signature(secret, url.pathname, expires))) return 'forged'
  return now < Number(expires) ? 'valid' : 'expired'
}

function signature(secret: Buffer, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url')
}
