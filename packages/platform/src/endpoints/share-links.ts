import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { createSignedToken } from '../http/signed-token.ts'
import { findEmail } from '../storage/emails.ts'
import { text, uuid } from './shapes.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** 48 hours are the default and the maximum (platform.md 17.2). */
const maxDurationMs = 48 * hour

export const shareLinkEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    path: '/emails/:email/share',
    summary: 'Create a share link for a sent or received e-mail',
    inContract: true,
    body: z.object({ expires_in: z.string().optional() }),
    answers: { 200: z.strictObject({ object: z.literal('email'), id: uuid, url: text }) },
    handle(request, { expires_in: expiresIn }) {
      const { db, secret, now, baseUrl } = request.platform
      const duration = expiresIn === undefined ? maxDurationMs : parseDuration(expiresIn)
      const email = findEmail(db, request.param('email'))
      if (!email) throw createNotFoundError('Email not found')
      const token = createSignedToken(secret, 'JWT', email.id, now() + duration)
      return respondOk({ object: 'email', id: email.id, url: `${baseUrl()}/shared?token=${token}` })
    },
  }),
]

const units: Readonly<Record<string, number>> = { s: second, m: minute, h: hour, d: day }

/**
 * `10m`, `2 hours`, `1 day`, or compounds such as `1h 30m` and `1 hour 30 minutes` (platform.md 17.2).
 * @returns milliseconds
 * @throws ApiError 422; the message for a duration that is too long is the platform's, the other is ours
 */
export function parseDuration(duration: string): number {
  const part = /(\d{1,9})\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])/gi
  const isDuration = duration.replace(part, '').trim() === '' && duration.trim() !== ''
  const total = [...duration.matchAll(part)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit?.charAt(0).toLowerCase() ?? ''] ?? 0),
    0,
  )
  if (!isDuration || total === 0)
    throw createValidationError('expires_in must be a duration such as `10m`, `2 hours` or `1 day`')
  if (total > maxDurationMs) throw createValidationError('expires_in must not exceed 48 hours')
  return total
}
