import { crc32 } from 'node:zlib'
import { MAX_CHUNK_LENGTH, type EmailBodies } from '../../shared/model.ts'

/** Maximum characters of bodies included in a response. Longer bodies are read separately. */
export const INLINE_BODY_CHARS = 2 * MAX_CHUNK_LENGTH

/** Number of newest e-mails in a thread that include their bodies even if read. More aren't rendered at first. */
export const INLINE_READ_EMAILS = 30

/** Length of the preview text for a body stored separately, in characters. */
export const PREVIEW_CHARS = 300

/** Total length of both bodies, in characters. */
export const measureBodies = ({ html, text }: Pick<EmailBodies, 'html' | 'text'>): number =>
  (html?.length ?? 0) + (text?.length ?? 0)

/** Names of bodies stored in pieces. A body with different content has a different name. */
export interface BodyNames {
  readonly html?: string | null | undefined
  readonly text?: string | null | undefined
}

/** @returns a version that changes whenever the bodies change */
export const computeBodyVersion = ({ html, text }: Pick<EmailBodies, 'html' | 'text'>, names: BodyNames = {}): string =>
  [names.html ?? crc32(html ?? '').toString(36), names.text ?? crc32(text ?? '').toString(36)].join(' ')

/** Copy of the e-mail without its bodies, but with the details that a window needs to request them. */
export const withoutBodies = <Email extends EmailBodies>(email: Email, names: BodyNames = {}): Email => ({
  ...email,
  html: null,
  text: null,
  apart: {
    html: Math.ceil((email.html?.length ?? 0) / MAX_CHUNK_LENGTH),
    text: Math.ceil((email.text?.length ?? 0) / MAX_CHUNK_LENGTH),
    version: computeBodyVersion(email, names),
    beginning: (email.text ?? '').slice(0, PREVIEW_CHARS),
  },
})

/** A piece of a body, counted from 0; null after the end. */
export const getBodyChunk = (body: string | null, place: number): string | null => {
  const start = place * MAX_CHUNK_LENGTH
  return body === null || start >= body.length ? null : body.slice(start, start + MAX_CHUNK_LENGTH)
}
