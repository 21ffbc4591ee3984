import { type Email, addressParser } from 'postal-mime'
import { hasNoParts, withFoundBoundary } from '../../mime/found-boundary.ts'
import { type Mailbox, withoutComments, withoutGroups } from './addresses.ts'
import { readDate, receivedDate } from './mail-date.ts'
import { parseMime } from './mime-parser.ts'

/** What the service keeps of a message; the raw bytes stay beside it, and attachments are read from them on demand. */
export interface ParsedMessage {
  /** The Message-ID with its angle brackets. */
  readonly messageId: string | null
  /** Message-IDs that it answers, the closest first: In-Reply-To, then References from the last to the first. */
  readonly references: readonly string[]
  /**
   * The Date header, in milliseconds since 1970; where it is missing or no date, the time that the last server which passed
   * the message on wrote into its Received header. `null` where neither is a date.
   */
  readonly date: number | null
  readonly subject: string | null
  readonly from: Mailbox | null
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly text: string | null
  readonly html: string | null
  /** Lower-case names; the values of a repeated header are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  readonly attachments: readonly ParsedAttachment[]
}

export interface ParsedAttachment {
  readonly filename: string | null
  readonly contentType: string
  readonly contentDisposition: string | null
  /** Without angle brackets. */
  readonly contentId: string | null
  /** Decoded bytes. */
  readonly size: number
  /** The HTML body shows it by its Content-ID, so it is no file of its own to a reader. */
  readonly isInline: boolean
}

/**
 * Reads any message. One that breaks the parser's own limits (absurd nesting, megabytes of headers) is still accepted:
 * it is then known by its first headers only, and its raw bytes are kept like those of any other.
 */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  return messageOf(await parse(raw))
}

/** The decoded content of each attachment, in the order of {@link ParsedMessage.attachments}. */
export async function attachmentContents(raw: Uint8Array): Promise<readonly Uint8Array[]> {
  return (await parse(raw)).attachments.map(({ content }) => bytesOf(content))
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    const email = await parseMime(raw)
    if (!hasNoParts(email)) return email
    const found = withFoundBoundary(raw)
    const divided = found === null ? email : await parseMime(found)
    return hasNoParts(divided) ? await parseMime(asOneText(raw)) : divided
  } catch {
    return parseMime(firstHeaders(raw))
  }
}

/** At most this much of what such a message says is shown as it stands there. */
const mostStandingText = 1_000_000

/** The same message without what it says of its parts. */
function asOneText(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end === null) return firstHeaders(raw)
  const body = text.slice(end.index + end[0].length, end.index + mostStandingText)
  return Buffer.concat([firstHeaders(raw), Buffer.from(body, 'latin1')])
}

/** At most 64 KiB of the header block and no body. */
function firstHeaders(raw: Uint8Array): Uint8Array {
  const head = Buffer.from(raw.subarray(0, 65_536)).toString('latin1')
  const end = head.search(/\r?\n\r?\n/)
  const block = (end < 0 ? head.slice(0, head.lastIndexOf('\n') + 1) : head.slice(0, end)).replace(
    /^(content-[a-z-]+|mime-version):.*(?:\r?\n[ \t].*)*\r?\n?/gim,
    '',
  )
  return Buffer.from(`${block}\r\n\r\n`, 'latin1')
}

/** Each reference is looked for and remembered, so what a thread could not have is not kept. */
const mostReferences = 1000

function messageOf(email: Email): ParsedMessage {
  const html = email.html ?? null
  const shown: ReadonlySet<string> = new Set(html === null ? [] : shownImages(html))
  return {
    messageId: messageIds(email.messageId)[0] ?? null,
    references: [...new Set([...messageIds(email.inReplyTo), ...messageIds(email.references).toReversed()])].slice(
      0,
      mostReferences,
    ),
    date: dateOf(email),
    subject: email.subject?.trim() ? email.subject : null,
    from: mailboxesOf(email, 'from')[0] ?? null,
    to: mailboxesOf(email, 'to'),
    cc: mailboxesOf(email, 'cc'),
    bcc: mailboxesOf(email, 'bcc'),
    replyTo: mailboxesOf(email, 'reply-to'),
    text: email.text ?? null,
    html,
    headers: headersOf(email),
    attachments: email.attachments.map((attachment) => {
      const contentId = attachment.contentId?.replace(/^<|>$/g, '') ?? null
      return {
        filename: attachment.filename,
        contentType: attachment.mimeType,
        contentDisposition: attachment.disposition,
        contentId,
        size: bytesOf(attachment.content).byteLength,
        isInline: contentId !== null && shown.has(contentId),
      }
    }),
  }
}

const cidUrl = /\bcid:([^\s"'()<>]+)/gi

/** The Content-IDs that an HTML body shows, as often as it does, decoded (RFC 2392: `cid:` URLs are percent-encoded). */
export function shownImages(html: string): readonly string[] {
  return [...html.matchAll(cidUrl)].map(([, id]) => contentIdOf(id ?? ''))
}

function contentIdOf(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('&amp;', '&'))
  } catch {
    return url
  }
}

/**
 * Replaces every `cid:` URL for which `image` knows a `data:` URI (platform facts 7, `html_format`).
 * @param image from a Content-ID to a `data:` URI, or to `undefined` where the message has no such part
 */
export function inlineImages(html: string, image: (contentId: string) => string | undefined): string {
  return html.replace(cidUrl, (url, id: string) => image(contentIdOf(id)) ?? url)
}

function messageIds(header: string | undefined): readonly string[] {
  return header?.match(/<[^<>\s]+>/g) ?? []
}

function dateOf({ headers }: Email): number | null {
  const valuesOf = (name: string): readonly string[] =>
    headers.filter(({ key }) => key === name).map(({ value }) => value)
  const [date = ''] = valuesOf('date')
  return readDate(date) ?? receivedDate(valuesOf('received'))
}

/** Everyone in the headers of a name, groups flattened. */
function mailboxesOf({ headers }: Email, name: string): readonly Mailbox[] {
  return headers
    .filter(({ key }) => key === name)
    .flatMap(({ value }) => addressParser(withoutGroups(withoutComments(value)), { flatten: true }))
    .flatMap(({ name: shown, address = '' }) => (address === '' ? [] : [{ name: shown, address }]))
}

function headersOf(email: Email): Readonly<Record<string, string>> {
  const headers = new Map<string, string>()
  for (const { key, value } of email.headers) {
    const earlier = headers.get(key)
    headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`)
  }
  return Object.fromEntries(headers)
}

function bytesOf(content: ArrayBuffer | Uint8Array | string): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
