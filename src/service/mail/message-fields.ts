import { randomUUID } from 'node:crypto'
import { type Mailbox, isAddress, parseMailboxes } from './addresses.ts'
import { composeMessage, recipientsOf } from './compose-message.ts'

export interface MessageFile {
  readonly filename: string
  /** The bytes, or a text that is written as UTF-8. */
  readonly content: string | Uint8Array
  /** `application/octet-stream` without it. */
  readonly contentType?: string | undefined
  /** The HTML shows the file by it: `<img src="cid:…">`. Without angle brackets. */
  readonly contentId?: string | undefined
}

/** A message by what people see of it. Addresses are `ann@example.com` or `Ann Lee <ann@example.com>`. */
export interface MessageFields {
  /** `sender@example.com` without it. */
  readonly from?: string | undefined
  /** The announced inbox without it. */
  readonly to?: string | readonly string[] | undefined
  readonly cc?: string | readonly string[] | undefined
  /** In the envelope alone. */
  readonly bcc?: string | readonly string[] | undefined
  readonly replyTo?: string | readonly string[] | undefined
  readonly subject?: string | undefined
  /** Made from the HTML without it. */
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** With its angle brackets; a new one without it. */
  readonly messageId?: string | undefined
  /** The Message-ID that this answers. */
  readonly inReplyTo?: string | undefined
  /** The Message-IDs of the thread, oldest first; what `inReplyTo` says without it. */
  readonly references?: readonly string[] | undefined
  /** The Date header; the platform's clock without it. */
  readonly date?: Date | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly attachments?: readonly MessageFile[] | undefined
}

/**
 * Writes a message (RFC 5322).
 * @param inbox whom it is for where nobody is named
 * @param now milliseconds since 1970, for one without a date
 * @throws Error that names the field where an address is none
 */
export async function writeMessage(
  fields: MessageFields,
  inbox: string,
  now: number,
): Promise<{ readonly raw: Uint8Array; readonly from: string; readonly named: readonly string[] }> {
  const [from, ...others] = mailboxesIn('from', fields.from ?? 'sender@example.com')
  if (from === undefined || others.length > 0) throw new Error('`from` takes one address.')
  const { to = [], cc = [], bcc = [], inReplyTo, references } = fields
  const isForNobody = [to, cc, bcc].every((list) => list.length === 0)
  const recipients = {
    to: mailboxesIn('to', isForNobody ? inbox : to),
    cc: mailboxesIn('cc', cc),
    bcc: mailboxesIn('bcc', bcc),
  }
  const raw = await composeMessage(
    {
      ...recipients,
      from,
      replyTo: mailboxesIn('replyTo', fields.replyTo ?? []),
      subject: fields.subject ?? '',
      text: fields.text ?? null,
      html: fields.html ?? null,
      headers: fields.headers ?? {},
      attachments: (fields.attachments ?? []).map(({ filename, content, contentType, contentId }) => ({
        filename,
        content: Buffer.from(content),
        contentType: contentType ?? 'application/octet-stream',
        contentId: contentId ?? null,
      })),
      inReplyTo: inReplyTo ?? null,
      references: references ?? (inReplyTo === undefined ? [] : [inReplyTo]),
    },
    fields.messageId ?? `<${randomUUID()}@example.com>`,
    fields.date?.getTime() ?? now,
  )
  return { raw, from: from.address, named: recipientsOf(recipients) }
}

function mailboxesIn(field: string, value: string | readonly string[]): readonly Mailbox[] {
  const mailboxes = [value].flat().flatMap((list) => parseMailboxes(list))
  const wrong = mailboxes.find(({ address }) => !isAddress(address))
  if (wrong !== undefined || (mailboxes.length === 0 && value.length > 0)) {
    throw new Error(
      `\`${field}\` takes addresses such as ann@example.com or Ann Lee <ann@example.com>, not ${JSON.stringify(value)}.`,
    )
  }
  return mailboxes
}
