import { countMatches, estimateSignCost, estimateLetterCost } from './limit-shaping.ts'

/**
 * Limits on what the window lays out at once, measured in Chromium. A normal newsletter has up to 3,000 elements and
 * 250,000 characters; mail at these limits takes a few frames.
 */
const LIMITS = {
  /** Characters, including embedded images. */
  length: 3_000_000,
  /** Characters without embedded images. Non-ASCII characters count twice, since other scripts cost more to lay out. */
  words: 300_000,
  /** Weight of letters whose layout time grows with the square of the paragraph length (`estimateLetterCost`). */
  shaped: 30_000,
  /** Runs of symbols (`estimateSignCost`). */
  signs: 1200,
  styles: 120_000,
  tags: 4000,
  images: 800,
  /** The parser searches the entire rest of the HTML for the end of each comment before the text. */
  comments: 1500,
  /** List items, which a browser recounts each time it adds one. */
  items: 2000,
  links: 1500,
  /** Style rules times elements. */
  comparisons: 1_500_000,
  /** Elements that the parser repeats because others are left open. */
  repeated: 30_000,
  /** Nesting depth: every tree walk descends to the bottom. */
  depth: 500,
  /** Depth of brackets in style sheets. */
  brackets: 100,
} as const

/** Reopened by the parser in every paragraph if left open (HTML standard, active formatting elements). */
export const FORMATTING = new Set('b big code em font i s small strike strong tt u a nobr'.split(' '))

/** Elements that need no end tag, so an open one says nothing about the nesting depth. */
const UNCLOSED = new Set(
  'area base body br col colgroup dd dt embed head hr html img input li link meta option p param source tbody td tfoot th thead tr track wbr'.split(
    ' ',
  ),
)

/** Embedded images cost little, since the parser only searches for their end. */
const EMBEDDED = /data:image\/[^\s"'>)]*/g
const NON_ASCII = /[\u0080-\uffff]+/g

const measureMatches = (text: string, pattern: RegExp): number => {
  let length = 0
  for (const [match] of text.matchAll(pattern)) length += match.length
  return length
}

/** Everything the parser treats as a comment (HTML standard, tag open and end tag open states). */
const COMMENT = /<(?:[!?]|\/[^a-z])/gi

/**
 * Number of open brackets after a part of a style sheet, or Infinity if they are nested more deeply than any mail needs.
 * Chromium's parser descends to the innermost bracket, and crashes at some thousands. @param open brackets before it
 */
export const countOpenBrackets = (css: string, open = 0): number => {
  let depth = open
  for (const [bracket] of css.matchAll(/[()[\]{}]/g)) {
    depth = /[([{]/.test(bracket) ? depth + 1 : Math.max(0, depth - 1)
    if (depth > LIMITS.brackets) return Infinity
  }
  return depth
}

const SHEET = /<style\b[^]*?(?:<\/style|$)/gi

const TAG = /<(\/?)([a-z][a-z\d]{0,9})/gi

/** True if layout would block the window. Counts anything that looks like a tag, so it errs towards "heavy". Linear. */
export const isHeavyHtml = (html: string): boolean => {
  if (html.length > LIMITS.length) return true
  const isLong = html.length > LIMITS.words / 2
  if (isLong && html.length - measureMatches(html, EMBEDDED) + measureMatches(html, NON_ASCII) > LIMITS.words)
    return true
  if (estimateSignCost(html, LIMITS.signs) > LIMITS.signs) return true
  if (estimateLetterCost(html, LIMITS.shaped) > LIMITS.shaped) return true
  if (countMatches(html, COMMENT, LIMITS.comments) > LIMITS.comments) return true
  for (const [sheet] of html.matchAll(SHEET)) if (countOpenBrackets(sheet) === Infinity) return true
  const open = new Map<string, number>()
  const counts = { tags: 0, images: 0, links: 0, items: 0, open: 0, repeated: 0, depth: 0, styles: 0 }
  /** Start of the unclosed style sheet, or null. */
  let sheet: number | null = null
  for (const match of html.matchAll(TAG)) {
    const name = (match[2] ?? '').toLowerCase()
    const isFormatting = FORMATTING.has(name)
    const opened = open.get(name) ?? 0
    if (name === 'style' && match[1] === '') sheet ??= match.index
    if (match[1] === '/') {
      if (name === 'style' && sheet !== null) {
        counts.styles += match.index - sheet
        sheet = null
      }
      if (counts.depth > 0 && !UNCLOSED.has(name)) counts.depth -= 1
      if (opened > 0) {
        open.set(name, opened - 1)
        counts.open -= 1
      }
      continue
    }
    counts.tags += 1
    if (!UNCLOSED.has(name)) counts.depth += 1
    if (name === 'img') counts.images += 1
    if (name === 'a') counts.links += 1
    if (name === 'li') counts.items += 1
    counts.repeated += counts.open
    if (isFormatting) {
      open.set(name, opened + 1)
      counts.open += 1
    }
    if (counts.tags > LIMITS.tags || counts.images > LIMITS.images || counts.links > LIMITS.links) return true
    if (counts.items > LIMITS.items || counts.repeated > LIMITS.repeated || counts.depth > LIMITS.depth) return true
  }
  if (counts.styles + (sheet === null ? 0 : html.length - sheet) > LIMITS.styles) return true
  return countMatches(html, /\{/g, LIMITS.comparisons / counts.tags) * counts.tags > LIMITS.comparisons
}
