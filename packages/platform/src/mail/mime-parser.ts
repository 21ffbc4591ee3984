import type { Email } from 'postal-mime'
import { rawFilenameOf, MailParser, type MimePart } from 'linnet-mime/mail-parser'
import { joinFlowed } from './flowed-text.ts'
import { escapeHtml, htmlToText } from './html-text.ts'

/**
 * Limit in bytes. The parser compares each line that starts with `--` with every open multipart, and a message can open
 * as many as its headers have room for.
 */
const maxComparedBytes = 400_000_000

/**
 * Each line costs the parser some microseconds and an object, so 40 MB of line breaks would take minutes and all
 * memory. A 40 MB file in base64 has 550,000 lines.
 */
const maxLines = 700_000

/** Parsing would cost far more than the message's size justifies. */
class CostlyMessageError extends Error {}

/** Text types that readers treat as files, or that repeat the mail for other kinds of programs. */
const fileTypes: ReadonlySet<string> = new Set(
  'calendar csv directory rfc822-headers rtf tab-separated-values vcard x-amp-html x-vcalendar x-vcard watch-html'
    .split(' ')
    .map((subtype) => `text/${subtype}`),
)
/** Alternatives for programs that show more or less than HTML (AMP; watches). */
const otherClientTypes: ReadonlySet<string> = new Set(['text/x-amp-html', 'text/watch-html'])
const enrichedTypes: ReadonlyMap<string, 'enriched' | 'richtext'> = new Map([
  ['text/enriched', 'enriched'],
  ['text/richtext', 'richtext'],
])

const typeOf = ({ contentType }: MimePart): string => contentType.parsed.value

/** Alternative types that make a part of this type redundant. */
function betterThan(type: string): readonly string[] {
  if (enrichedTypes.has(type)) return ['text/html']
  return /^text\/(?:x-)?markdown$/.test(type) ? ['text/plain'] : ['text/plain', 'text/html']
}

/** Types in an alternative. A multipart counts as HTML with its pictures. */
function typesIn(alternative: MimePart): ReadonlySet<string> {
  return new Set(alternative.childNodes.map((part) => (part.contentType.multipart ? 'text/html' : typeOf(part))))
}

/** Commands of text/enriched (RFC 1896) and text/richtext (RFC 1341) with an HTML equivalent. */
const elements: ReadonlyMap<string, string> = new Map([
  ['bold', 'b'],
  ['italic', 'i'],
  ['underline', 'u'],
  ['fixed', 'code'],
  ['bigger', 'big'],
  ['smaller', 'small'],
  ['subscript', 'sub'],
  ['superscript', 'sup'],
  ['excerpt', 'blockquote'],
  ['indent', 'blockquote'],
  ['center', 'center'],
  ['paragraph', 'p'],
  ['nofill', 'pre'],
])

/** Commands of text/richtext without content. */
const signs: ReadonlyMap<string, string> = new Map([
  ['nl', '<br>'],
  ['np', '<hr>'],
  ['lt', '&lt;'],
])

/**
 * A command, an escaped `<`, or line breaks. A single line break becomes a space; of several, all but the first become
 * breaks.
 */
const tokens = /<<|<(\/?)([a-z\d-]{1,60})>|(?:\r?\n)+/gi

/** Converts text/enriched or text/richtext to HTML, without colours, fonts and richtext comments. */
function enrichedToHtml(text: string, kind: 'enriched' | 'richtext'): string {
  const parts: string[] = []
  /** Open commands with ignored content: parameters and comments. */
  let unread = 0
  let unfilled = 0
  let end = 0
  const say = (html: string): void => {
    if (unread === 0) parts.push(html)
  }
  for (const token of text.matchAll(tokens)) {
    const [whole, slash, name] = token
    say(escapeHtml(text.slice(end, token.index)))
    end = token.index + whole.length
    const command = name?.toLowerCase()
    if (command === undefined) {
      const breaks = whole.split('\n').length - 1
      if (whole === '<<') say('&lt;')
      else if (unfilled > 0) say('\n'.repeat(breaks))
      else say(kind === 'richtext' || breaks === 1 ? ' ' : '<br>'.repeat(breaks - 1))
      continue
    }
    const step = slash === '/' ? -1 : 1
    if (command === 'param' || command === 'comment') unread = Math.max(0, unread + step)
    if (command === 'nofill') unfilled = Math.max(0, unfilled + step)
    const element = elements.get(command)
    if (element !== undefined) say(`<${slash}${element}>`)
    else if (kind === 'richtext') say(signs.get(command) ?? '')
  }
  say(escapeHtml(text.slice(end)))
  return parts.join('')
}

/**
 * A parser for malicious and unusual messages. It converts HTML with {@link htmlToText}, limits boundary comparisons,
 * joins flowed text with its quotes (RFC 3676), converts enriched text to HTML and treats unknown text types as plain
 * (RFC 2046, 4.1.4).
 */
class MimeParser extends MailParser {
  #comparedBytes = 0
  /** Cached, as an alternative may have thousands of parts. */
  readonly #alternativeTypes = new Map<MimePart, ReadonlySet<string>>()

  override processLine(line: Uint8Array, isLast: boolean): Promise<void> {
    if (line[0] === 0x2d && line[1] === 0x2d) {
      this.#comparedBytes += line.length * this.boundaries.length
      if (this.#comparedBytes > maxComparedBytes) throw new CostlyMessageError('Too many boundaries to look for.')
    }
    return super.processLine(line, isLast)
  }

  override isInlineTextNode(part: MimePart): boolean {
    if (super.isInlineTextNode(part)) return true
    if (part.contentDisposition.parsed.value === 'attachment' || rawFilenameOf(part) !== null) return false
    const type = typeOf(part)
    // An invalid type counts as plain text (RFC 2045, 5.2).
    return type.startsWith('text/') ? !fileTypes.has(type) : !/^[^\s/;]+\/[^\s/;]/.test(type)
  }

  override async collectNode(part: MimePart, alternative: MimePart | false, related: boolean): Promise<void> {
    if (alternative !== false && this.#isRedundant(part, alternative)) return
    await super.collectNode(part, alternative, related)
  }

  /** True if the alternative has a better text part. */
  #isRedundant(part: MimePart, alternative: MimePart): boolean {
    const type = typeOf(part)
    if (otherClientTypes.has(type)) return part.contentDisposition.parsed.value !== 'attachment'
    if (type === 'text/plain' || type === 'text/html' || !this.isInlineTextNode(part)) return false
    const forms = this.#alternativeTypes.get(alternative) ?? typesIn(alternative)
    this.#alternativeTypes.set(alternative, forms)
    return betterThan(type).some((better) => forms.has(better))
  }

  protected override bodyOf(part: MimePart, text: string): string {
    const { parsed } = part.contentType
    const { format = '', delsp = '' } = parsed.params
    delete parsed.params.format
    const enriched = enrichedTypes.get(parsed.value)
    if (enriched !== undefined) {
      parsed.value = 'text/html'
      // Enriched text is written to be readable as plain text too.
      this.textTypes.add('plain')
      return enrichedToHtml(text, enriched)
    }
    return /^flowed$/i.test(format) && parsed.value === 'text/plain' ? joinFlowed(text, /^yes$/i.test(delsp)) : text
  }

  /** Joins the text parts into one plain and one HTML body, if the message has text of that kind. */
  renderTextContent(): void {
    for (const kind of this.textTypes) {
      const bodies = [...this.textMap.values()].flatMap((parts) => {
        const own = parts[kind]
        if (own) return own.map(({ value }) => value)
        return kind === 'html'
          ? (parts.plain ?? []).map(({ value }) => `<div>${escapeHtml(value.trim()).replaceAll('\n', '<br />')}</div>`)
          : (parts.html ?? []).map(({ value }) => `${htmlToText(value)}\n`)
      })
      this.textContent[kind] = bodies.join('\n')
    }
  }
}

function hasTooManyLines(raw: Uint8Array): boolean {
  let lines = 0
  for (let at = raw.indexOf(0x0a); at >= 0; at = raw.indexOf(0x0a, at + 1)) {
    lines += 1
    if (lines > maxLines) return true
  }
  return false
}

/** Parses a message. Attached messages stay files. @throws Error beyond the parser's limits */
export async function parseMime(raw: Uint8Array): Promise<Email> {
  if (hasTooManyLines(raw)) throw new CostlyMessageError('Too many lines.')
  return new MimeParser({ forceRfc822Attachments: true }).parse(raw)
}
