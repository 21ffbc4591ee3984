import { isUtf8 } from 'node:buffer'
import PostalMime, { type Email, type PostalMimeOptions } from 'postal-mime'
import { escapeHtml, htmlText } from './html-text.ts'
import { decodeUtf7, isUnknownCharset, isUtf7, readableHeaderLine } from './old-charsets.ts'

type TextKind = 'plain' | 'html'

/** A part of a message, as the parser holds it. */
interface Part {
  readonly state: 'header' | 'body' | 'finished'
  readonly contentType: { readonly parsed: { readonly params: Record<string, string | undefined> } }
  content: ArrayBuffer | null
}

/**
 * What postal-mime's parser is made of. Its types do not tell, so the version is pinned and tests hold every method that
 * {@link MimeParser} takes over.
 */
interface ParserInside {
  readonly currentNode: Part
  readonly boundaries: readonly unknown[]
  readonly textMap: ReadonlyMap<unknown, Readonly<Partial<Record<TextKind, readonly { readonly value: string }[]>>>>
  readonly textTypes: ReadonlySet<TextKind>
  readonly textContent: Partial<Record<TextKind, string>>
  parse(raw: Uint8Array): Promise<Email>
  processLine(line: Uint8Array, isLast: boolean): Promise<void>
  isInlineTextNode(part: Part): boolean
  collectNode(part: Part, alternative: unknown, related: boolean): Promise<void>
}

const Parser = PostalMime as unknown as new (options: PostalMimeOptions) => ParserInside

/**
 * Bytes that may be compared with the boundaries of multiparts. The parser compares each line that begins with `--` with
 * every multipart still open; a message can open as many as its headers have room for.
 */
const mostComparedBytes = 400_000_000

/**
 * Each line costs the parser some microseconds and an object, however short it is: 40 MB of line breaks would take minutes
 * and all memory. A file of 40 MB in base64 has 550,000 lines.
 */
const mostLines = 700_000

/** A message that would keep the parser busy out of all proportion to its size. */
class CostlyMessageError extends Error {}

/**
 * postal-mime, for messages that a stranger wrote to do harm and for those of old programs: its conversion of HTML to text
 * (360 KB of `<a href="` take it ten seconds) is left to {@link htmlText}, boundaries have a budget, header lines that are
 * not UTF-8 are read as Windows-1252, and UTF-7 is decoded.
 */
class MimeParser extends Parser {
  #comparedBytes = 0

  // Not async: it is called for each line, and a promise more for each would be felt.
  override processLine(line: Uint8Array, isLast: boolean): Promise<void> {
    if (line[0] === 0x2d && line[1] === 0x2d) {
      this.#comparedBytes += line.length * this.boundaries.length
      if (this.#comparedBytes > mostComparedBytes) throw new CostlyMessageError('Too many boundaries to look for.')
    }
    return super.processLine(this.currentNode.state === 'header' ? readableHeaderLine(line) : line, isLast)
  }

  override async collectNode(part: Part, alternative: unknown, related: boolean): Promise<void> {
    const { params } = part.contentType.parsed
    // Whoever names a charset that nobody knows most likely wrote in UTF-8, where the bytes can be that.
    if (part.content !== null && isUnknownCharset(params.charset ?? 'utf-8') && isUtf8(new Uint8Array(part.content))) {
      params.charset = 'utf-8'
    }
    if (part.content !== null && isUtf7(params.charset ?? '') && this.isInlineTextNode(part)) {
      const text = new TextEncoder().encode(decodeUtf7(Buffer.from(part.content).toString('latin1')))
      part.content = text.buffer
      params.charset = 'utf-8'
    }
    await super.collectNode(part, alternative, related)
  }

  /** Joins the text parts into one plain and one HTML body, as far as the message has any part of the kind. */
  renderTextContent(): void {
    for (const kind of this.textTypes) {
      const bodies = [...this.textMap.values()].flatMap((parts) => {
        const own = parts[kind]
        if (own) return own.map(({ value }) => value)
        return kind === 'html'
          ? (parts.plain ?? []).map(({ value }) => `<div>${escapeHtml(value.trim()).replaceAll('\n', '<br />')}</div>`)
          : (parts.html ?? []).map(({ value }) => `${htmlText(value)}\n`)
      })
      this.textContent[kind] = bodies.join('\n')
    }
  }
}

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    lines += 1
    if (lines > mostLines) return true
  }
  return false
}

/** Takes a message apart. Messages inside of it stay files. @throws Error beyond the parser's limits */
export async function parseMime(raw: Uint8Array): Promise<Email> {
  if (hasTooManyLines(raw)) throw new CostlyMessageError('Too many lines.')
  return new MimeParser({ forceRfc822Attachments: true }).parse(raw)
}
