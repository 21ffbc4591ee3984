import { createHash, randomUUID } from 'node:crypto'
import { type Mailbox, formatMailbox } from '../mail/addresses.ts'
import { htmlToText } from '../mail/html-text.ts'
import type { ParsedAttachment } from '../mail/parse-message.ts'
import type { Authentication, InlineImageMode } from '../settings.ts'
import { buildIndexText } from '../search/word-index.ts'
import type { Database } from './database.ts'

export type EmailDirection = 'inbound' | 'outbound'

/** Possible values of a sent e-mail's latest event (platform.md 20.9). */
export const lastEvents = [
  'bounced',
  'canceled',
  'clicked',
  'complained',
  'delivered',
  'delivery_delayed',
  'failed',
  'opened',
  'queued',
  'scheduled',
  'sent',
  'suppressed',
] as const
export type LastEvent = (typeof lastEvents)[number]

export interface EmailRow {
  readonly seq: number
  readonly id: string
  readonly index_id: string
  readonly direction: EmailDirection
  readonly inbox_seq: number | null
  readonly thread_seq: number | null
  readonly received_at: number
  readonly read: number
  readonly message_id: string | null
  readonly subject: string | null
  readonly sender: string
  /** JSON array of strings, like the next four columns. */
  readonly recipients: string
  readonly cc: string
  readonly bcc: string
  readonly reply_to: string
  readonly delivered_to: string
  readonly has_attachment: number
  /** JSON of an {@link Authentication}. */
  readonly authentication: string | null
  readonly last_event: LastEvent | null
  readonly scheduled_at: number | null
  readonly topic_id: string | null
  /** JSON array of `{ name, value }`. */
  readonly tags: string | null
  /** JSON of fields that only the latest event's payload has, such as the bounce. */
  readonly event_details: string | null
  readonly template_id: string | null
}

export interface EmailContent {
  readonly text: string | null
  readonly html: string | null
  /** JSON object of all headers. */
  readonly headers: string
}

export interface AttachmentRow {
  readonly id: string
  readonly email_seq: number
  readonly position: number
  readonly filename: string | null
  readonly content_type: string
  readonly content_disposition: string | null
  readonly content_id: string | null
  readonly size: number
  readonly is_inline: number
  /** 1 if the thread's e-mail lists this file, which also makes `has_attachment` true. */
  readonly is_listed: number
}

export interface NewEmail {
  readonly id?: string
  readonly indexId?: string
  readonly direction: EmailDirection
  readonly inboxSeq: number | null
  readonly threadSeq: number | null
  readonly receivedAt: number
  readonly storedAt: number
  readonly read: boolean
  readonly messageId: string | null
  readonly subject: string | null
  readonly from: Mailbox | null
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly deliveredTo: readonly string[]
  readonly text: string | null
  readonly html: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly ParsedAttachment[]
  readonly inlineImages: InlineImageMode
  readonly raw: Uint8Array
  readonly authentication: Authentication | null
  readonly sent: {
    readonly lastEvent: LastEvent
    /** Milliseconds since 1970 of the next delivery event; `null` for none. */
    readonly nextEventAt: number | null
    readonly scheduledAt: number | null
    readonly topicId: string | null
    readonly tags: readonly { readonly name: string; readonly value: string }[]
    readonly templateId: string | null
  } | null
}

export type SearchableEmail = Pick<
  NewEmail,
  'from' | 'to' | 'cc' | 'bcc' | 'subject' | 'text' | 'html' | 'attachments' | 'inlineImages'
>

/**
 * A file is an attachment unless the HTML shows it; then the setting decides when the e-mail is stored. The contract
 * doesn't say what counts (platform.md 11.8). It lists such files as attachments of a received e-mail, so the default
 * counts them.
 * @param use `names` for `query`, `files` for `has_attachment` and the attachments of a thread's e-mails
 */
function isAttachment(isInline: boolean, inlineImages: InlineImageMode, use: 'names' | 'files'): boolean {
  return !isInline || inlineImages === 'counted' || (inlineImages === 'named' && use === 'names')
}

export function insertEmail(db: Database, email: NewEmail): EmailRow {
  const id = email.id ?? randomUUID()
  const list = (mailboxes: readonly Mailbox[]): string => JSON.stringify(mailboxes.map(formatMailbox))
  db.run(
    `INSERT INTO emails (id, index_id, direction, inbox_seq, thread_seq, received_at, stored_at, read, message_id, subject,
       sender, recipients, cc, bcc, reply_to, delivered_to, has_attachment, authentication, last_event, next_event_at,
       scheduled_at, topic_id, tags, template_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    email.indexId ?? randomUUID(),
    email.direction,
    email.inboxSeq,
    email.threadSeq,
    email.receivedAt,
    email.storedAt,
    Number(email.read),
    email.messageId,
    email.subject,
    email.from ? formatMailbox(email.from) : '',
    list(email.to),
    list(email.cc),
    list(email.bcc),
    list(email.replyTo),
    JSON.stringify(email.deliveredTo),
    Number(email.attachments.some(({ isInline }) => isAttachment(isInline, email.inlineImages, 'files'))),
    email.authentication && JSON.stringify(email.authentication),
    email.sent?.lastEvent ?? null,
    email.sent?.nextEventAt ?? null,
    email.sent?.scheduledAt ?? null,
    email.sent?.topicId ?? null,
    email.sent ? JSON.stringify(email.sent.tags) : null,
    email.sent?.templateId ?? null,
  )
  const row = findEmail(db, id)
  if (!row) throw new Error('An e-mail that was just stored is missing.')
  const raw = Buffer.from(email.raw.buffer, email.raw.byteOffset, email.raw.byteLength)
  db.run(
    'INSERT INTO email_contents (email_seq, text, html, headers, raw, raw_sha256) VALUES (?, ?, ?, ?, ?, ?)',
    row.seq,
    email.text,
    email.html,
    JSON.stringify(email.headers),
    raw,
    hashRawMessage(raw),
  )
  email.attachments.forEach((attachment, position) => {
    const isListed = isAttachment(attachment.isInline, email.inlineImages, 'files')
    insertAttachment(db, row.seq, { ...attachment, position, isListed })
  })
  if (email.inboxSeq !== null) indexEmail(db, row.seq, email)
  return row
}

function insertAttachment(
  db: Database,
  emailSeq: number,
  attachment: ParsedAttachment & { readonly position: number; readonly isListed: boolean },
): void {
  db.run(
    `INSERT INTO attachments (id, email_seq, position, filename, content_type, content_disposition, content_id, size,
       is_inline, is_listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    randomUUID(),
    emailSeq,
    attachment.position,
    attachment.filename,
    attachment.contentType,
    attachment.contentDisposition,
    attachment.contentId,
    attachment.size,
    Number(attachment.isInline),
    Number(attachment.isListed),
  )
}

/** The fields that `query` searches (platform.md 9.8). The body is the plain text plus the text of the HTML. */
export function indexEmail(db: Database, seq: number, email: SearchableEmail): void {
  const people = [...(email.from ? [email.from] : []), ...email.to, ...email.cc, ...email.bcc]
  const subject = email.subject ?? ''
  db.run(
    'INSERT INTO search_index (email_seq, sender, recipients, cc, bcc, subject_words, words) VALUES (?, ?, ?, ?, ?, ?, ?)',
    seq,
    peopleText(email.from ? [email.from] : []),
    peopleText(email.to),
    peopleText(email.cc),
    peopleText(email.bcc),
    buildIndexText([subject]),
    buildIndexText([
      subject,
      email.text ?? '',
      ...(email.html === null ? [] : [htmlToText(email.html)]),
      ...people.flatMap(({ name, address }) => [name, address]),
      ...email.attachments
        .filter(({ isInline }) => isAttachment(isInline, email.inlineImages, 'names'))
        .map(({ filename }) => filename ?? ''),
    ]),
  )
}

/** Lower-case names and addresses, one per line, matched by the filters `from`, `to`, `cc` and `bcc`. */
function peopleText(people: readonly Mailbox[]): string {
  return people.map(({ name, address }) => `${name}\n${address}`.toLowerCase()).join('\n')
}

export function hashRawMessage(raw: Uint8Array): Buffer {
  return createHash('sha256').update(raw).digest()
}

/** Finds an e-mail of either direction. */
export function findEmail(db: Database, id: string): EmailRow | undefined {
  return db.get<EmailRow>('SELECT * FROM emails WHERE id = ?', id)
}

/** Limited to one direction, so sent and received e-mails aren't confused. */
export function findEmailByDirection(db: Database, direction: EmailDirection, id: string): EmailRow | undefined {
  return db.get<EmailRow>('SELECT * FROM emails WHERE id = ? AND direction = ?', id, direction)
}

/** Finds an e-mail by its own ID, or by the ID from a search (platform.md 9.18). */
export function findThreadEmail(db: Database, threadSeq: number, id: string): EmailRow | undefined {
  return db.get<EmailRow>('SELECT * FROM emails WHERE thread_seq = ? AND (id = ? OR index_id = ?)', threadSeq, id, id)
}

/** Bodies and headers, which lists omit. */
export function loadEmailContent(db: Database, seq: number): EmailContent {
  const row = db.get<EmailContent>('SELECT text, html, headers FROM email_contents WHERE email_seq = ?', seq)
  if (!row) throw new Error('An e-mail without content.')
  return row
}

export function loadRawMessage(db: Database, seq: number): Buffer {
  const row = db.get<{ raw: Buffer }>('SELECT raw FROM email_contents WHERE email_seq = ?', seq)
  if (!row) throw new Error('An e-mail without content.')
  return row.raw
}

/** All attachments, including inline images, in the order of the raw message. */
export function loadAttachments(db: Database, emailSeq: number): readonly AttachmentRow[] {
  return db.all<AttachmentRow>('SELECT * FROM attachments WHERE email_seq = ? ORDER BY position', emailSeq)
}
