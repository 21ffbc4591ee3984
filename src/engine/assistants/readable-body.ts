import { findFolds } from '../../shared/history/find-history.ts'
import { seenText } from '../../shared/visible-text.ts'
import { comparableAddress } from './link-target.ts'
import type { TextLine } from './page-lines.ts'
import { visiblePage, type VisiblePage } from './visible-page.ts'

export interface ReadableBody {
  /** A stranger's words, in lines: what a person sees of the e-mail, and nothing else. */
  readonly text: string
  /** Which part it is made of; `none` where the e-mail has no body. */
  readonly madeOf: 'text' | 'html' | 'none'
  /** Whether the text part has words that the formatted one shows nobody. They are left out. */
  readonly differs: boolean
  /** Whether words may be in it that nobody sees: the HTML or its styles are beyond what can be read. */
  readonly isUnsure: boolean
  /** How many lines of earlier e-mails at its end were left out. */
  readonly folded: { readonly lines: number }
  readonly isCut: boolean
  /** Characters that the text would have if it were not cut. */
  readonly length: number
}

export interface ReadableBodyOptions {
  /** Whether earlier e-mails at the end stay. */
  readonly whole?: boolean
  /** Characters that the text may have at most. */
  readonly most?: number
  /** Whether the e-mail was sent for another one that it carries (`isForwardSubject`), which then stays. */
  readonly isForward?: boolean
}

const MOST = 20_000

/** Characters of a line by which it is known what it is. */
const LINE = 500

/** Addresses in a text, with what they are put in. */
const ADDRESSES = /(?:https?:\/\/|mailto:|www\.)[^\s<>"”)\]]+/gi
/** What programs write in the place of a picture, or of a link that they do not show. */
const PLACES = /\[(?:image|cid|bild|imagen?|picture|inline image)\s*:[^\][]{0,300}\]/gi
const BULLETS = /^[ \t>]{0,40}(?:[-*•·+o]|\d{1,3}[.)])[ \t]/gm

/** Words as they are compared: by their letters and figures alone. */
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
  /** Whether the text has words that the page does not show. */
  readonly differs: boolean
  /** Whether the text says the same words in the same order, and each address that the page leads to. */
  readonly isSame: boolean
}

/** Compares the text part of an e-mail with what its formatted part shows. */
const compare = (text: string, { bare, pictures, targets }: VisiblePage): Agreement => {
  const shown = wordsOf(bare.replace(ADDRESSES, ' '))
  const known = new Set([...shown, ...wordsOf(pictures.join(' ')), ...wordsOf(bare)])
  const reduced = text.replace(BULLETS, ' ').replace(ADDRESSES, ' ')
  const differs = wordsOf(reduced.replace(PLACES, ' ')).some((word) => !known.has(word))
  const said = wordsOf(reduced)
  const hasSameWords = said.length === shown.length && said.every((word, place) => word === shown[place])
  if (differs || !hasSameWords) return { differs, isSame: false }
  const addresses = new Set((text.match(ADDRESSES) ?? []).flatMap((address) => comparableAddress(address) ?? []))
  const led = new Set(targets.map(({ address }) => address))
  const seen = new Set((bare.match(ADDRESSES) ?? []).flatMap((address) => comparableAddress(address) ?? []))
  const isLed = [...addresses].every((address) => led.has(address) || seen.has(address))
  const isToldOf = targets.every(({ address, isSaid }) => isSaid || addresses.has(address))
  return { differs, isSame: isLed && isToldOf }
}

/** Takes empty lines from the ends, and all but one where several follow each other. */
const calm = (lines: readonly TextLine[]): readonly TextLine[] => {
  const isEmpty = (line: TextLine | undefined): boolean => line === undefined || line.text.trim() === ''
  const kept = lines.filter((line, place) => !isEmpty(line) || !isEmpty(lines[place - 1]))
  return isEmpty(kept.at(-1)) ? kept.slice(0, -1) : kept
}

const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = text.lastIndexOf('\n', most)
  return end > most / 2 ? text.slice(0, end) : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

const NO_FOLDS = { history: null } as const

/**
 * What an assistant may read of an e-mail: the words that a person sees in Linnet, and nothing else. The text part is
 * given where it says what the formatted one shows, word for word; else what that shows. Earlier e-mails at the end are
 * left out and counted, by the window's rules (docs/reading.md, "What is folded"). Takes time in proportion to the size
 * of the e-mail; the bounds of what is read of HTML are those of `visiblePage`.
 */
export const readableBody = (
  { html, text }: { readonly html: string | null; readonly text: string | null },
  { whole = false, most = MOST, isForward = false }: ReadableBodyOptions = {},
): ReadableBody => {
  const page = html === null || html.trim() === '' ? null : visiblePage(html)
  const written = text === null || text.trim() === '' ? null : seenText(text)
  const { differs, isSame } =
    page !== null && written !== null ? compare(written, page) : { differs: false, isSame: false }
  const isOfText = written !== null && (page === null || isSame)
  const lines = calm(isOfText ? plainLines(written) : (page?.lines ?? []))
  const asRead = lines.map(({ kind, text: line }) => ({ kind, text: line.slice(0, LINE) }))
  const { history } = whole ? NO_FOLDS : findFolds(asRead, isForward)
  const shown = calm(lines.slice(0, history ?? lines.length))
  const folded = history === null ? 0 : lines.slice(history).filter((line) => line.text !== '').length
  const all = shown.map((line) => line.text).join('\n')
  const given = cut(all, most)
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
