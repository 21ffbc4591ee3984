import type { Email } from '../../../shared/model.ts'
import { toTime, writePlatformTime } from '../platform-time.ts'
import { envelope, wireEmail, WORDS, type WireEmail } from '../wire.ts'
import { toContent } from './email-content.ts'
import { readKeptWith, readPageOf, readWith } from './read-answer.ts'
import type { Said } from './words.ts'

/** An e-mail of a thread, as the platform tells it and as it is kept. */
export interface FetchedEmail extends Omit<Email, 'threadId' | 'apart' | 'onServer'>, Said<WireEmail> {
  /** Whether it is larger than Linnet fetches: then its bodies are on the platform alone. */
  readonly isTooLarge: boolean
  /** The names of its bodies that are kept in pieces, as they are large; they are null here. */
  readonly apartNames: { readonly html: string | null; readonly text: string | null }
}

/** Where the words of a kept e-mail say what is read without reading all of it: paths of SQLite's JSON functions. */
export const IN_EMAIL_WORDS = { from: '$.from', read: '$.read', direction: '$.direction' } as const

const toFetched = (wire: WireEmail): FetchedEmail => ({
  ...toContent(wire),
  direction: wire.direction === 'outbound' ? 'outbound' : 'inbound',
  read: wire.read ?? true,
  receivedAt: toTime(wire.received_at),
  isTooLarge: wire.too_large === true,
  apartNames: { html: wire.html_apart ?? null, text: wire.text_apart ?? null },
  [WORDS]: wire,
})

export const readEmail = readWith(wireEmail, toFetched)
export const readEmails = readPageOf(wireEmail, toFetched)
export const readKeptEmail = readKeptWith(wireEmail, toFetched)

/** What the beginning of a list tells of its first e-mail, whose bodies are too large; null where it does not name it. */
export const readTooLargeEmail = (beginning: unknown): FetchedEmail | null => {
  const parsed = envelope.safeParse(beginning)
  const email = wireEmail.safeParse(parsed.success ? parsed.data.data[0] : undefined)
  return email.success ? toFetched({ ...email.data, html: null, text: null, too_large: true }) : null
}

/** An e-mail that does not tell its time, at one. @param time milliseconds since the epoch; null where none is known */
export const atTime = (email: FetchedEmail, time: number | null): FetchedEmail =>
  time === null ? email : toFetched({ ...email[WORDS], received_at: writePlatformTime(time) })

/** The same e-mail without those of its bodies that are kept in pieces, under these names. */
export const withBodiesKeptApart = (
  email: FetchedEmail,
  { html, text }: { readonly html?: string; readonly text?: string },
): FetchedEmail =>
  html === undefined && text === undefined
    ? email
    : toFetched({
        ...email[WORDS],
        ...(html === undefined ? {} : { html: null, html_apart: html }),
        ...(text === undefined ? {} : { text: null, text_apart: text }),
      })
