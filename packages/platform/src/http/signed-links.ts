import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from './signed-token.ts'

/** An hour in milliseconds, the lifetime of a download link (platform.md 21.5). */
export const downloadLifetimeMs = 60 * 60 * 1000

/** A signed URL that works without an API key. @param expiresAt milliseconds since 1970 */
export function createSignedUrl(secret: Buffer, baseUrl: string, path: string, expiresAt: number): string {
  return `${baseUrl}${path}?expires=${expiresAt}&signature=${signature(secret, path, String(expiresAt))}`
}

export function checkSignedUrl(secret: Buffer, url: URL, now: number): 'valid' | 'expired' | 'forged' {
  const expires = url.searchParams.get('expires') ?? ''
  const given = url.searchParams.get('signature') ?? ''
  if (!equalsInConstantTime(given, signature(secret, url.pathname, expires))) return 'forged'
  return now < Number(expires) ? 'valid' : 'expired'
}

function signature(secret: Buffer, path: string, expires: string): string {
  return createHmac('sha256', secret).update(`${path}\n${expires}`).digest('base64url')
}
