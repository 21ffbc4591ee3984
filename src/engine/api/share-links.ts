import { z } from 'zod'
import { path } from './path.ts'
import { id, readWith } from './read-answer.ts'
import type { CallOptions, Requests } from './requests.ts'

/** No user name or password: people read them as the host, browsers do not. */
const isWebAddress = (url: string): boolean => {
  const parsed = URL.parse(url)
  return parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
}

/** A link that a person gives away and opens: a page of the web, never a script or a file, as a browser reads it. */
const wireShareLink = z.looseObject({
  id,
  url: z
    .string()
    .refine(isWebAddress)
    .transform((url) => new URL(url).href),
})

export const readShareLink = readWith(wireShareLink, ({ url }): { readonly url: string } => ({ url }))

export const shareLinkCalls = (requests: Requests) => ({
  /** Contract, 1. @param expiresIn as `shareDurationText` writes it */
  createShareLink: async (emailId: string, expiresIn: string, options: CallOptions) =>
    readShareLink(await requests.post(path`/emails/${emailId}/share`, { expires_in: expiresIn }, options)),
})
