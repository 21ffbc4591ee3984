import { open, readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { unzipSync } from 'fflate'
import MailComposer from 'nodemailer/lib/mail-composer'
import { z } from 'zod'
import type { Folder } from '../storage/threads.ts'
import { linesOf } from './lines-of.ts'
import { folderNamed, readMailboxLabels } from './mailbox-labels.ts'
import { plainMessage, type StoredMessage } from './stored-message.ts'

/** A line of an export of Linnet's (docs/export.md, "JSON lines, version 1"), as far as an import takes it. */
const lineSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  thread_id: z.string().nullable(),
  folder: z.string().nullable(),
  labels: z.array(z.string()),
  read: z.boolean().nullable(),
  direction: z.enum(['inbound', 'outbound']),
  date: z.iso.datetime(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  reply_to: z.array(z.string()),
  subject: z.string().nullable(),
  message_id: z.string().nullable(),
  text: z.string().nullable(),
  html: z.string().nullable(),
  attachments: z.array(
    z.object({
      filename: z.string().nullable(),
      content_type: z.string().nullable(),
      content_id: z.string().nullable(),
      content: z.base64().nullable(),
    }),
  ),
})
type Line = z.infer<typeof lineSchema>

function isJsonLines(path: string): boolean {
  return extname(path).toLowerCase() === '.jsonl'
}

/** With angle brackets; one that has none gets one of its own, the same each time. */
function messageIdOf({ message_id, id }: Line): string {
  const bare = (message_id ?? '').replace(/[\s<>]+/g, '')
  return `<${bare === '' ? `${id.replace(/[^\w.-]+/g, '-')}@exported.linnet.invalid` : bare}>`
}

/**
 * Writes the message (RFC 5322) that a line is of. The same line makes the same bytes.
 * @param earlier Message-IDs of its thread, oldest first: by them it joins that
 */
async function composeLine(line: Line, earlier: readonly string[]): Promise<Buffer> {
  const { id, from, to, cc, bcc, reply_to: replyTo, subject, text, html, date, attachments } = line
  const inReplyTo = earlier.at(-1)
  const composer = new MailComposer({
    ...{ from, to, cc, bcc, replyTo, subject: subject ?? '', messageId: messageIdOf(line), date: new Date(date) },
    newline: 'win',
    // What is in the file is content, never a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(inReplyTo !== undefined && { inReplyTo, references: [...earlier] }),
    ...(text !== null && text !== '' && { text }),
    ...(html !== null && html !== '' && { html }),
    attachments: attachments.flatMap(({ filename, content_type, content_id, content }) =>
      content === null
        ? []
        : [
            {
              filename: filename ?? false,
              // A message within the message keeps its bytes as they are only where they are encoded.
              contentType: /^message\//i.test(content_type ?? '')
                ? 'application/octet-stream'
                : (content_type ?? 'application/octet-stream'),
              content: Buffer.from(content, 'base64'),
              contentTransferEncoding: 'base64' as const,
              ...(content_id !== null && { cid: content_id.replace(/[<>\s]/g, '') }),
            },
          ],
    ),
  })
  const message = composer.compile()
  // Its Bcc tells whom a sent message went to in secret.
  message.keepBcc = true
  message.baseBoundary = id.replace(/[^\w-]+/g, '').slice(0, 40)
  return message.build()
}

function readLine(text: string, path: string, number: number): Line {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // Said below.
  }
  const read = lineSchema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = value === null ? '' : ` (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`
  throw new Error(`${path}, line ${number}: this is no e-mail of an export of Linnet's${where}.`)
}

/** The most Message-IDs of a thread that a message of it names. */
const mostReferences = 20

/** The messages of the JSON lines of an export, put together anew. @throws Error that names the path and the line */
async function* jsonMessages(path: string): AsyncGenerator<StoredMessage> {
  const threads = new Map<string, string[]>()
  let number = 0
  for await (const bytes of linesOf(path)) {
    number += 1
    if (bytes.trim() === '') continue
    const line = readLine(Buffer.from(bytes, 'latin1').toString('utf8'), path, number)
    const earlier = line.thread_id === null ? [] : (threads.get(line.thread_id) ?? [])
    const raw = await composeLine(line, earlier)
    if (line.thread_id !== null) {
      threads.set(line.thread_id, [...earlier, messageIdOf(line)].slice(-mostReferences))
    }
    yield {
      ...plainMessage(raw),
      isSeen: line.read === true,
      folder: line.folder === null ? null : folderNamed(line.folder),
      ...{ labels: line.labels, direction: line.direction, at: Date.parse(line.date), isRebuilt: true },
    }
  }
}

/**
 * Every message at a path: a file, or a folder of files.
 * @param around the folder of mail that the file lies in, as far as it belongs to what is imported
 * @throws Error that names the path when it cannot be read
 */
export async function* messagesAt(path: string, around: Folder | null = null): AsyncGenerator<StoredMessage> {
  if ((await stat(path)).isDirectory()) {
    for (const entry of (await readdir(path)).toSorted()) {
      const inner = join(path, entry)
      if ((await stat(inner)).isDirectory()) yield* messagesAt(inner, folderNamed(entry))
      else if (isMailFile(inner)) yield* messagesAt(inner, around)
    }
  } else if (isJsonLines(path)) yield* jsonMessages(path)
  else if (extname(path).toLowerCase() === '.zip') yield* zippedMessages(await readFile(path))
  else if (await isMbox(path)) yield* mboxMessages(path)
  // A Maildir ends a file's name with its flags; S is for seen.
  else yield { ...plainMessage(await readFile(path)), isSeen: /:2,[A-Z]*S/.test(basename(path)), folder: around }
}

/** The messages in an archive, which is held in memory. */
function* zippedMessages(archive: Buffer): Generator<StoredMessage> {
  const files = unzipSync(archive, { filter: ({ name }) => extname(name).toLowerCase() === '.eml' })
  for (const [name, bytes] of Object.entries(files)) {
    // An export of Linnet's has a folder for each folder of mail.
    yield { ...plainMessage(Buffer.from(bytes)), folder: folderNamed(name.split('/').at(-2) ?? '') }
  }
}

/** In a folder: by the file's name, or because it lies where a Maildir keeps its messages. */
function isMailFile(path: string): boolean {
  return (
    ['.eml', '.mbox', '.zip', '.jsonl'].includes(extname(path).toLowerCase()) ||
    ['cur', 'new'].includes(basename(dirname(path)))
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
  const headers: string[] = []
  while (ofMailbox.test(lines[start] ?? '')) {
    let header = lines[start] ?? ''
    start += 1
    for (; /^[ \t]/.test(lines[start] ?? ''); start += 1) header += lines[start] ?? ''
    headers.push(header)
  }
  const own = lines.slice(start, lines.at(-1) === '' ? -1 : lines.length)
  const raw = Buffer.from(own.map((line) => `${line}\r\n`).join(''), 'latin1')
  const said = headers.find((header) => /^x-gmail-labels:/i.test(header))
  const place = said === undefined ? {} : readMailboxLabels(said.slice(said.indexOf(':') + 1))
  return { ...plainMessage(raw), isSeen: headers.some((header) => /^status:.*R/i.test(header)), ...place }
}
