import { crc32 } from 'node:zlib'
import { BODY_PIECE, type Bodies } from '../../shared/model.ts'

/** Characters of bodies that come along with one answer; what is longer is read apart. */
export const CARRIED = 2 * BODY_PIECE

/** The newest e-mails of a thread whose bodies come along though they were read before: more are not drawn at first. */
export const CARRIED_READ = 30

/** Characters of the text that stand for it where it is apart. */
export const BEGINNING = 300

/** Characters. */
export const bodyLength = ({ html, text }: Pick<Bodies, 'html' | 'text'>): number =>
  (html?.length ?? 0) + (text?.length ?? 0)

/** Names of bodies that are kept in pieces: other bodies have other names. */
export interface BodyNames {
  readonly html?: string | null | undefined
  readonly text?: string | null | undefined
}

/** @returns a text that is another one for other bodies */
export const versionOf = ({ html, text }: Pick<Bodies, 'html' | 'text'>, names: BodyNames = {}): string =>
  [names.html ?? crc32(html ?? '').toString(36), names.text ?? crc32(text ?? '').toString(36)].join(' ')

/** The same e-mail without its bodies, but with what a window needs to ask for them. */
export const withBodiesApart = <Email extends Bodies>(email: Email, names: BodyNames = {}): Email => ({
  ...email,
  html: null,
  text: null,
  apart: {
    html: Math.ceil((email.html?.length ?? 0) / BODY_PIECE),
    text: Math.ceil((email.text?.length ?? 0) / BODY_PIECE),
    version: versionOf(email, names),
    beginning: (email.text ?? '').slice(0, BEGINNING),
  },
})

/** A piece of a body, counted from 0; null behind its end. */
export const pieceOf = (body: string | null, place: number): string | null => {
  const start = place * BODY_PIECE
  return body === null || start >= body.length ? null : body.slice(start, start + BODY_PIECE)
}
