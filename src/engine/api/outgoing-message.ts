import { formatRecipient } from '../../shared/recipients.ts'
import type { Recipient } from '../../shared/writing.ts'

/** What a message says, whatever way it goes. */
export interface OutgoingContent {
  readonly subject: string
  /** Null for plain text alone. */
  readonly html: string | null
  readonly text: string
}

/** Those who get a copy. */
interface Copies {
  readonly cc: readonly Recipient[]
  readonly bcc: readonly Recipient[]
}

/** Platform facts 3.5: whom it goes to is the platform's to say. */
export interface OutgoingReply extends OutgoingContent, Copies {}

/** Platform facts 3.6: the platform writes the original below. `html` and `text` are null where nothing is said above it. */
export interface OutgoingForward extends Omit<OutgoingContent, 'text'>, Copies {
  readonly text: string | null
  readonly to: readonly Recipient[]
}

/** Platform facts 6.1. */
export interface OutgoingEmail extends OutgoingContent, Copies {
  readonly from: Recipient
  readonly to: readonly Recipient[]
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds since the epoch; null for at once. */
  readonly scheduledAt: number | null
}

/** Platform facts 3.7: all of a draft, whatever it had before. */
export interface OutgoingDraft extends OutgoingContent, Copies {
  readonly to: readonly Recipient[]
}

const list = (name: string, people: readonly Recipient[]): Readonly<Record<string, readonly string[]>> =>
  people.length === 0 ? {} : { [name]: people.map(formatRecipient) }

const words = ({ html, text }: { readonly html: string | null; readonly text: string | null }) => ({
  ...(html !== null && { html }),
  ...(text !== null && { text }),
})

const copies = ({ cc, bcc }: Copies) => ({ ...list('cc', cc), ...list('bcc', bcc) })

export const replyBody = (reply: OutgoingReply): object => ({
  subject: reply.subject,
  ...copies(reply),
  ...words(reply),
})

export const forwardBody = (forward: OutgoingForward): object => ({
  to: forward.to.map(formatRecipient),
  ...copies(forward),
  subject: forward.subject,
  ...words(forward),
})

export const emailBody = ({ from, to, headers, scheduledAt, ...email }: OutgoingEmail): object => ({
  from: formatRecipient(from),
  to: to.map(formatRecipient),
  ...copies(email),
  subject: email.subject,
  ...words(email),
  ...(Object.keys(headers).length > 0 && { headers }),
  ...(scheduledAt !== null && { scheduled_at: new Date(scheduledAt).toISOString() }),
})

export const draftBody = ({ to, cc, bcc, subject, html, text }: OutgoingDraft): object => ({
  to: to.map(formatRecipient),
  cc: cc.map(formatRecipient),
  bcc: bcc.map(formatRecipient),
  subject,
  html,
  text,
})
