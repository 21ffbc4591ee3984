import { embedInlineImages } from '../endpoints/inline-images.ts'
import type { Platform } from '../platform.ts'
import type { Database, SqlValue } from '../storage/database.ts'
import { type EmailDirection, type EmailRow, loadAttachments, loadEmailContent, findEmail } from '../storage/emails.ts'
import { type ThreadRow, loadThreadLabels } from '../storage/threads.ts'
import { type SafeHtml, sanitizeHtml } from './sanitize-html.ts'

export interface MessageListFilter {
  readonly direction: EmailDirection | null
  readonly inboxId: string | null
  readonly limit: number
}

export function listMessages(db: Database, { direction, inboxId, limit }: MessageListFilter): object {
  const inboxes = db.all<{ seq: number; id: string; address: string }>(
    'SELECT seq, id, email_address AS address FROM inboxes ORDER BY seq',
  )
  const inbox = inboxId === null ? null : (inboxes.find(({ id }) => id === inboxId)?.seq ?? -1)
  const rows = (['inbound', 'outbound'] as const)
    .filter((each) => direction === null || direction === each)
    .flatMap((each) => newestEmails(db, each, inbox, limit + 1))
    .toSorted((a, b) => b.received_at - a.received_at || b.seq - a.seq)
  return {
    inboxes: inboxes.map(({ id, address }) => ({ id, address })),
    messages: rows.slice(0, limit).map(showMessage),
    has_more: rows.length > limit,
  }
}

/** One direction per query, so an index provides the order. */
function newestEmails(
  db: Database,
  direction: EmailDirection,
  inboxSeq: number | null,
  limit: number,
): readonly EmailRow[] {
  const values: SqlValue[] = [direction, ...(inboxSeq === null ? [] : [inboxSeq]), limit]
  return db.all<EmailRow>(
    `SELECT * FROM emails WHERE direction = ? ${inboxSeq === null ? '' : 'AND inbox_seq = ?'}
     ORDER BY received_at DESC, seq DESC LIMIT ?`,
    ...values,
  )
}

function showMessage(email: EmailRow) {
  return {
    id: email.id,
    direction: email.direction,
    from: email.sender,
    to: textsIn(email.recipients),
    subject: email.subject,
    time: email.received_at,
    has_attachment: email.has_attachment === 1,
    last_event: email.last_event,
  }
}

/** A message without its HTML, which is served separately; `null` if unknown. */
export async function findMessage(platform: Platform, id: string): Promise<object | null> {
  const { db } = platform
  const email = findEmail(db, id)
  if (!email) return null
  const content = loadEmailContent(db, email.seq)
  const html = await loadMessageHtml(platform, email)
  const size = db.get<{ size: number }>(
    'SELECT length(raw) AS size FROM email_contents WHERE email_seq = ?',
    email.seq,
  )?.size
  return {
    ...showMessage(email),
    cc: textsIn(email.cc),
    bcc: textsIn(email.bcc),
    reply_to: textsIn(email.reply_to),
    delivered_to: textsIn(email.delivered_to),
    has_html: html !== null,
    remote_images: html?.remoteImages ?? 0,
    text: content.text,
    headers: Object.entries(JSON.parse(content.headers) as Record<string, string>),
    attachments: loadAttachments(db, email.seq).map(({ id: file, filename, content_type, size: bytes }) => ({
      id: file,
      filename,
      content_type,
      size: bytes,
    })),
    size,
    thread: showThread(db, email),
  }
}

/** The message's thread, with the choices for changing it; `null` outside an inbox. */
function showThread(db: Database, { inbox_seq: inbox, thread_seq: seq }: EmailRow): object | null {
  const thread = db.get<ThreadRow & { readonly inbox_id: string }>(
    'SELECT threads.*, inboxes.id AS inbox_id FROM threads JOIN inboxes ON inboxes.seq = inbox_seq WHERE threads.seq = ?',
    seq,
  )
  if (!thread) return null
  const labels = db.all<{ id: string; name: string }>('SELECT id, name FROM labels WHERE inbox_seq = ?', inbox)
  const own = new Set(loadThreadLabels(db, thread.seq).map(({ id }) => id))
  return {
    id: thread.id,
    inbox_id: thread.inbox_id,
    folder: thread.folder,
    assignee: thread.assignee_email,
    labels: labels.map(({ id, name }) => ({ id, name, is_on: own.has(id) })),
  }
}

/** Sanitised HTML with the message's own images; `null` without HTML. */
export async function loadMessageHtml({ db }: Platform, email: EmailRow): Promise<SafeHtml | null> {
  const attachments = loadAttachments(db, email.seq)
  const { html } = await embedInlineImages(db, email, loadEmailContent(db, email.seq).html, attachments)
  return html === null ? null : sanitizeHtml(html)
}

function textsIn(json: string): readonly string[] {
  return JSON.parse(json) as readonly string[]
}
