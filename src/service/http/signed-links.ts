import { createHmac, timingSafeEqual } from 'node:crypto'

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

/** What a share link's token says: the shared e-mail and until when, in seconds since 1970. */
interface ShareClaims {
  readonly sub: string
  readonly exp: number
}

/** A JWT signed with HS256 (platform facts 4). @param expiresAt milliseconds since 1970 */
export function shareToken(secret: Buffer, emailId: string, expiresAt: number): string {
  const claims: ShareClaims = { sub: emailId, exp: Math.floor(expiresAt / 1000) }
  const signed = `${encodePart({ alg: 'HS256', typ: 'JWT' })}.${encodePart(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

/** The shared e-mail, or why the token opens nothing. */
export function readShareToken(
  secret: Buffer,
  token: string,
  now: number,
): { readonly emailId: string } | 'expired' | 'forged' {
  const [header, claims, given, ...rest] = token.split('.')
  if (header === undefined || claims === undefined || given === undefined || rest.length > 0) return 'forged'
  const expected = createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url')
  if (!sameText(given, expected)) return 'forged'
  // Signed by this service, so of this shape.
  const { sub, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as ShareClaims
  return now < exp * 1000 ? { emailId: sub } : 'expired'
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function sameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}
