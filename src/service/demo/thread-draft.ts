import type { Correspondent } from './people.ts'

export interface FileDraft {
  readonly name: string
  readonly type: string
  /** Text in which dates are still to be filled in (`withDates`), finished bytes, or how to make them with such texts. */
  readonly content: string | Uint8Array | ((fill: (text: string) => string) => Uint8Array)
  /** Given for an image that the HTML shows in its place, as `cid:` of this name. */
  readonly cid?: string | undefined
}

/** What a hand-built message has to repeat so that it takes its place in a thread. */
export interface MessageFrame {
  readonly messageId: string
  /** All earlier messages of the thread, oldest first. */
  readonly references: readonly string[]
  readonly date: Date
  /** The header lines of the journey, each `Name: value`. */
  readonly journey: readonly string[]
}

/** One message before it has a date and an identity. Texts may hold dates for `withDates`. */
export interface LetterDraft {
  readonly from: Correspondent
  /** Plain text, paragraphs separated by an empty line, code indented by four spaces. */
  readonly text?: string | undefined
  /** Own HTML; without it a letter's HTML is made from its text, unless `plain`. */
  readonly html?: string | undefined
  readonly plain?: boolean | undefined
  /** Default: the inbox for an inbound letter, whoever wrote last for an outbound one. */
  readonly to?: readonly Correspondent[] | undefined
  readonly cc?: readonly Correspondent[] | undefined
  readonly replyTo?: Correspondent | undefined
  /** Default: the thread's subject, with `Re:` from the second message on. */
  readonly subject?: string | undefined
  /** Hours since the message before. */
  readonly hoursLater?: number | undefined
  /** Whether the message before is quoted below; by default it mostly is. */
  readonly quotes?: boolean | undefined
  readonly files?: readonly FileDraft[] | undefined
  /** An iCalendar request. */
  readonly invitation?: string | undefined
  /** A mailing: it carries List-Unsubscribe and the like. */
  readonly mailing?: {
    readonly listId: string
    readonly unsubscribe: readonly string[]
    readonly isOneClick: boolean
  }
  /** Written by a machine (Auto-Submitted). */
  readonly automatic?: boolean | undefined
  /** How the sender's domain was checked; default `pass`. */
  readonly authentication?: 'pass' | 'fail' | 'none' | undefined
  /** Default: the sender's address. Empty for the null sender. */
  readonly envelopeFrom?: string | undefined
  /** Builds the whole message by hand: charsets and structures that the composer does not write. */
  readonly byHand?: (frame: MessageFrame) => Uint8Array
}

/** A thread before it has a place in time; its letters are oldest first. */
export interface ThreadDraft {
  readonly subject: string
  readonly labels: readonly string[]
  /** Whether the messages after the inbox's last own one are unread. */
  readonly unread: boolean
  readonly letters: readonly [LetterDraft, ...LetterDraft[]]
}
