import PostalMime, { type Attachment, type Email, type PostalMimeOptions } from 'postal-mime'
import { decodeText, guessCharset, isAsciiCharset, isKnownCharset, isUtf8Charset } from './charsets.ts'
import { guessHeaderCharset, toUtf8HeaderLine, toUtf8Parameters } from './header-lines.ts'
import { extractUuencodedFiles } from './uuencoded.ts'

const LINE_FEED = Uint8Array.of(0x0a)

/** Collects a part's lines without transfer encoding. postal-mime reads them from a `Blob`, which is far slower. */
class LineCollector {
  readonly #chunks: Uint8Array[] = []
  #size = 0

  /** @param line without its line end; must not change until `finalize` */
  update(line: Uint8Array): void {
    this.#chunks.push(line, LINE_FEED)
    this.#size += line.length + LINE_FEED.length
  }

  finalize(): ArrayBuffer {
    const content = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#chunks) {
      content.set(piece, at)
      at += piece.length
    }
    return content.buffer
  }
}

interface StructuredHeader {
  value: string
  readonly params: Record<string, string | undefined>
}

export interface MimePart {
  readonly state: 'header' | 'body' | 'finished'
  readonly contentType: { readonly value: string; parsed: StructuredHeader; readonly multipart: string | false }
  readonly contentDisposition: { readonly value: string; parsed: StructuredHeader }
  readonly contentTransferEncoding: { readonly encoding: string }
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly childNodes: readonly MimePart[]
  /** Set once the headers are read. */
  contentDecoder: { update(line: Uint8Array): void; finalize(): ArrayBuffer | Promise<ArrayBuffer> } | null
  content: ArrayBuffer | null
  parseStructuredHeader(header: string): StructuredHeader
}

type TextKind = 'plain' | 'html'

const CALENDAR = /^(?:text\/calendar|application\/ics)$/

/** postal-mime's parser internals. Untyped, so the version is pinned and tests cover every overridden method. */
interface ParserInternals {
  readonly currentNode: MimePart
  readonly boundaries: readonly unknown[]
  readonly attachments: Attachment[]
  readonly textMap: ReadonlyMap<unknown, Readonly<Partial<Record<TextKind, readonly { readonly value: string }[]>>>>
  readonly textTypes: Set<TextKind>
  readonly textContent: Partial<Record<TextKind, string>>
  parse(raw: Uint8Array): Promise<Email>
  processLine(line: Uint8Array, isLast: boolean): Promise<void>
  isInlineTextNode(part: MimePart): boolean
  collectNode(part: MimePart, alternative: MimePart | false, related: boolean): Promise<void>
  collectAttachment(part: MimePart, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void
}

const locations = new WeakMap<Attachment, string>()

/** A part's `Content-Location` (RFC 2557, 4.2), an address that the HTML may refer to. */
export const contentLocationOf = (attachment: Attachment): string | null => locations.get(attachment) ?? null

const Parser = PostalMime as unknown as new (options: PostalMimeOptions) => ParserInternals

/** The part's file name before decoding, or null. */
export const rawFilenameOf = ({ contentDisposition, contentType }: MimePart): string | null =>
  contentDisposition.parsed.params.filename ?? contentType.parsed.params.name ?? null

const hasBody = ({ state }: MimePart): boolean => state === 'body'

/** Same check as postal-mime's. */
const isEncoded = (encoding: string): boolean => /base64|quoted-printable/i.test(encoding)
const isUuencoding = (encoding: string): boolean => /^(?:x-)?uu(?:e|encode)?$/.test(encoding)

/** postal-mime plus all charsets of {@link decodeText}, eight-bit headers and uuencoded files. Texts become UTF-8. */
export class MailParser extends Parser {
  #headerCharset = 'windows-1252'

  override parse(raw: Uint8Array): Promise<Email> {
    this.#headerCharset = guessHeaderCharset(raw)
    return super.parse(raw)
  }

  // Not async: an extra promise for every line would be slow.
  override processLine(line: Uint8Array, isLast: boolean): Promise<void> {
    const part = this.currentNode
    if (part.state !== 'header') return super.processLine(line, isLast)
    const processed = super.processLine(toUtf8HeaderLine(line, this.#headerCharset), isLast)
    // An empty line just ended the headers.
    if (hasBody(part) && !isEncoded(part.contentTransferEncoding.encoding)) part.contentDecoder = new LineCollector()
    return processed
  }

  override async collectNode(part: MimePart, alternative: MimePart | false, related: boolean): Promise<void> {
    for (const header of [part.contentType, part.contentDisposition]) {
      const readable = toUtf8Parameters(header.value)
      if (readable !== header.value) header.parsed = part.parseStructuredHeader(readable)
    }
    if (part.content !== null && !part.contentType.multipart) {
      if (isUuencoding(part.contentTransferEncoding.encoding)) this.#decodeUuencoded(part, part.content)
      if (this.isInlineTextNode(part)) this.#decodeText(part, part.content)
    }
    await super.collectNode(part, alternative, related)
  }

  override collectAttachment(part: MimePart, content: ArrayBuffer, related: boolean, isTooDeep: boolean): void {
    super.collectAttachment(part, content, related, isTooDeep)
    const attachment = this.attachments.at(-1)
    if (attachment === undefined) return
    // postal-mime rewrites calendars. Keep the sent bytes, and give their charset in the type.
    attachment.content = content
    const { value, params } = part.contentType.parsed
    const charset = /^[\w-]+$/.exec(params.charset ?? '')?.[0] ?? 'utf-8'
    if (CALENDAR.test(value) && !isUtf8Charset(charset) && !isAsciiCharset(charset))
      attachment.mimeType += `; charset=${charset}`
    const location = part.headers.find(({ key }) => key === 'content-location')?.value
    if (location !== undefined) locations.set(attachment, location)
  }

  /** Hook for subclasses to change a part's text. The content type is already final. */
  protected bodyOf(_part: MimePart, text: string): string {
    return text
  }

  /** Decodes a part with uuencode as its transfer encoding, whose data may contain the only file name. */
  #decodeUuencoded(part: MimePart, content: ArrayBuffer): void {
    const [file] = extractUuencodedFiles(Buffer.from(content).toString('latin1')).files
    if (file === undefined) return
    part.content = new Uint8Array(file.bytes).buffer
    if (rawFilenameOf(part) === null && !this.isInlineTextNode(part)) {
      part.contentDisposition.parsed.params.filename = file.filename
    }
  }

  #decodeText(part: MimePart, content: ArrayBuffer): void {
    const bytes = new Uint8Array(content)
    const { value, params } = part.contentType.parsed
    const said = params.charset ?? ''
    const isHtml = value === 'text/html'
    // An ASCII label says nothing about non-ASCII bytes.
    const isBelieved = isKnownCharset(said) && !isAsciiCharset(said)
    const decoded = decodeText(bytes, isBelieved ? said : guessCharset(bytes, isHtml))
    const { text, files } = isHtml ? { text: decoded, files: [] } : extractUuencodedFiles(decoded)
    part.content = new TextEncoder().encode(this.bodyOf(part, text)).buffer
    params.charset = 'utf-8'
    for (const { filename, bytes: file } of files) {
      const mimeType = 'application/octet-stream'
      this.attachments.push({ filename, mimeType, disposition: 'attachment', content: new Uint8Array(file).buffer })
    }
  }
}
