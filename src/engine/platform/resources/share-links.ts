import { z } from 'zod'
import { apiPath } from '../api-path.ts'
import { wireId, createParser } from '../parse-response.ts'
import type { CallOptions, Requests } from '../requests.ts'

/** Rejects URLs with a user name or password, which people mistake for the host. */
const isWebAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
}

/** A link that the user shares and opens: a web address, never a script or file. Normalised as browsers do. */
const wireShareLink = z.looseObject({
  id: wireId,
  url: z
    .string()
    .refine(isWebAddress)
    .transform((url) => new URL(url).href),
})

export const parseShareLink = createParser(wireShareLink, ({ url }): { readonly url: string } => ({ url })).one

export const createShareLinkCalls = (requests: Requests) => ({
  /** See platform.md 17.1. @param expiresIn from `formatShareDuration` */
  createShareLink: async (emailId: string, expiresIn: string, options: CallOptions) =>
    parseShareLink(await requests.post(apiPath`/emails/${emailId}/share`, { expires_in: expiresIn }, options)),
})
