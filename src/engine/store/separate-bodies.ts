import { crc32 } from 'node:zlib'
import { MAX_CHUNK_LENGTH, type EmailBodies } from '../../shared/model.ts'
import type { FetchedEmail } from '../platform/resources/thread-emails.ts'

/** Maximum characters of bodies included in a response. Longer bodies are read separately. */
export const INLINE_BODY_CHARS = 2 * MAX_CHUNK_LENGTH

/** Number of newest e-mails in a thread that include their bodies even if read. More aren't rendered at first. */
export const INLINE_READ_EMAILS = 30

/** Length of the preview text for a body stored separately, in characters. */
const PREVIEW_CHARS = 300

/** Total length of both bodies, in characters. */
export const measureBodies = ({ html, text }: Pick<EmailBodies, 'html' | 'text'>): number =>
  (html?.length ?? 0) + (text?.length ?? 0)

type LargeBodies = Partial<FetchedEmail['largeBodies']>

/** @returns a version that changes whenever the bodies change @param large bodies that aren't included */
export const computeBodyVersion = (
  { html, text }: Pick<EmailBodies, 'html' | 'text'>,
  large: LargeBodies = {},
): string =>
  [large.html?.checksum ?? crc32(html ?? ''), large.text?.checksum ?? crc32(text ?? '')]
    .map((checksum) => checksum.toString(36))
    .join(' ')

/** Copy of the e-mail without its bodies, but with the details that a window needs to request them. */
export const withoutBodies = <Email extends EmailBodies>(email: Email, large: LargeBodies = {}): Email => ({
  ...email,
  html: null,
  text: null,
  apart: {
    html: Math.ceil((large.html?.length ?? email.html?.length ?? 0) / MAX_CHUNK_LENGTH),
    text: Math.ceil((large.text?.length ?? email.text?.length ?? 0) / MAX_CHUNK_LENGTH),
    version: computeBodyVersion(email, large),
    beginning: (email.text ?? '').slice(0, PREVIEW_CHARS),
  },
})

/** A piece of a body, counted from 0; null after the end. */
export const getBodyChunk = (body: string | null, place: number): string | null => {
  const start = place * MAX_CHUNK_LENGTH
  return body === null || start >= body.length ? null : body.slice(start, start + MAX_CHUNK_LENGTH)
}
