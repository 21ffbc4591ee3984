import { extname } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import { z } from 'zod'
import { folderNamed } from './mailbox-labels.ts'
import { linesOf } from './lines-of.ts'
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

export function isJsonLines(path: string): boolean {
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
export async function* jsonMessages(path: string): AsyncGenerator<StoredMessage> {
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
