import { createReadStream } from 'node:fs'
import { open, readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { mailboxKey } from '../mail/addresses.ts'
import { deliver } from '../mail/deliver.ts'
import { parseMessage } from '../mail/parse-message.ts'
import { storeSent } from '../mail/send.ts'
import type { Platform } from '../platform.ts'
import { rawHash } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'

export interface ImportCounts {
  readonly stored: number
  /** Messages that the inbox holds already, byte for byte. */
  readonly known: number
}

/**
 * Loads existing mail into an inbox: an mbox file, a zip archive of messages (`.eml`), a single message, or a folder of any
 * of them (Maildir included). Times are the messages' own dates. What the inbox's own address wrote is sent mail,
 * everything else was received.
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

/** A message as it lies on the disk. */
interface StoredMessage {
  readonly raw: Buffer
  /** Its file's name says that it was read. */
  readonly isSeen: boolean
}

async function importMessage(platform: Platform, inbox: InboxRow, { raw, isSeen }: StoredMessage): Promise<boolean> {
  const { db } = platform
  const known = db.get(
    'SELECT 1 FROM email_contents JOIN emails ON seq = email_seq WHERE raw_sha256 = ? AND inbox_seq = ?',
    rawHash(raw),
    inbox.seq,
  )
  if (known) return false
  const message = await parseMessage(raw)
  const isSent = message.from !== null && mailboxKey(message.from.address) === mailboxKey(inbox.email_address)
  const mail = {
    raw,
    message,
    envelopeFrom: message.from?.address ?? '',
    envelopeTo: isSent
      ? [...message.to, ...message.cc, ...message.bcc].map(({ address }) => address)
      : [inbox.email_address],
    receivedAt: message.date ?? platform.now(),
    // Mail programs note a read message as `R` in this header of an mbox.
    read: isSeen || (message.headers.status?.includes('R') ?? false),
  }
  db.transaction(() => {
    if (isSent) storeSent(platform, inbox.seq, mail)
    else deliver(platform, mail)
  })
  return true
}

/** Every message at a path. */
async function* messagesAt(path: string): AsyncGenerator<StoredMessage> {
  if ((await stat(path)).isDirectory()) {
    for (const entry of (await readdir(path)).toSorted()) {
      const inner = join(path, entry)
      if ((await stat(inner)).isDirectory() || isMailFile(inner)) yield* messagesAt(inner)
    }
  } else if (extname(path).toLowerCase() === '.zip') yield* zippedMessages(await readFile(path))
  else if (await isMbox(path)) yield* mboxMessages(path)
  // A Maildir ends a file's name with its flags; S is for seen.
  else yield { raw: await readFile(path), isSeen: /:2,[A-Z]*S/.test(basename(path)) }
}

/** The messages in an archive, which is held in memory. */
function* zippedMessages(archive: Buffer): Generator<StoredMessage> {
  const files = unzipSync(archive, { filter: ({ name }) => extname(name).toLowerCase() === '.eml' })
  for (const bytes of Object.values(files)) yield { raw: Buffer.from(bytes), isSeen: false }
}

/** In a folder: by the file's name, or because it lies where a Maildir keeps its messages. */
function isMailFile(path: string): boolean {
  return (
    ['.eml', '.mbox', '.zip'].includes(extname(path).toLowerCase()) || ['cur', 'new'].includes(basename(dirname(path)))
  )
}

/**
 * A line that parts the messages of an mbox (RFC 4155): `From `, who sent it, and when, as `asctime` writes it. `From `
 * alone is how a sentence may begin, and a header of old mail (`From : ann@example.com`).
 */
function isSeparator(line: string): boolean {
  return line.length < 1000 && /^From +\S.*\b\d{1,2}:\d\d(?::\d\d)?\b.*\b\d{4}\b/.test(line)
}

/** A line of a header: what follows a separator. */
function isHeader(line: string): boolean {
  return /^[!-9;-~]{1,100}[ \t]*:/.test(line)
}

/** Enough for a separator and the header after it. */
const headBytes = 4096

async function isMbox(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const [first = '', second = ''] = buffer.toString('latin1', 0, bytesRead).split(/\r?\n/, 2)
    return isSeparator(first) && isHeader(second)
  } finally {
    await file.close()
  }
}

/** The lines of a file, which end in LF or CRLF: a carriage return within a line is a character like others. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  // Latin-1 keeps every byte as it is.
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('').replace(/\r$/, '')
      begun = [next]
    }
  }
  const last = begun.join('')
  if (last !== '') yield last.replace(/\r$/, '')
}

/**
 * What a program that keeps an mbox puts before a message's own headers: whether it was read, and where it lay (Google's
 * export has the latter, as Linnet's has). None of it was sent.
 */
const ofMailbox = /^(?:status|x-status|x-gmail-labels):/i

/** Splits an mbox (RFC 4155, with the `>From ` quoting of mboxrd undone) without holding the file in memory. */
async function* mboxMessages(path: string): AsyncGenerator<StoredMessage> {
  const lines = linesOf(path)
  let message: string[] | null = null
  /** A line that parts messages if a header follows it. */
  let separator: string | null = null
  let afterBlank = true
  for await (const line of lines) {
    if (separator !== null) {
      if (isHeader(line)) {
        if (message) yield storedMessage(message)
        message = []
      } else message?.push(separator)
      separator = null
    }
    if (afterBlank && isSeparator(line)) separator = line
    else message?.push(/^>+From /.test(line) ? line.slice(1) : line)
    afterBlank = line === ''
  }
  if (separator !== null) message?.push(separator)
  if (message) yield storedMessage(message)
}

/** @param lines with the blank line before the next message's separator, which is not the message's own */
function storedMessage(lines: readonly string[]): StoredMessage {
  let start = 0
  let isSeen = false
  while (ofMailbox.test(lines[start] ?? '')) {
    isSeen ||= /^status:.*R/i.test(lines[start] ?? '')
    start += 1
    while (/^[ \t]/.test(lines[start] ?? '')) start += 1
  }
  const own = lines.slice(start, lines.at(-1) === '' ? -1 : lines.length)
  return { raw: Buffer.from(own.map((line) => `${line}\r\n`).join(''), 'latin1'), isSeen }
}
