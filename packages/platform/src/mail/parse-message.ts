import { type Email, addressParser } from 'postal-mime'
import { hasNoParts, repairBoundary } from 'linnet-mime/repair-boundary'
import { type Mailbox, removeAddressComments, expandAddressGroups } from './addresses.ts'
import { parseDateHeader, parseReceivedDate } from './mail-date.ts'
import { parseMime } from './mime-parser.ts'

/** The stored fields of a message. Raw bytes are stored too, and attachments are read from them on demand. */
export interface ParsedMessage {
  /** With angle brackets. */
  readonly messageId: string | null
  /** Message-IDs that the message replies to, closest first: In-Reply-To, then References from last to first. */
  readonly references: readonly string[]
  /** Milliseconds since 1970 from the Date header, else from the latest Received header; `null` if neither is valid. */
  readonly date: number | null
  readonly subject: string | null
  readonly from: Mailbox | null
  readonly to: readonly Mailbox[]
  readonly cc: readonly Mailbox[]
  readonly bcc: readonly Mailbox[]
  readonly replyTo: readonly Mailbox[]
  readonly text: string | null
  readonly html: string | null
  /** Lower-case names; values of a repeated header are joined by commas. */
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
  /** The HTML body shows it by Content-ID, so readers don't see a separate file. */
  readonly isInline: boolean
}

/**
 * Parses any message. One beyond the parser's limits (absurd nesting, megabytes of headers) is accepted with only its
 * first headers; its raw bytes are stored as usual.
 */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  return messageOf(await parse(raw))
}

/** Decoded attachments in the order of {@link ParsedMessage.attachments}. */
export async function decodeAttachments(raw: Uint8Array): Promise<readonly Uint8Array[]> {
  return (await parse(raw)).attachments.map(({ content }) => bytesOf(content))
}

async function parse(raw: Uint8Array): Promise<Email> {
  try {
    const email = await parseMime(raw)
    if (!hasNoParts(email)) return email
    const found = repairBoundary(raw)
    const divided = found === null ? email : await parseMime(found)
    return hasNoParts(divided) ? await parseMime(asPlainText(raw)) : divided
  } catch {
    return parseMime(firstHeaders(raw))
  }
}

/** Maximum characters of body text to keep if a multipart has no parts. */
const maxFallbackTextLength = 1_000_000

/** For a multipart without parts: drops the MIME headers, so that the whole body is read as plain text. */
function asPlainText(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw).toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  if (end === null) return firstHeaders(raw)
  const body = text.slice(end.index + end[0].length, end.index + maxFallbackTextLength)
  return Buffer.concat([firstHeaders(raw), Buffer.from(body, 'latin1')])
}

/** At most 64 KiB of headers, without MIME headers or body. */
function firstHeaders(raw: Uint8Array): Uint8Array {
  const head = Buffer.from(raw.subarray(0, 65_536)).toString('latin1')
  const end = head.search(/\r?\n\r?\n/)
  const block = (end < 0 ? head.slice(0, head.lastIndexOf('\n') + 1) : head.slice(0, end)).replace(
    /^(content-[a-z-]+|mime-version):.*(?:\r?\n[ \t].*)*\r?\n?/gim,
    '',
  )
  return Buffer.from(`${block}\r\n\r\n`, 'latin1')
}

/** Limit on lookups and stored rows; no real thread has as many. */
const maxReferences = 1000

function messageOf(email: Email): ParsedMessage {
  const html = email.html ?? null
  const shown: ReadonlySet<string> = new Set(html === null ? [] : extractImageContentIds(html))
  return {
    messageId: messageIds(email.messageId)[0] ?? null,
    references: [...new Set([...messageIds(email.inReplyTo), ...messageIds(email.references).toReversed()])].slice(
      0,
      maxReferences,
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

/** Content-IDs of images in an HTML body, decoded and including repeats (RFC 2392: `cid:` URLs are percent-encoded). */
export function extractImageContentIds(html: string): readonly string[] {
  return [...html.matchAll(cidUrl)].map(([, id]) => contentIdOf(id ?? ''))
}

function contentIdOf(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('&amp;', '&'))
  } catch {
    return url
  }
}

/** See platform.md 21.7. @param image maps a Content-ID to a `data:` URI, or to `undefined` if unknown */
export function replaceCidImages(html: string, image: (contentId: string) => string | undefined): string {
  return html.replace(cidUrl, (url, id: string) => image(contentIdOf(id)) ?? url)
}

function messageIds(header: string | undefined): readonly string[] {
  return header?.match(/<[^<>\s]+>/g) ?? []
}

function dateOf({ headers }: Email): number | null {
  const valuesOf = (name: string): readonly string[] =>
    headers.filter(({ key }) => key === name).map(({ value }) => value)
  const [date = ''] = valuesOf('date')
  return parseDateHeader(date) ?? parseReceivedDate(valuesOf('received'))
}

/** All addresses in a header, with groups flattened. */
function mailboxesOf({ headers }: Email, name: string): readonly Mailbox[] {
  return headers
    .filter(({ key }) => key === name)
    .flatMap(({ value }) => addressParser(expandAddressGroups(removeAddressComments(value)), { flatten: true }))
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
