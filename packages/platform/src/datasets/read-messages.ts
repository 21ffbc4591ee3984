import { open, readFile, readdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { unzipSync } from 'fflate'
import MailComposer from 'nodemailer/lib/mail-composer'
import { z } from 'zod'
import { type Folder, folders } from '../storage/threads.ts'
import { createReadStream } from 'node:fs'
import { decodeWords } from 'postal-mime'

export interface StoredMessage {
  readonly raw: Buffer
  readonly isSeen: boolean
  readonly folder: Folder | null
  readonly labels: readonly string[]
  /** Null to derive it from the sender. */
  readonly direction: 'inbound' | 'outbound' | null
  /** Milliseconds since 1970; null to use the Date header. */
  readonly at: number | null
  /** True if composed from an export, so the bytes aren't the original ones. */
  readonly isRebuilt: boolean
}

const createStoredMessage = (raw: Buffer): StoredMessage => ({
  raw,
  isSeen: false,
  folder: null,
  labels: [],
  direction: null,
  at: null,
  isRebuilt: false,
})

/** Folder by name, ignoring case. Google's export calls the archive `Archived`. */
function parseFolderName(name: string): Folder | null {
  const wanted = name.toLowerCase()
  return wanted === 'archived' ? 'archive' : (folders.find((folder) => folder === wanted) ?? null)
}

/** Read states among the labels of Google's export. */
const states = new Set(['unread', 'opened'])

/** Splits a value of `X-Gmail-Labels` at commas outside quotes. */
function namesIn(value: string): readonly string[] {
  const text = decodeWords(value.trim())
  return (text.match(/"[^"]*"|[^,"]+/g) ?? []).map((name) => name.replace(/^"|"$/g, '').trim()).filter(Boolean)
}

/**
 * Reads an unfolded `X-Gmail-Labels` header, as in Google's and Linnet's exports. The first folder name is where the
 * message was; the others are labels.
 */
function parseMailboxLabels(value: string): {
  readonly folder: Folder | null
  readonly labels: readonly string[]
} {
  const names = namesIn(value)
  const at = names.findIndex((name) => parseFolderName(name) !== null)
  return {
    folder: at === -1 ? null : parseFolderName(names[at] ?? ''),
    labels: names.filter((name, index) => index !== at && !states.has(name.toLowerCase())),
  }
}

/** Lines that end in LF or CRLF; a lone CR is an ordinary character. @returns Latin-1, one character per byte */
async function* readLines(path: string): AsyncGenerator<string> {
  let begun: string[] = []
  // Latin-1 preserves every byte.
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

/** A line of Linnet's export (docs/export.md, "JSON lines, version 1"): the fields that an import uses. */
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

/** With angle brackets. A line without a Message-ID gets a stable generated one. */
function messageIdOf({ message_id, id }: Line): string {
  const bare = (message_id ?? '').replace(/[\s<>]+/g, '')
  return `<${bare === '' ? `${id.replace(/[^\w.-]+/g, '-')}@exported.linnet.invalid` : bare}>`
}

/**
 * Composes an RFC 5322 message; the same line always gives the same bytes. @param earlier Message-IDs of the thread,
 * oldest first
 */
async function composeLine(line: Line, earlier: readonly string[]): Promise<Buffer> {
  const { id, from, to, cc, bcc, reply_to: replyTo, subject, text, html, date, attachments } = line
  const inReplyTo = earlier.at(-1)
  const composer = new MailComposer({
    ...{ from, to, cc, bcc, replyTo, subject: subject ?? '', messageId: messageIdOf(line), date: new Date(date) },
    newline: 'win',
    // Content in the file is never a path or URL to read.
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
              // An attached message keeps its exact bytes only when encoded.
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
  // Keep Bcc: in a sent message, it records the hidden recipients.
  message.keepBcc = true
  message.baseBoundary = id.replace(/[^\w-]+/g, '').slice(0, 40)
  return message.build()
}

function parseLine(text: string, path: string, number: number): Line {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // Reported below.
  }
  const read = lineSchema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const where = value === null ? '' : ` (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''})`
  throw new Error(`${path}, line ${number}: this is no e-mail of an export of Linnet's${where}.`)
}

const maxReferences = 20

/** Rebuilds the messages of an export's JSON lines. @throws Error with path and line number */
async function* jsonMessages(path: string): AsyncGenerator<StoredMessage> {
  const threads = new Map<string, string[]>()
  let number = 0
  for await (const bytes of readLines(path)) {
    number += 1
    if (bytes.trim() === '') continue
    const line = parseLine(Buffer.from(bytes, 'latin1').toString('utf8'), path, number)
    const earlier = line.thread_id === null ? [] : (threads.get(line.thread_id) ?? [])
    const raw = await composeLine(line, earlier)
    if (line.thread_id !== null) {
      threads.set(line.thread_id, [...earlier, messageIdOf(line)].slice(-maxReferences))
    }
    yield {
      ...createStoredMessage(raw),
      isSeen: line.read === true,
      folder: line.folder === null ? null : parseFolderName(line.folder),
      ...{ labels: line.labels, direction: line.direction, at: Date.parse(line.date), isRebuilt: true },
    }
  }
}

/** @param around mail folder named by the imported directory @throws Error with the path if it is unreadable */
export async function* readMessages(path: string, around: Folder | null = null): AsyncGenerator<StoredMessage> {
  if ((await stat(path)).isDirectory()) {
    for (const entry of (await readdir(path)).toSorted()) {
      const inner = join(path, entry)
      if ((await stat(inner)).isDirectory()) yield* readMessages(inner, parseFolderName(entry))
      else if (isMailFile(inner)) yield* readMessages(inner, around)
    }
  } else if (isJsonLines(path)) yield* jsonMessages(path)
  else if (extname(path).toLowerCase() === '.zip') yield* zippedMessages(await readFile(path))
  else if (await isMbox(path)) yield* mboxMessages(path)
  // Maildir file names end in flags; S means seen.
  else yield { ...createStoredMessage(await readFile(path)), isSeen: /:2,[A-Z]*S/.test(basename(path)), folder: around }
}

function* zippedMessages(archive: Buffer): Generator<StoredMessage> {
  const files = unzipSync(archive, { filter: ({ name }) => extname(name).toLowerCase() === '.eml' })
  for (const [name, bytes] of Object.entries(files)) {
    // Linnet's export has a directory per mail folder.
    yield { ...createStoredMessage(Buffer.from(bytes)), folder: parseFolderName(name.split('/').at(-2) ?? '') }
  }
}

function isMailFile(path: string): boolean {
  return (
    ['.eml', '.mbox', '.zip', '.jsonl'].includes(extname(path).toLowerCase()) ||
    ['cur', 'new'].includes(basename(dirname(path)))
  )
}

/**
 * A separator in an mbox (RFC 4155): `From `, the sender and an `asctime` date. `From ` alone may also start a sentence
 * or an old header (`From : ann@example.com`).
 */
function isSeparator(line: string): boolean {
  return line.length < 1000 && /^From +\S.*\b\d{1,2}:\d\d(?::\d\d)?\b.*\b\d{4}\b/.test(line)
}

function isHeader(line: string): boolean {
  return /^[!-9;-~]{1,100}[ \t]*:/.test(line)
}

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

/** Headers that mbox programs add: read state, and the folder (in Google's and Linnet's exports). Never sent. */
const mailboxHeader = /^(?:status|x-status|x-gmail-labels):/i

/** Splits an mbox (RFC 4155, undoing mboxrd's `>From ` quoting) as a stream. */
async function* mboxMessages(path: string): AsyncGenerator<StoredMessage> {
  const lines = readLines(path)
  let message: string[] | null = null
  /** A possible separator; it counts if a header follows. */
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

/** @param lines including the blank line before the next separator, which isn't part of the message */
function storedMessage(lines: readonly string[]): StoredMessage {
  let start = 0
  const headers: string[] = []
  while (mailboxHeader.test(lines[start] ?? '')) {
    let header = lines[start] ?? ''
    start += 1
    for (; /^[ \t]/.test(lines[start] ?? ''); start += 1) header += lines[start] ?? ''
    headers.push(header)
  }
  const own = lines.slice(start, lines.at(-1) === '' ? -1 : lines.length)
  const raw = Buffer.from(own.map((line) => `${line}\r\n`).join(''), 'latin1')
  const said = headers.find((header) => /^x-gmail-labels:/i.test(header))
  const place = said === undefined ? {} : parseMailboxLabels(said.slice(said.indexOf(':') + 1))
  return { ...createStoredMessage(raw), isSeen: headers.some((header) => /^status:.*R/i.test(header)), ...place }
}
