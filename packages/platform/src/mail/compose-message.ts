import MailComposer from 'nodemailer/lib/mail-composer'
import { type Mailbox, formatMailbox } from './addresses.ts'
import { htmlToText } from './html-text.ts'

export interface OutgoingAttachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
  /** Without angle brackets, for `cid:` in the HTML. */
  readonly contentId: string | null
}

export interface OutgoingMessage {
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string
  /** If `null`, derived from the HTML; if empty, the part is omitted (platform.md 20.2). */
  readonly text: string | null
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly OutgoingAttachment[]
  /** Message-ID of the message being answered or forwarded. */
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** The plain-text part, given or derived from the HTML; `null` for none (platform.md 20.2). */
export function toPlainText({ text, html }: Pick<OutgoingMessage, 'text' | 'html'>): string | null {
  const made = text ?? (html === null ? '' : htmlToText(html))
  return made === '' ? null : made
}

export function recipientsOf({ to, cc, bcc }: Pick<OutgoingMessage, 'to' | 'cc' | 'bcc'>): readonly string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))]
}

/** Composes the RFC 5322 message, without a Bcc header. @param date milliseconds since 1970 */
export async function composeMessage(message: OutgoingMessage, messageId: string, date: number): Promise<Buffer> {
  const text = toPlainText(message)
  const composer = new MailComposer({
    from: formatMailbox(message.from),
    to: [...message.to],
    cc: [...message.cc],
    replyTo: [...message.replyTo],
    subject: message.subject,
    messageId,
    date: new Date(date),
    headers: { ...message.headers },
    // Content from a client is never a path or URL to read.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    ...(message.inReplyTo === null ? {} : { inReplyTo: message.inReplyTo }),
    ...(message.references.length === 0 ? {} : { references: [...message.references] }),
    ...(text === null ? {} : { text }),
    ...(message.html === null ? {} : { html: message.html }),
    attachments: message.attachments.map(({ filename, contentType, content, contentId }) => ({
      filename,
      contentType,
      content,
      ...(contentId === null ? {} : { cid: contentId }),
    })),
  })
  return composer.compile().build()
}
