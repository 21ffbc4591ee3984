import { randomUUID } from 'node:crypto'
import type { OutgoingAttachment } from '../mail/compose-message.ts'
import type { Database } from './database.ts'

export interface DraftRow {
  readonly seq: number
  readonly id: string
  readonly inbox_seq: number
  /** JSON array; `null` if there are no recipients, like `to` in the API. */
  readonly recipients: string | null
  readonly cc: string
  readonly bcc: string
  readonly subject: string | null
  readonly html: string | null
  readonly text: string | null
  readonly sent_at: number | null
  readonly created_at: number
  readonly updated_at: number
  /** IDs of the thread and e-mail being answered, and of the sent e-mail. */
  readonly thread_id: string | null
  readonly reply_to_email_id: string | null
  readonly email_id: string | null
}

export interface DraftAttachmentRow {
  readonly id: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
}

/** Every draft with the IDs it refers to. Callers may append a condition on `drafts`. */
export const SELECT_DRAFTS = `SELECT drafts.*, threads.id AS thread_id, answered.id AS reply_to_email_id, sent.id AS email_id
  FROM drafts LEFT JOIN threads ON threads.seq = drafts.thread_seq
    LEFT JOIN emails AS answered ON answered.seq = drafts.reply_to_email_seq
    LEFT JOIN emails AS sent ON sent.seq = drafts.sent_email_seq`

/** Lists are JSON arrays, as in `DraftRow`. */
export type DraftContent = Pick<DraftRow, 'recipients' | 'cc' | 'bcc' | 'subject' | 'html' | 'text'>

/** @param answers the e-mail being answered and its thread; `null` for a standalone draft. @returns the new ID */
export function insertDraft(
  db: Database,
  inboxSeq: number,
  content: DraftContent,
  answers: { readonly threadSeq: number; readonly emailSeq: number } | null,
  now: number,
): string {
  const id = randomUUID()
  db.run(
    `INSERT INTO drafts (id, inbox_seq, recipients, cc, bcc, subject, html, text, thread_seq, reply_to_email_seq, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    inboxSeq,
    content.recipients,
    content.cc,
    content.bcc,
    content.subject,
    content.html,
    content.text,
    answers?.threadSeq ?? null,
    answers?.emailSeq ?? null,
    now,
    now,
  )
  return id
}

export function updateDraft(db: Database, draftSeq: number, content: DraftContent, now: number): void {
  db.run(
    'UPDATE drafts SET recipients = ?, cc = ?, bcc = ?, subject = ?, html = ?, text = ?, updated_at = ? WHERE seq = ?',
    content.recipients,
    content.cc,
    content.bcc,
    content.subject,
    content.html,
    content.text,
    now,
    draftSeq,
  )
}

export function findDraft(db: Database, inboxSeq: number, id: string): DraftRow | undefined {
  return db.get<DraftRow>(`${SELECT_DRAFTS} WHERE drafts.id = ? AND drafts.inbox_seq = ?`, id, inboxSeq)
}

/** Attachment metadata for the API, without content. */
export function loadDraftAttachments(db: Database, draftSeq: number): readonly DraftAttachmentRow[] {
  return db.all<DraftAttachmentRow>(
    'SELECT id, filename, content_type, length(content) AS size FROM draft_attachments WHERE draft_seq = ? ORDER BY seq',
    draftSeq,
  )
}

/** Attachments with content, ready for sending. */
export function loadOutgoingAttachments(db: Database, draftSeq: number): readonly OutgoingAttachment[] {
  return db
    .all<{ filename: string; content_type: string; content: Buffer }>(
      'SELECT filename, content_type, content FROM draft_attachments WHERE draft_seq = ? ORDER BY seq',
      draftSeq,
    )
    .map(({ filename, content_type, content }) => ({ filename, contentType: content_type, content, contentId: null }))
}

/** `attachments` replaces all files (platform.md 14.7). */
export function replaceDraftAttachments(
  db: Database,
  draftSeq: number,
  attachments: readonly OutgoingAttachment[],
): void {
  db.run('DELETE FROM draft_attachments WHERE draft_seq = ?', draftSeq)
  for (const { filename, contentType, content } of attachments) {
    db.run(
      'INSERT INTO draft_attachments (id, draft_seq, filename, content_type, content) VALUES (?, ?, ?, ?, ?)',
      randomUUID(),
      draftSeq,
      filename,
      contentType,
      content,
    )
  }
}
