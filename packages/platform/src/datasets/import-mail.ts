import { toMailboxKey } from '../mail/addresses.ts'
import { deliver } from '../mail/deliver.ts'
import { parseMessage } from '../mail/parse-message.ts'
import { storeSentEmail } from '../mail/send.ts'
import type { Platform } from '../platform.ts'
import { hashRawMessage } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { addLabel, pickLabelColor, LABEL_LIMITS } from '../storage/labels.ts'
import { addThreadLabel, purgeTime, setThreadFolder } from '../storage/threads.ts'
import { readMessages, type StoredMessage } from './read-messages.ts'

export interface ImportCounts {
  readonly stored: number
  /** Messages already in the inbox: identical bytes, or, for rebuilt messages, the same Message-ID. */
  readonly known: number
}

/**
 * Imports an mbox file, a zip archive of `.eml` files, Linnet's JSON lines, a single message, or a folder of these
 * (Maildir included). Date headers give the times, and mail from the inbox's own address counts as sent. Restores
 * folders, labels and read state if the file has them. @throws Error with the path if it is unreadable
 */
export async function importMail(platform: Platform, inbox: InboxRow, path: string): Promise<ImportCounts> {
  let counts: ImportCounts = { stored: 0, known: 0 }
  for await (const message of readMessages(path)) {
    const isNew = await importMessage(platform, inbox, message)
    counts = isNew ? { ...counts, stored: counts.stored + 1 } : { ...counts, known: counts.known + 1 }
  }
  return counts
}

async function importMessage(platform: Platform, inbox: InboxRow, stored: StoredMessage): Promise<boolean> {
  const { raw, isSeen, direction } = stored
  const { db } = platform
  const known = db.get(
    'SELECT 1 FROM email_contents JOIN emails ON seq = email_seq WHERE raw_sha256 = ? AND inbox_seq = ?',
    hashRawMessage(raw),
    inbox.seq,
  )
  if (known) return false
  const message = await parseMessage(raw)
  if (stored.isRebuilt) {
    // A rebuilt message differs in its bytes.
    const same = 'SELECT 1 FROM emails WHERE inbox_seq = ? AND message_id = ?'
    if (db.get(same, inbox.seq, message.messageId)) return false
  }
  const isOwn = message.from !== null && toMailboxKey(message.from.address) === toMailboxKey(inbox.email_address)
  const isSent = direction === null ? isOwn : direction === 'outbound'
  const mail = {
    raw,
    message,
    envelopeFrom: message.from?.address ?? '',
    envelopeTo: isSent
      ? [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address)
      : [inbox.email_address],
    receivedAt: stored.at ?? message.date ?? platform.now(),
    // Mail programs mark read messages with `R` in this mbox header.
    read: isSeen || (message.headers.status?.includes('R') ?? false),
  }
  db.transaction(() => {
    const emails = isSent ? [storeSentEmail(platform, inbox.seq, mail)] : deliver(platform, mail)
    const thread = emails.find(({ inbox_seq }) => inbox_seq === inbox.seq)?.thread_seq ?? null
    if (thread !== null) restoreFolderAndLabels(platform, inbox, thread, stored)
  })
  return true
}

/** Restores a thread's folder and labels. Sent threads are already in place. */
function restoreFolderAndLabels(
  platform: Platform,
  inbox: InboxRow,
  thread: number,
  { folder, labels }: StoredMessage,
): void {
  const { db } = platform
  if (folder !== null && folder !== 'sent') setThreadFolder(db, thread, folder, purgeTime(folder, platform.now()))
  for (const name of labels) {
    const label = labelOf(platform, inbox, name)
    if (label !== null) addThreadLabel(db, thread, label)
  }
}

/** Finds or creates a label. Null if the inbox is at its limit or the name is invalid. */
function labelOf({ db, now }: Platform, inbox: InboxRow, typed: string): number | null {
  const name = typed.trim()
  if (name === '' || name.length > LABEL_LIMITS.characters) return null
  const labels = db.all<{ readonly seq: number; readonly name: string }>(
    'SELECT seq, name FROM labels WHERE inbox_seq = ?',
    inbox.seq,
  )
  const known = labels.find((label) => label.name.toLowerCase() === name.toLowerCase())
  if (known !== undefined) return known.seq
  if (labels.length >= LABEL_LIMITS.labels) return null
  const id = addLabel(db, inbox, { name, color: pickLabelColor(labels.length) }, now())
  return db.get<{ readonly seq: number }>('SELECT seq FROM labels WHERE id = ?', id)?.seq ?? null
}
