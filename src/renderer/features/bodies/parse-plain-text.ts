import { LinkifyIt } from 'linkify-it'
import type { Span } from '../../../shared/search/lex-search.ts'
import { markPieces, type WordTerm } from '../../../shared/search/mark-words.ts'
import { calmText, isShaped, placeOfSignRun } from './calm-text.ts'
import { findFolds, type MessageLine } from '../../../shared/history/find-history.ts'
import { isSignatureMark } from '../../../shared/history/history-words.ts'

/** A piece of a line: words, or a link with the address that it opens. */
export interface TextPiece {
  readonly text: string
  readonly href: string | null
}

export interface TextBlock {
  /** How many e-mails before this one the lines are quoted from, their marks taken off: 0 for what it says itself. */
  readonly depth: number
  /** What the lines are folded away as. */
  readonly fold: 'history' | 'signature' | null
  readonly lines: readonly (readonly TextPiece[])[]
}

/** As much of a text as is drawn at once. */
export interface TextPage {
  readonly blocks: readonly TextBlock[]
  /** Where the next page begins, in UTF-16 units; null at the end of the text. */
  readonly next: number | null
}

/** What of a text is folded away: places in it, in UTF-16 units. */
export interface TextFolds {
  /** From where on all is an earlier e-mail. */
  readonly history: number
  readonly signatures: readonly { readonly from: number; readonly end: number }[]
}

/** What a page holds at most, so that drawing one is quick whatever is in it. */
const PAGE = { characters: 40_000, lines: 600, links: 400 } as const

/** Characters of a line in a script that is laid out in time with the square of its length. */
const PARAGRAPH = 2000

/** What a character of such a line and a run of signs weigh, in characters of other lines. */
const WEIGHTS = { shaped: 2, signs: 120 } as const

/** More blank lines in a row than these are left out: nobody scrolls through a void. */
const BLANK_LINES = 12

/** Links are looked for in stretches of this length, which bounds the time however a line is made. */
const STRETCH = 4000

/** Any letters may end a host name: which of them exist changes, and those of examples do not. */
const createFinder = (): LinkifyIt =>
  new LinkifyIt({
    fuzzyEmail: true,
    fuzzyLink: false,
    urlAuth: true,
    tlds: ['[a-z\\u00a1-\\uffff]{2,63}'],
  })
    .add('ftp:', null)
    .add('//', null)
const usual = createFinder()

/** Where a `mailto:` goes on behind whom it writes to (RFC 6068), without the full stop of a sentence. */
const FIELDS = /^\?[\w.~!$&'*+,;=:@/?%-]*[\w~$&*+=@/%-]/

/** With what people expect beside: a host that begins with `www.`, and all of a `mailto:`. */
const finder = createFinder()
  .add('www.', {
    validate: (text: string, at: number) => {
      const host = '//www.'
      const length = usual.testSchemaAt(host + text.slice(at, at + STRETCH), 'https:', 0)
      const rest = Math.max(0, length - host.length)
      return /^[^/?#]+\.[^/?#]/.test(text.slice(at, at + rest)) ? rest : 0
    },
    normalize: (match) => {
      match.url = `https://${match.url}`
    },
  })
  .add('mailto:', {
    validate: (text: string, at: number) => {
      const length = usual.testSchemaAt(text, 'mailto:', at)
      const fields = length === 0 ? null : FIELDS.exec(text.slice(at + length, at + length + STRETCH))
      return length + (fields?.[0].length ?? 0)
    },
  })

/** Where a stretch that starts at `from` ends: behind a blank where there is one, so that no address is cut. */
const endOfStretch = (line: string, from: number): number => {
  const end = from + STRETCH
  if (end >= line.length) return line.length
  const blank = line.slice(from, end).lastIndexOf(' ')
  return blank === -1 ? end : from + blank + 1
}

/**
 * Finds web and e-mail addresses in a line.
 * @param most how many of them become links
 */
export const linkify = (line: string, most: number = PAGE.links): readonly TextPiece[] => {
  const pieces: TextPiece[] = []
  let end = 0
  let found = 0
  for (let from = 0; from < line.length && found < most; from = endOfStretch(line, from)) {
    for (const match of finder.match(line.slice(from, endOfStretch(line, from))) ?? []) {
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

const MARKS = /^>[> ]*/

/** How often a line is quoted: `>> said` and `> > said` twice. */
const depthOf = (line: string): number => {
  let depth = 0
  for (const sign of MARKS.exec(line)?.[0] ?? '') if (sign === '>') depth += 1
  return depth
}

const unquote = (line: string): string => line.replace(/^>(?: ?>)*[ ]?/, '')

/** Characters. In a text that is longer nothing is folded: all of it would have to be read before its first line is drawn. */
const FOLDED = 400_000

/** Characters of a line by which it is known what it is. */
const KNOWN_BY = 500

/**
 * What of an e-mail's text is folded away, by the rules of RFC 3676 (`>`, `-- `) and the habits of mail programs.
 * @param text made by `pageableText`
 * @param isForward whether it was sent for another e-mail that it carries
 */
export const foldsOf = (text: string, isForward = false): TextFolds => {
  if (text.length > FOLDED) return { history: text.length, signatures: [] }
  const starts: number[] = []
  const lines: MessageLine[] = []
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at)
    const length = (end === -1 ? text.length : end) - at
    starts.push(at)
    lines.push({ kind: text[at] === '>' ? 'quote' : 'text', text: text.slice(at, at + Math.min(length, KNOWN_BY)) })
    at += length + 1
  }
  const startOf = (line: number): number => starts[line] ?? text.length
  const { history, signatures } = findFolds(lines, isForward)
  return {
    history: history === null ? text.length : startOf(history),
    signatures: signatures.map(({ from, end }) => ({ from: startOf(from), end: startOf(end) })),
  }
}

/** Space between blocks is the style sheet's; a blank line at a block's edge would add to it. */
const withoutOuterBlanks = (block: TextBlock): TextBlock => {
  const isBlank = (line: readonly TextPiece[]): boolean => line.every((piece) => piece.text.trim() === '')
  const first = block.lines.findIndex((line) => !isBlank(line))
  const last = block.lines.findLastIndex((line) => !isBlank(line))
  return { ...block, lines: first === -1 ? [] : block.lines.slice(first, last + 1) }
}

/** As much of a line as a browser lays out in bearable time, up to a blank where there is one. */
const withinParagraph = (line: string): string => {
  if (line.length <= PARAGRAPH || !isShaped(line)) return line
  const blank = line.slice(0, PARAGRAPH).lastIndexOf(' ')
  return line.slice(0, blank === -1 ? PARAGRAPH : blank + 1)
}

/** What every address has that becomes a link. */
const ADDRESS = /:\/\/|@/g

/** As much of a line as has no more addresses than `most`, up to a blank; the whole where there is no blank to cut at. */
const withinLinks = (line: string, most: number): { readonly line: string; readonly links: number } => {
  let links = 0
  for (const { index } of line.matchAll(ADDRESS)) {
    if (links === most) {
      const blank = line.lastIndexOf(' ', index)
      return { line: blank === -1 ? line : line.slice(0, blank + 1), links }
    }
    links += 1
  }
  return { line, links }
}

/** As much of a line as has no more runs of signs than there is room for. */
const withinSigns = (line: string, room: number): { readonly line: string; readonly signs: number } => {
  const most = Math.max(1, Math.floor(room / WEIGHTS.signs))
  const place = placeOfSignRun(line, most)
  return { line: line.slice(0, place.at), signs: place.before }
}

interface PlacedLine {
  readonly line: string
  /** Where it begins in the text. */
  readonly at: number
}

/** The lines of a page, and where the page ends. @param text with `\n` alone between its lines */
const linesFrom = (text: string, from: number): { readonly lines: readonly PlacedLine[]; readonly end: number } => {
  const lines: PlacedLine[] = []
  let at = from
  let room: number = PAGE.characters
  let blank = 0
  let links = 0
  while (at < text.length && room > 0 && lines.length < PAGE.lines && links < PAGE.links) {
    const stretch = text.slice(at, at + room)
    const length = stretch.indexOf('\n')
    const whole = length === -1 ? stretch : stretch.slice(0, length)
    const { line: linked, links: found } = withinLinks(withinParagraph(whole), PAGE.links - links)
    const { line, signs } = withinSigns(linked, room)
    links += found
    const isWhole = line === whole && (length !== -1 || at + room >= text.length)
    // A sign outside the basic plane is not cut in two.
    const kept = isWhole ? line : line.replace(/[\ud800-\udbff]$/, '')
    const start = at
    at += kept.length + (isWhole ? 1 : 0)
    blank = kept.trim() === '' ? blank + 1 : 0
    if (blank > BLANK_LINES) continue
    lines.push({ line: kept, at: start })
    room -= kept.length * (isShaped(kept) ? WEIGHTS.shaped : 1) + signs * WEIGHTS.signs + 1
  }
  return { lines, end: Math.min(at, text.length) }
}

/** The text of an e-mail as `readPage` takes it: one sign for the end of a line, and none at the end of the text. */
export const pageableText = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd()

/**
 * Reads a page of an e-mail's text, taken apart into what it says, what it quotes and what is folded away. It takes time in
 * proportion to the page, not to the text.
 * @param text made by `pageableText`
 * @param folds made by `foldsOf` of the same text
 * @param from where the page before it has ended
 */
export const readPage = (text: string, folds: TextFolds, from = 0): TextPage => {
  const { lines, end } = linesFrom(text, from)
  const foldAt = (at: number): TextBlock['fold'] => {
    if (at >= folds.history) return 'history'
    return folds.signatures.some((signature) => at >= signature.from && at < signature.end) ? 'signature' : null
  }
  const blocks: { depth: number; fold: TextBlock['fold']; lines: (readonly TextPiece[])[] }[] = []
  let links = 0
  for (const { line, at } of lines) {
    const fold = foldAt(at)
    if (fold === 'signature' && isSignatureMark(line)) continue
    const depth = depthOf(line)
    const pieces = linkify(calmText(depth > 0 ? unquote(line) : line), PAGE.links - links)
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

/** What of a page is marked, by its pieces. A phrase may go on in the next line. */
export const markPage = ({ blocks }: TextPage, terms: readonly WordTerm[]): ReadonlyMap<TextPiece, readonly Span[]> => {
  if (terms.length === 0) return new Map()
  const pieces = blocks.flatMap(({ lines }) =>
    lines.flatMap((line) => line.map((piece, place) => ({ piece, text: piece.text, isApart: place === 0 }))),
  )
  const spans = markPieces(pieces, terms)
  return new Map(pieces.map(({ piece }, index) => [piece, spans[index] ?? []]))
}
