import { LinkifyIt } from 'linkify-it'
import type { Span } from '../../../shared/search/lex-search.ts'
import { findFragmentSpans, type WordTerm } from '../../../shared/search/highlight-terms.ts'
import { limitShaping, hasShapedLetters, locateMatch, SIGN_RUN } from '../../../shared/mail-text/limit-shaping.ts'
import { findFolds, type MessageLine } from '../../../shared/history/message-folds.ts'
import { isSignatureDelimiter, quoteDepth } from '../../../shared/history/history-terms.ts'

export interface TextSegment {
  readonly text: string
  readonly href: string | null
}

export interface TextBlock {
  /** Quote depth of the lines, whose quote marks are removed. 0 for the e-mail's own text. */
  readonly depth: number
  readonly fold: 'history' | 'signature' | null
  readonly lines: readonly (readonly TextSegment[])[]
}

export interface TextPage {
  readonly blocks: readonly TextBlock[]
  /** Start of the next page in UTF-16 units, or null at the end. */
  readonly next: number | null
}

/** Positions in UTF-16 units. */
export interface TextFolds {
  readonly history: number
  readonly signatures: readonly { readonly from: number; readonly end: number }[]
  /** Starts of the lines with `>` that are quotes. Null for every such line, in text too long to tell. */
  readonly quotes: ReadonlySet<number> | null
}

/** Limits per page, so that a page is always quick to draw. */
const PAGE_LIMITS = { characters: 40_000, lines: 600, links: 400 } as const

/** Characters per line in scripts whose layout time grows with the square of the line length. */
const MAX_SHAPED_LINE = 2000

/** Cost of a shaped character and of a run of symbols, in ordinary characters. */
const WEIGHTS = { shaped: 2, signs: 120 } as const

/** Further consecutive blank lines are left out, so that nobody scrolls through empty space. */
const BLANK_LINES = 12

/** Characters. Links are searched for in pieces of this length to bound the time for any line. */
const LINK_CHUNK_LENGTH = 4000

/** Accept any letters as a top-level domain: the official list changes, and example domains aren't on it. */
const createFinder = (): LinkifyIt =>
  new LinkifyIt({
    fuzzyEmail: true,
    fuzzyLink: false,
    urlAuth: true,
    tlds: ['[a-z\\u00a1-\\uffff]{2,63}'],
  })
    .add('ftp:', null)
    .add('//', null)
const baseFinder = createFinder()

/** The fields of a `mailto:` after the recipients (RFC 6068), without a sentence's final full stop. */
const FIELDS = /^\?[\w.~!$&'*+,;=:@/?%-]*[\w~$&*+=@/%-]/

/** Also finds hosts that start with `www.`, and the fields of a `mailto:`. */
const finder = createFinder()
  .add('www.', {
    validate: (text: string, at: number) => {
      const host = '//www.'
      const length = baseFinder.testSchemaAt(host + text.slice(at, at + LINK_CHUNK_LENGTH), 'https:', 0)
      const rest = Math.max(0, length - host.length)
      return /^[^/?#]+\.[^/?#]/.test(text.slice(at, at + rest)) ? rest : 0
    },
    normalize: (match) => {
      match.url = `https://${match.url}`
    },
  })
  .add('mailto:', {
    validate: (text: string, at: number) => {
      const length = baseFinder.testSchemaAt(text, 'mailto:', at)
      const fields = length === 0 ? null : FIELDS.exec(text.slice(at + length, at + length + LINK_CHUNK_LENGTH))
      return length + (fields?.[0].length ?? 0)
    },
  })

/** End of the piece that starts at `from`: after a space if possible, so that no address is cut. */
const endOfChunk = (line: string, from: number): number => {
  const end = from + LINK_CHUNK_LENGTH
  if (end >= line.length) return line.length
  const blank = line.slice(from, end).lastIndexOf(' ')
  return blank === -1 ? end : from + blank + 1
}

export const linkify = (line: string, most: number = PAGE_LIMITS.links): readonly TextSegment[] => {
  const pieces: TextSegment[] = []
  let end = 0
  let found = 0
  for (let from = 0; from < line.length && found < most; from = endOfChunk(line, from)) {
    for (const match of finder.match(line.slice(from, endOfChunk(line, from))) ?? []) {
      if (found === most) break
      found += 1
      const [start, last] = [from + match.index, from + match.lastIndex]
      if (start > end) pieces.push({ text: line.slice(end, start), href: null })
      pieces.push({ text: line.slice(start, last), href: match.url })
      end = last
    }
  }
  if (end < line.length || pieces.length === 0) pieces.push({ text: line.slice(end), href: null })
  return pieces
}

const unquote = (line: string): string => line.replace(/^>(?: ?>)*[ ]?/, '')

/** Characters. Longer text isn't folded, because all of it would have to be read before the first line is drawn. */
const MAX_FOLDABLE_LENGTH = 400_000

const CLASSIFIED_LENGTH = 500

/** Finds earlier e-mails and signatures, by RFC 3676 (`>`, `-- `) and convention. @param text normalised for paging */
export const findTextFolds = (text: string, isForward = false): TextFolds => {
  if (text.length > MAX_FOLDABLE_LENGTH) return { history: text.length, signatures: [], quotes: null }
  const starts: number[] = []
  let at = 0
  const lines = text.split('\n').map((line): MessageLine => {
    starts.push(at)
    at += line.length + 1
    return { kind: 'text', text: line.slice(0, CLASSIFIED_LENGTH) }
  })
  const startOf = (line: number): number => starts[line] ?? text.length
  const { history, signatures, quoted } = findFolds(lines, isForward)
  return {
    history: history === null ? text.length : startOf(history),
    signatures: signatures.map(({ from, end }) => ({ from: startOf(from), end: startOf(end) })),
    quotes: new Set([...quoted].map(startOf)),
  }
}

/** The style sheet adds the space between blocks. Blank lines at the edges would add to it. */
const withoutOuterBlanks = (block: TextBlock): TextBlock => {
  const isBlank = (line: readonly TextSegment[]): boolean => line.every((piece) => piece.text.trim() === '')
  const first = block.lines.findIndex((line) => !isBlank(line))
  const last = block.lines.findLastIndex((line) => !isBlank(line))
  return { ...block, lines: first === -1 ? [] : block.lines.slice(first, last + 1) }
}

/** Cuts a line to what a browser lays out in reasonable time, at a space if possible. */
const truncateShapedLine = (line: string): string => {
  if (line.length <= MAX_SHAPED_LINE || !hasShapedLetters(line)) return line
  const blank = line.slice(0, MAX_SHAPED_LINE).lastIndexOf(' ')
  return line.slice(0, blank === -1 ? MAX_SHAPED_LINE : blank + 1)
}

/** Part of every address that becomes a link. */
const ADDRESS = /:\/\/|@/g

interface PlacedLine {
  readonly line: string
  readonly at: number
}

/** The lines of a page, and its end. @param text with LF line endings */
const linesFrom = (text: string, from: number): { readonly lines: readonly PlacedLine[]; readonly end: number } => {
  const lines: PlacedLine[] = []
  let at = from
  let room: number = PAGE_LIMITS.characters
  let blanks = 0
  let links = 0
  while (at < text.length && room > 0 && lines.length < PAGE_LIMITS.lines && links < PAGE_LIMITS.links) {
    const stretch = text.slice(at, at + room)
    const length = stretch.indexOf('\n')
    const whole = length === -1 ? stretch : stretch.slice(0, length)
    const shaped = truncateShapedLine(whole)
    const link = locateMatch(shaped, ADDRESS, PAGE_LIMITS.links - links)
    // At a space, so that no address is cut.
    const blank = link.at === shaped.length ? -1 : shaped.lastIndexOf(' ', link.at)
    const linked = blank === -1 ? shaped : shaped.slice(0, blank + 1)
    const sign = locateMatch(linked, SIGN_RUN, Math.max(1, Math.floor(room / WEIGHTS.signs)))
    const line = linked.slice(0, sign.at)
    links += link.before
    const isWhole = line === whole && (length !== -1 || at + room >= text.length)
    // Don't split a surrogate pair.
    const kept = isWhole ? line : line.replace(/[\ud800-\udbff]$/, '')
    const start = at
    at += kept.length + (isWhole ? 1 : 0)
    blanks = kept.trim() === '' ? blanks + 1 : 0
    if (blanks > BLANK_LINES) continue
    lines.push({ line: kept, at: start })
    room -= kept.length * (hasShapedLetters(kept) ? WEIGHTS.shaped : 1) + sign.before * WEIGHTS.signs + 1
  }
  return { lines, end: Math.min(at, text.length) }
}

/** Normalises an e-mail's text for `readPage`: LF line endings, and none at the end. */
export const normalizeForPaging = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

/**
 * Reads a page of text and splits it into own text, quotes and folded parts. The time depends only on the page.
 * @param text output of `normalizeForPaging` @param folds output of `findTextFolds` for the same text
 * @param from end of the previous page
 */
export const parseTextPage = (text: string, folds: TextFolds, from = 0): TextPage => {
  const { lines, end } = linesFrom(text, from)
  const foldAt = (at: number): TextBlock['fold'] => {
    if (at >= folds.history) return 'history'
    return folds.signatures.some((signature) => at >= signature.from && at < signature.end) ? 'signature' : null
  }
  const blocks: { depth: number; fold: TextBlock['fold']; lines: (readonly TextSegment[])[] }[] = []
  let links = 0
  for (const { line, at } of lines) {
    const fold = foldAt(at)
    if (fold === 'signature' && isSignatureDelimiter(line)) continue
    const depth = folds.quotes?.has(at) === false ? 0 : quoteDepth(line)
    const pieces = linkify(limitShaping(depth > 0 ? unquote(line) : line), PAGE_LIMITS.links - links)
    links += pieces.filter(({ href }) => href !== null).length
    const last = blocks.at(-1)
    if (last?.depth === depth && last.fold === fold) last.lines.push(pieces)
    else blocks.push({ depth, fold, lines: [pieces] })
  }
  return {
    blocks: blocks.map(withoutOuterBlanks).filter(({ lines: kept }) => kept.length > 0),
    next: end < text.length ? end : null,
  }
}

/** Spans to highlight, by piece. A phrase may continue on the next line. */
export const findPageHighlights = (
  { blocks }: TextPage,
  terms: readonly WordTerm[],
): ReadonlyMap<TextSegment, readonly Span[]> => {
  if (terms.length === 0) return new Map()
  const pieces = blocks.flatMap(({ lines }) =>
    lines.flatMap((line) => line.map((piece, place) => ({ piece, text: piece.text, isApart: place === 0 }))),
  )
  const spans = findFragmentSpans(pieces, terms)
  return new Map(pieces.map(({ piece }, index) => [piece, spans[index] ?? []]))
}
