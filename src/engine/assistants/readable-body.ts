import { findFolds } from '../../shared/history/message-folds.ts'
import { stripHiddenCharacters } from '../../shared/visible-text.ts'
import { toComparableAddress } from './link-target.ts'
import type { TextLine } from './page-lines.ts'
import { extractVisiblePage, type VisiblePage } from './visible-page.ts'

export interface ReadableBody {
  /** Untrusted: exactly the words visible in the e-mail. */
  readonly text: string
  /** Source of the text; `none` without a body. */
  readonly madeOf: 'text' | 'html' | 'none'
  /** True if the text part has words that the HTML never shows. They are left out. */
  readonly differs: boolean
  /** True if hidden words may be included, because the HTML or its styles exceed what can be read. */
  readonly isUnsure: boolean
  /** Trailing lines of earlier e-mails that were left out. */
  readonly folded: { readonly lines: number }
  readonly isCut: boolean
  /** Characters before truncation. */
  readonly length: number
}

export interface ReadableBodyOptions {
  /** True to keep earlier e-mails at the end. */
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

const plainLines = (text: string): readonly TextLine[] =>
  text.split('\n').map((line) => {
    const shown = line.trimEnd()
    return { kind: /^\s{0,3}>/.test(shown) ? 'quote' : 'text', text: shown }
  })

interface Agreement {
  /** True if the text has words that the page doesn't show. */
  readonly differs: boolean
  /** True if the text has the same words in order, and every link address. */
  readonly isSame: boolean
}

const compare = (text: string, { bare, pictures, targets }: VisiblePage): Agreement => {
  const shown = wordsOf(bare.replace(ADDRESSES, ' '))
  const known = new Set([...shown, ...wordsOf(pictures.join(' ')), ...wordsOf(bare)])
  const reduced = text.replace(BULLETS, ' ').replace(ADDRESSES, ' ')
  const differs = wordsOf(reduced.replace(PLACEHOLDERS, ' ')).some((word) => !known.has(word))
  const said = wordsOf(reduced)
  const hasSameWords = said.length === shown.length && said.every((word, place) => word === shown[place])
  if (differs || !hasSameWords) return { differs, isSame: false }
  const addresses = new Set((text.match(ADDRESSES) ?? []).flatMap((address) => toComparableAddress(address) ?? []))
  const led = new Set(targets.map(({ address }) => address))
  const seen = new Set((bare.match(ADDRESSES) ?? []).flatMap((address) => toComparableAddress(address) ?? []))
  const isLed = [...addresses].every((address) => led.has(address) || seen.has(address))
  const isToldOf = targets.every(({ address, isSaid }) => isSaid || addresses.has(address))
  return { differs, isSame: isLed && isToldOf }
}

/** Trims and collapses empty lines. */
const collapseEmptyLines = (lines: readonly TextLine[]): readonly TextLine[] => {
  const isEmpty = (line: TextLine | undefined): boolean => line === undefined || line.text.trim() === ''
  const kept = lines.filter((line, place) => !isEmpty(line) || !isEmpty(lines[place - 1]))
  return isEmpty(kept.at(-1)) ? kept.slice(0, -1) : kept
}

const truncate = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = text.lastIndexOf('\n', most)
  return end > most / 2 ? text.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

const NO_FOLDS = { history: null } as const

/**
 * The words of an e-mail visible in Linnet, for assistants. Uses the text part if it matches the visible HTML word for
 * word, else that HTML. Earlier e-mails are counted and left out as in the window (docs/reading.md, "What is folded").
 * Linear in size.
 */
export const extractReadableBody = (
  { html, text }: { readonly html: string | null; readonly text: string | null },
  { whole = false, most = DEFAULT_MAX_CHARACTERS, isForward = false }: ReadableBodyOptions = {},
): ReadableBody => {
  const page = html === null || html.trim() === '' ? null : extractVisiblePage(html)
  const written = text === null || text.trim() === '' ? null : stripHiddenCharacters(text)
  const { differs, isSame } =
    page !== null && written !== null ? compare(written, page) : { differs: false, isSame: false }
  const isOfText = written !== null && (page === null || isSame)
  const lines = collapseEmptyLines(isOfText ? plainLines(written) : (page?.lines ?? []))
  const asRead = lines.map(({ kind, text: line }) => ({ kind, text: line.slice(0, EXAMINED_LINE_LENGTH) }))
  const { history } = whole ? NO_FOLDS : findFolds(asRead, isForward)
  const shown = collapseEmptyLines(lines.slice(0, history ?? lines.length))
  const folded = history === null ? 0 : lines.slice(history).filter((line) => line.text !== '').length
  const all = shown.map((line) => line.text).join('\n')
  const given = truncate(all, most)
  return {
    text: given,
    madeOf: isOfText ? 'text' : page === null ? 'none' : 'html',
    differs,
    isUnsure: page?.isUnsure === true,
    folded: { lines: folded },
    isCut: given.length < all.length,
    length: all.length,
  }
}
