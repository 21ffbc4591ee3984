import { createHmac, timingSafeEqual } from 'node:crypto'

/** Claims of every token: subject and expiry in seconds since 1970. */
interface Claims {
  readonly sub: string
  readonly exp: number
}

/** Keeps tokens from being used for another purpose: share links, access tokens (RFC 9068), consent pages. */
type Kind = 'JWT' | 'at+jwt' | 'ask+jwt'

/** A JWT signed with HS256 (platform.md 3.5 and 17.4). @param expiresAt milliseconds since 1970 */
export function createSignedToken(secret: Buffer, kind: Kind, sub: string, expiresAt: number): string {
  const claims: Claims = { sub, exp: Math.floor(expiresAt / 1000) }
  const signed = `${encodePart({ alg: 'HS256', typ: kind })}.${encodePart(claims)}`
  return `${signed}.${signature(secret, signed)}`
}

export function verifySignedToken(
  secret: Buffer,
  kind: Kind,
  token: string,
  now: number,
): { readonly sub: string } | 'expired' | 'forged' {
  const [header = '', claims = '', given = '', ...rest] = token.split('.')
  if (rest.length > 0 || !equalsInConstantTime(given, signature(secret, `${header}.${claims}`))) return 'forged'
  // The signature is ours, so the shape is known.
  const { typ } = decodePart(header) as { readonly typ: string }
  if (typ !== kind) return 'forged'
  const { sub, exp } = decodePart(claims) as Claims
  return now < exp * 1000 ? { sub } : 'expired'
}

/** Returns early if the lengths differ, which reveals only the length. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)]
  return first.length === second.length && timingSafeEqual(first, second)
}

function signature(secret: Buffer, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('base64url')
}

function encodePart(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function decodePart(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
