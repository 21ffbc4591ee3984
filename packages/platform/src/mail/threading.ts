import type { Database } from '../storage/database.ts'
import type { Mailbox } from './addresses.ts'
import { toBaseSubject, isReplySubject } from './subjects.ts'

export interface ThreadingFields {
  readonly messageId: string | null
  /** Closest first. */
  readonly references: readonly string[]
  readonly subject: string | null
  readonly from: Mailbox | null
  /** Milliseconds since 1970. */
  readonly receivedAt: number
}

/**
 * Finds the thread of a message in an inbox. @returns its seq, or `null` for a new thread
 * 1. The thread that knows its closest reference, even to a message never seen here, so that two replies to an unknown
 * message share a thread.
 * 2. The thread that refers to the message itself, if the reply came first.
 * 3. For programs that drop references: if it has a reply subject, a thread with that subject and its sender that was
 * active within 30 days.
 */
export function findThread(db: Database, inboxSeq: number, message: ThreadingFields): number | null {
  for (const id of [...message.references, ...(message.messageId === null ? [] : [message.messageId])]) {
    const thread = threadReferring(db, inboxSeq, id)
    if (thread !== null) return thread
  }
  return threadBySubject(db, inboxSeq, message)
}

function threadReferring(db: Database, inboxSeq: number, messageId: string): number | null {
  const row = db.get<{ seq: number }>(
    'SELECT max(thread_seq) AS seq FROM thread_references WHERE inbox_seq = ? AND message_id = ? HAVING count(*) > 0',
    inboxSeq,
    messageId,
  )
  return row?.seq ?? null
}

const subjectWindow = 30 * 24 * 60 * 60 * 1000

function threadBySubject(db: Database, inboxSeq: number, message: ThreadingFields): number | null {
  const subject = toBaseSubject(message.subject)
  if (subject === '' || message.from === null || !isReplySubject(message.subject)) return null
  const row = db.get<{ seq: number }>(
    `SELECT threads.seq FROM threads
     WHERE inbox_seq = ? AND base_subject = ? AND abs(threads.received_at - ?) < ?
       AND EXISTS (
         SELECT 1 FROM emails JOIN search_index AS people ON people.email_seq = emails.seq WHERE thread_seq = threads.seq
           AND instr(
             char(10) || people.sender || char(10) || people.recipients || char(10) || people.cc || char(10),
             char(10) || ? || char(10)
           )
       )
     ORDER BY threads.received_at DESC LIMIT 1`,
    inboxSeq,
    subject,
    message.receivedAt,
    subjectWindow,
    message.from.address.toLowerCase(),
  )
  return row?.seq ?? null
}

/** Lets later messages find the thread by any Message-ID in this one. */
export function rememberReferences(
  db: Database,
  inboxSeq: number,
  threadSeq: number,
  message: Pick<ThreadingFields, 'messageId' | 'references'>,
): void {
  for (const id of [...message.references, ...(message.messageId === null ? [] : [message.messageId])]) {
    db.run(
      'INSERT OR IGNORE INTO thread_references (inbox_seq, message_id, thread_seq) VALUES (?, ?, ?)',
      inboxSeq,
      id,
      threadSeq,
    )
  }
}
