import MailComposer from 'nodemailer/lib/mail-composer'
import { type Mailbox, formatMailbox } from './addresses.ts'
import { htmlText } from './html-text.ts'

/** A file on its way out. */
export interface OutgoingAttachment {
  readonly filename: string
  readonly contentType: string
  readonly content: Buffer
  /** Without angle brackets; the HTML shows it by this. */
  readonly contentId: string | null
}

export interface OutgoingMessage {
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly subject: string
  /** `null` makes it from the HTML, an empty text leaves it out (platform facts 6.1). */
  readonly text: string | null
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly OutgoingAttachment[]
  /** The Message-ID that this answers or forwards. */
  readonly inReplyTo: string | null
  readonly references: readonly string[]
}

/** The plain-text part: as given, or made from the HTML; `null` when there is to be none (platform facts 6.1). */
export function plainText({ text, html }: Pick<OutgoingMessage, 'text' | 'html'>): string | null {
  const made = text ?? (html === null ? '' : htmlText(html))
  return made === '' ? null : made
}

export function recipientsOf({ to, cc, bcc }: Pick<OutgoingMessage, 'to' | 'cc' | 'bcc'>): readonly string[] {
  return [...new Set([...to, ...cc, ...bcc].map(({ address }) => address))]
}

/**
 * Writes the RFC 5322 message. Bcc is not among its headers.
 * @param date milliseconds since 1970
 */
export async function composeMessage(message: OutgoingMessage, messageId: string, date: number): Promise<Buffer> {
  const text = plainText(message)
  const composer = new MailComposer({
    from: formatMailbox(message.from),
    to: [...message.to],
    cc: [...message.cc],
    replyTo: [...message.replyTo],
    subject: message.subject,
    messageId,
    date: new Date(date),
    headers: { ...message.headers },
    // A content that a client sent is content, never a file or an address to read.
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
