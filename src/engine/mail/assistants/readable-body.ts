import { isSignatureDelimiter } from '../../../shared/history/history-terms.ts'
import { findFolds } from '../../../shared/history/message-folds.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import { extractVisiblePage, type PageLine, type VisiblePage } from './visible-page.ts'

export interface ReadableBody {
  /** Untrusted. Lines that aren't surely visible begin with `UNSURE_MARK`, unless no line is. */
  readonly text: string
  /** Addresses of links, which the text numbers from 1. Untrusted, and not drawn in the e-mail. */
  readonly links: readonly string[]
  /** Alternative text of pictures, likewise. */
  readonly pictures: readonly string[]
  /** Source of the text; `none` without a body. */
  readonly madeOf: 'text' | 'html' | 'none'
  /** True if the text part has words that the HTML never shows. They are left out. */
  readonly differs: boolean
  /** Lines of the text that the reader surely shows. `some` if the others are marked. */
  readonly sure: 'all' | 'some' | 'none'
  /** Lines of earlier e-mails and signatures that were left out. */
  readonly folded: { readonly lines: number }
  readonly isCut: boolean
  /** Characters before truncation. */
  readonly length: number
}

/** Begins lines that the reader may not show. Mail can write it, too, but can't take it away. */
export const UNSURE_MARK = '[may be hidden] '

export interface ReadableBodyOptions {
  /** True to keep earlier e-mails and signatures, which aren't sure. */
  readonly whole?: boolean
  /** Maximum characters. */
  readonly most?: number
  /** True for a forward (`isForwardSubject`), whose forwarded e-mail is kept. */
  readonly isForward?: boolean
}

const DEFAULT_MAX_CHARACTERS = 20_000

/** Number of leading characters examined to determine whether a line is quoted history. */
const EXAMINED_LINE_LENGTH = 500

/** Addresses, including their delimiters. */
const ADDRESSES = /(?:https?:\/\/|mailto:|www\.)[^\s<>"”)\]]+/gi
/** Placeholders for images or for links not shown. */
const PLACEHOLDERS = /\[(?:image|cid|bild|imagen?|picture|inline image)\s*:[^\][]{0,300}\]/gi
const BULLETS = /^[ \t>]{0,40}(?:[-*•·+o]|\d{1,3}[.)])[ \t]/gm

/** Words for comparison: letters and digits only. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []

const plainLines = (text: string): readonly PageLine[] =>
  text.split('\n').map((line) => ({
    ...{ kind: 'text', isSure: true },
    text: isSignatureDelimiter(line) ? line : line.trimEnd(),
  }))

/** True if the text part has words that the HTML doesn't have. */
const saysMore = (text: string, { bare, pictures }: VisiblePage): boolean => {
  const known = new Set([...wordsOf(bare), ...wordsOf(pictures.join(' '))])
  const words = text.replace(BULLETS, ' ').replace(ADDRESSES, ' ').replace(PLACEHOLDERS, ' ')
  return wordsOf(words).some((word) => !known.has(word))
}

/** Trims and collapses empty lines. */
const collapseEmptyLines = (lines: readonly PageLine[]): readonly PageLine[] => {
  const isEmpty = (line: PageLine | undefined): boolean => line === undefined || line.text.trim() === ''
  const kept = lines.filter((line, place) => !isEmpty(line) || !isEmpty(lines[place - 1]))
  return isEmpty(kept.at(-1)) ? kept.slice(0, -1) : kept
}

const truncate = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = text.lastIndexOf('\n', most)
  return end > most / 2 ? text.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/**
 * The words of an e-mail as Linnet shows them, for assistants. The text part counts only if there is no HTML. Earlier
 * e-mails and signatures are left out and counted where the window folds them (docs/reading.md, "What is folded").
 * Linear in size.
 */
export const extractReadableBody = (
  { html, text }: { readonly html: string | null; readonly text: string | null },
  { whole = false, most = DEFAULT_MAX_CHARACTERS, isForward = false }: ReadableBodyOptions = {},
): ReadableBody => {
  const page = html === null || html.trim() === '' ? null : extractVisiblePage(html, isForward)
  const written = text === null || text.trim() === '' ? null : stripHiddenCharacters(text)
  const lines = collapseEmptyLines(page?.lines ?? plainLines(written ?? ''))
  const asRead = lines.map(({ kind, text: line }) => ({ kind, text: line.slice(0, EXAMINED_LINE_LENGTH) }))
  const { history, signatures } = findFolds(asRead, isForward)
  const isFolded = (place: number): boolean =>
    place >= (history ?? lines.length) || signatures.some(({ from, end }) => place >= from && place < end)
  // Nobody sees what is folded before a click.
  const unfolded = lines.flatMap((line, place) => (isFolded(place) ? (whole ? { ...line, isSure: false } : []) : line))
  const shown = collapseEmptyLines(unfolded)
  const folded = whole ? 0 : lines.filter(({ text: line }, place) => line !== '' && isFolded(place)).length
  const spoken = shown.filter(({ text: line }) => line !== '')
  const sure = spoken.every(({ isSure }) => isSure) ? 'all' : spoken.some(({ isSure }) => isSure) ? 'some' : 'none'
  const all = shown
    .map((line) => (sure === 'some' && line.text !== '' && !line.isSure ? `${UNSURE_MARK}${line.text}` : line.text))
    .join('\n')
  const given = truncate(all, most)
  return {
    text: given,
    links: page?.links ?? [],
    pictures: page?.pictures ?? [],
    madeOf: page !== null ? 'html' : written === null ? 'none' : 'text',
    differs: page !== null && written !== null && saysMore(written, page),
    sure,
    folded: { lines: folded },
    isCut: given.length < all.length,
    length: all.length,
  }
}
