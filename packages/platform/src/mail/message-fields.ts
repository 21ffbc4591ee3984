import { randomUUID } from 'node:crypto'
import { type Mailbox, isAddress, parseMailboxes } from './addresses.ts'
import { composeMessage, recipientsOf } from './compose-message.ts'

export interface MessageFile {
  readonly filename: string
  /** Bytes, or text to encode as UTF-8. */
  readonly content: string | Uint8Array
  /** Default: `application/octet-stream`. */
  readonly contentType?: string | undefined
  /** For `<img src="cid:…">`. Without angle brackets. */
  readonly contentId?: string | undefined
}

/** Visible fields of a message. Addresses are `ann@example.com` or `Ann Lee <ann@example.com>`. */
export interface MessageFields {
  /** Default: `sender@example.com`. */
  readonly from?: string | undefined
  /** Default: the announced inbox. */
  readonly to?: string | readonly string[] | undefined
  readonly cc?: string | readonly string[] | undefined
  /** Recipients that appear only in the envelope. */
  readonly bcc?: string | readonly string[] | undefined
  readonly replyTo?: string | readonly string[] | undefined
  readonly subject?: string | undefined
  /** Default: derived from the HTML. */
  readonly text?: string | undefined
  readonly html?: string | undefined
  /** With angle brackets; a new one by default. */
  readonly messageId?: string | undefined
  readonly inReplyTo?: string | undefined
  /** Message-IDs of the thread, oldest first; default: `inReplyTo`. */
  readonly references?: readonly string[] | undefined
  /** Default: the platform's clock. */
  readonly date?: Date | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly attachments?: readonly MessageFile[] | undefined
}

/**
 * @param inbox default recipient @param now milliseconds since 1970, the default date @throws Error naming a bad field
 */
export async function buildRawMessage(
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
