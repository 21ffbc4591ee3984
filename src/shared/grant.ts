/** A browser sign-in's grant (OAuth 2.1), used instead of an API key. Its access tokens last a few minutes. */
import { z } from 'zod'

const grant = z
  .object({
    clientId: z.string().min(1),
    /** Can be used once; each use returns a new token. */
    refreshToken: z.string().min(1),
    tokenEndpoint: z.url(),
    /** Null if the platform cannot revoke grants. */
    revocationEndpoint: z.url().nullable(),
    /** The access token, kept in memory only. */
    access: z
      .object({ token: z.string().min(1), expiresIn: z.number() })
      .strict()
      .nullable(),
  })
  .strict()
export type Grant = z.infer<typeof grant>

const PREFIX = 'oauth:'

/** Encodes a grant with characters that are valid in an API key. */
export const encodeGrant = (held: Grant): string => PREFIX + encodeURIComponent(JSON.stringify(held))

/** Decodes a grant; null if the key is an API key. */
export const decodeGrant = (key: string): Grant | null => {
  if (!key.startsWith(PREFIX)) return null
  try {
    return grant.parse(JSON.parse(decodeURIComponent(key.slice(PREFIX.length))))
  } catch {
    return null
  }
}

/** The part of a key that may be stored: grants lose their access token. */
export const stripAccessToken = (key: string): string => {
  const held = decodeGrant(key)
  return held === null ? key : encodeGrant({ ...held, access: null })
}
