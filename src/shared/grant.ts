/**
 * What a person has allowed by signing in (OAuth 2.1), kept and handed on in the place of an API key: it is asked for an access
 * token, which lasts some minutes.
 */
import { z } from 'zod'

const grant = z
  .object({
    clientId: z.string().min(1),
    /** Good once: each use gives another. */
    refreshToken: z.string().min(1),
    tokenEndpoint: z.url(),
    /** Where it is given back; null where the platform has no place for that. */
    revocationEndpoint: z.url().nullable(),
    /** Only in memory: never in what is kept. */
    access: z
      .object({ token: z.string().min(1), expiresIn: z.number() })
      .strict()
      .nullable(),
  })
  .strict()
export type Grant = z.infer<typeof grant>

const PREFIX = 'oauth:'

/** As what stands in the place of a key: letters that a key can have. */
export const writeGrant = (held: Grant): string => PREFIX + encodeURIComponent(JSON.stringify(held))

/** The grant in the place of a key; null for a key. */
export const readGrant = (key: string): Grant | null => {
  if (!key.startsWith(PREFIX)) return null
  try {
    return grant.parse(JSON.parse(decodeURIComponent(key.slice(PREFIX.length))))
  } catch {
    return null
  }
}

/** What of a key is kept: of a grant, nothing that opens the account by itself for long. */
export const keptPart = (key: string): string => {
  const held = readGrant(key)
  return held === null ? key : writeGrant({ ...held, access: null })
}
