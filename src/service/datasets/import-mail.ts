import { mailboxKey } from '../mail/addresses.ts'
import { deliver } from '../mail/deliver.ts'
import { parseMessage } from '../mail/parse-message.ts'
import { storeSent } from '../mail/send.ts'
import type { Platform } from '../platform.ts'
import { rawHash } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { addLabel, labelColor, LABEL_LIMITS } from '../storage/labels.ts'
import { addThreadLabel, purgeTime, setFolder } from '../storage/threads.ts'
import { messagesAt } from './messages-at.ts'
import type { StoredMessage } from './stored-message.ts'

export interface ImportCounts {
  readonly stored: number
  /** Messages that the inbox holds already: byte for byte, or, where they were rebuilt, by their Message-ID. */
  readonly known: number
}

/**
 * Loads existing mail into an inbox: an mbox file, a zip archive of messages (`.eml`), the JSON lines of an export of
 * Linnet's, a single message, or a folder of any of them (Maildir included). Times are the messages' own dates. What the
 * inbox's own address wrote is sent mail, everything else was received. Folders, labels and what was read are put back
 * where the file tells of them.
 *
 * @throws Error that names the path when it cannot be read
 */
export async function importMail(platform: Platform, inbox: InboxRow, path: string): Promise<ImportCounts> {
  let counts: ImportCounts = { stored: 0, known: 0 }
  for await (const message of messagesAt(path)) {
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
    rawHash(raw),
    inbox.seq,
  )
  if (known) return false
  const message = await parseMessage(raw)
  if (stored.isRebuilt) {
    // Put together anew, a message has not the bytes that it had.
    const same = 'SELECT 1 FROM emails WHERE inbox_seq = ? AND message_id = ?'
    if (db.get(same, inbox.seq, message.messageId)) return false
  }
  const isOwn = message.from !== null && mailboxKey(message.from.address) === mailboxKey(inbox.email_address)
  const isSent = direction === null ? isOwn : direction === 'outbound'
  const mail = {
    raw,
    message,
    envelopeFrom: message.from?.address ?? '',
    envelopeTo: isSent
      ? [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address)
      : [inbox.email_address],
    receivedAt: stored.at ?? message.date ?? platform.now(),
    // Mail programs note a read message as `R` in this header of an mbox.
    read: isSeen || (message.headers.status?.includes('R') ?? false),
  }
  db.transaction(() => {
    const emails = isSent ? [storeSent(platform, inbox.seq, mail)] : deliver(platform, mail)
    const thread = emails.find(({ inbox_seq }) => inbox_seq === inbox.seq)?.thread_seq ?? null
    if (thread !== null) putBack(platform, inbox, thread, stored)
  })
  return true
}

/** Puts a thread where it lay, with the labels that it had. What lay in `sent` is there by itself. */
function putBack(platform: Platform, inbox: InboxRow, thread: number, { folder, labels }: StoredMessage): void {
  const { db } = platform
  if (folder !== null && folder !== 'sent') setFolder(db, thread, folder, purgeTime(folder, platform.now()))
  for (const name of labels) {
    const label = labelOf(platform, inbox, name)
    if (label !== null) addThreadLabel(db, thread, label)
  }
}

/** The label of a name, which is made where the inbox has none; null where it can have no more, or no such name. */
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
  const id = addLabel(db, inbox, { name, color: labelColor(labels.length) }, now())
  return db.get<{ readonly seq: number }>('SELECT seq FROM labels WHERE id = ?', id)?.seq ?? null
}
