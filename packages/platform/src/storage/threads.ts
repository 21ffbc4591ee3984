import { randomUUID } from 'node:crypto'
import { toBaseSubject } from '../mail/subjects.ts'
import type { Database } from './database.ts'

/** Each thread is in exactly one (platform.md 7.1). */
export const folders = ['inbox', 'archive', 'spam', 'sent', 'trash'] as const
export type Folder = (typeof folders)[number]

export interface ThreadRow {
  readonly seq: number
  readonly id: string
  readonly inbox_seq: number
  readonly folder: Folder
  readonly purge_at: number | null
  readonly subject: string | null
  readonly latest_email_seq: number
  readonly received_at: number
  readonly email_count: number
  readonly unread_count: number
  readonly outbound_count: number
  /** The dashboard's assignee. */
  readonly assignee_email: string | null
  readonly assigned_by_email: string | null
}

export interface LabelRow {
  readonly seq: number
  readonly id: string
  readonly name: string
  readonly color: string
  readonly created_at: number
}

/** Inserts a thread without e-mails: call {@link refreshThread} after adding the first. @returns its seq */
export function insertThread(
  db: Database,
  thread: { readonly id?: string; readonly inboxSeq: number; readonly folder: Folder; readonly subject: string | null },
): number {
  const id = thread.id ?? randomUUID()
  db.run(
    'INSERT INTO threads (id, inbox_seq, folder, subject, base_subject) VALUES (?, ?, ?, ?, ?)',
    id,
    thread.inboxSeq,
    thread.folder,
    thread.subject,
    toBaseSubject(thread.subject),
  )
  const row = db.get<{ seq: number }>('SELECT seq FROM threads WHERE id = ?', id)
  if (!row) throw new Error('A thread that was just stored is missing.')
  return row.seq
}

export function findThread(db: Database, inboxSeq: number, id: string): ThreadRow | undefined {
  return db.get<ThreadRow>('SELECT * FROM threads WHERE id = ? AND inbox_seq = ?', id, inboxSeq)
}

/** Recomputes a thread's order, counts and read state from its e-mails. */
export function refreshThread(db: Database, threadSeq: number): void {
  db.run(
    `UPDATE threads SET (received_at, email_count, unread_count, outbound_count) = (
       SELECT max(received_at), count(*), count(*) FILTER (WHERE read = 0), count(*) FILTER (WHERE direction = 'outbound')
       FROM emails WHERE thread_seq = threads.seq
     ), latest_email_seq = (
       SELECT seq FROM emails WHERE thread_seq = threads.seq ORDER BY received_at DESC, seq DESC LIMIT 1
     ) WHERE seq = ?`,
    threadSeq,
  )
}

const timeInTrash = 30 * 24 * 60 * 60 * 1000

/**
 * A thread in the trash is deleted after 30 days (platform.md 7.3). @returns the deletion time, or `null` outside the
 * trash
 */
export function purgeTime(folder: Folder, now: number): number | null {
  return folder === 'trash' ? now + timeInTrash : null
}

/**
 * Callers can't choose `sent`. A thread with only outbound e-mails goes to `sent` instead of `inbox`, which requires a
 * received message (platform.md 7.1). Only `trash` sets a deadline, and leaving it clears the deadline
 * (platform.md 7.3).
 */
export function moveThread(db: Database, thread: ThreadRow, to: Exclude<Folder, 'sent'>, now: number): void {
  const allOutbound = thread.outbound_count === thread.email_count
  const folder: Folder = to === 'inbox' && allOutbound ? 'sent' : to
  if (folder === thread.folder) return
  setThreadFolder(db, thread.seq, folder, purgeTime(folder, now))
}

/** Moves a thread without checking the folder rules. @param purgeAt milliseconds since 1970, `null` for never */
export function setThreadFolder(db: Database, threadSeq: number, folder: Folder, purgeAt: number | null): void {
  db.run('UPDATE threads SET folder = ?, purge_at = ? WHERE seq = ?', folder, purgeAt, threadSeq)
}

/** @param assignee `null` to unassign */
export function assignThread(db: Database, threadSeq: number, assignee: string | null, by: string | null): void {
  db.run(
    'UPDATE threads SET assignee_email = ?, assigned_by_email = ? WHERE seq = ?',
    assignee,
    assignee === null ? null : by,
    threadSeq,
  )
}

/** Marks every e-mail of the thread (platform.md 7.4 and 8.7). */
export function setThreadRead(db: Database, threadSeq: number, read: boolean): void {
  db.run('UPDATE emails SET read = ? WHERE thread_seq = ?', Number(read), threadSeq)
  refreshThread(db, threadSeq)
}

/** The thread's labels in order of creation. */
export function loadThreadLabels(db: Database, threadSeq: number): readonly LabelRow[] {
  return db.all<LabelRow>(
    `SELECT labels.* FROM thread_labels JOIN labels ON labels.seq = thread_labels.label_seq
     WHERE thread_labels.thread_seq = ? ORDER BY labels.seq`,
    threadSeq,
  )
}

export function findLabel(db: Database, inboxSeq: number, id: string): LabelRow | undefined {
  return db.get<LabelRow>('SELECT * FROM labels WHERE id = ? AND inbox_seq = ?', id, inboxSeq)
}

/** Does nothing if the thread already has the label. */
export function addThreadLabel(db: Database, threadSeq: number, labelSeq: number): void {
  db.run('INSERT OR IGNORE INTO thread_labels (thread_seq, label_seq) VALUES (?, ?)', threadSeq, labelSeq)
}
