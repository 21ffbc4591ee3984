import type { Correspondent } from './people.ts'

export interface AttachmentDraft {
  readonly name: string
  readonly type: string
  /** Text with date placeholders (`replaceDatePlaceholders`), finished bytes, or a function that makes bytes from such texts. */
  readonly content: string | Uint8Array | ((fill: (text: string) => string) => Uint8Array)
  /** Set for an inline image, which the HTML shows as `cid:` with this name. */
  readonly cid?: string | undefined
}

/** Headers that a hand-built message must repeat to join its thread. */
export interface ThreadingHeaders {
  readonly messageId: string
  /** All earlier messages of the thread, oldest first. */
  readonly references: readonly string[]
  readonly date: Date
  /** Header lines added in transit, each `Name: value`. */
  readonly journey: readonly string[]
}

/** A message without a date and an ID. Texts may contain placeholders for `replaceDatePlaceholders`. */
export interface LetterDraft {
  readonly from: Correspondent
  /** Plain text: paragraphs separated by an empty line, code indented by four spaces. */
  readonly text?: string | undefined
  /** Custom HTML. By default it is made from the text, unless `plain`. */
  readonly html?: string | undefined
  readonly plain?: boolean | undefined
  /** Default: the inbox for an inbound letter, the latest sender for an outbound one. */
  readonly to?: readonly Correspondent[] | undefined
  readonly cc?: readonly Correspondent[] | undefined
  readonly replyTo?: Correspondent | undefined
  /** Default: the thread's subject, with `Re:` from the second message on. */
  readonly subject?: string | undefined
  readonly hoursLater?: number | undefined
  /** True to quote the previous message below; by default most letters do. */
  readonly quotes?: boolean | undefined
  readonly files?: readonly AttachmentDraft[] | undefined
  /** An iCalendar request. */
  readonly invitation?: string | undefined
  readonly mailing?: {
    readonly listId: string
    readonly unsubscribe: readonly string[]
    readonly isOneClick: boolean
  }
  /** Automated mail (Auto-Submitted). */
  readonly automatic?: boolean | undefined
  /** Authentication result of the sender's domain; default `pass`. */
  readonly authentication?: 'pass' | 'fail' | 'none' | undefined
  /** Default: the sender's address. Empty for the null sender. */
  readonly envelopeFrom?: string | undefined
  /** Builds the whole message, for charsets and structures that the composer can't write. */
  readonly byHand?: (frame: ThreadingHeaders) => Uint8Array
}

/** A thread without dates; letters are oldest first. */
export interface ThreadDraft {
  readonly subject: string
  readonly labels: readonly string[]
  /** True if the messages after the latest one from the inbox are unread. */
  readonly unread: boolean
  readonly letters: readonly [LetterDraft, ...LetterDraft[]]
}
