import { weighSigns, weighLetters } from './calm-text.ts'

/**
 * What a window formats in one go. The figures come from measuring layout in Chromium: an ordinary newsletter has up
 * to 3,000 elements and 250,000 characters, and what is at the edge of these costs about as much as a few frames.
 */
const MOST = {
  /** Characters, with the images that it carries. */
  length: 3_000_000,
  /** Characters without those images; those beyond ASCII count twice, as the letters of other scripts cost more. */
  words: 300_000,
  /** What letters weigh that are laid out in time with the square of a paragraph's length (`weighLetters`). */
  shaped: 30_000,
  /** Runs of signs among the letters (`weighSigns`). */
  signs: 1200,
  /** Characters of style sheets. */
  styles: 120_000,
  tags: 4000,
  images: 800,
  /** Comments, each of which is looked for among all that is left where they stand before the text. */
  comments: 1500,
  /** Items of lists, which a browser counts again for each that it adds. */
  items: 2000,
  links: 1500,
  /** Style rules that each element may have to be held against. */
  comparisons: 1_500_000,
  /** Elements that a parser repeats for what is left open. */
  repeated: 30_000,
  /** Elements in each other: whatever walks through them goes down to the deepest and up again. */
  depth: 500,
} as const

/** Where these are left open, a parser opens them again in each paragraph (HTML standard, active formatting elements). */
const FORMATTING = new Set('b big code em font i s small strike strong tt u a nobr'.split(' '))

/** Elements that are closed by themselves, or need not be closed: how many of these are open says nothing of the depth. */
const UNCLOSED = new Set(
  'area base body br col colgroup dd dt embed head hr html img input li link meta option p param source tbody td tfoot th thead tr track wbr'.split(
    ' ',
  ),
)

const EMBEDDED = 'data:image/'

/** Blanks, quotes, `>` and `)`. */
const isEndOfAddress = (code: number): boolean =>
  code <= 0x20 || code === 0x22 || code === 0x27 || code === 0x3e || code === 0x29

/** How many characters of embedded images there are. They cost little: nothing but their end is looked for. */
const embeddedLength = (html: string): number => {
  let sum = 0
  for (let at = html.indexOf(EMBEDDED); at !== -1; at = html.indexOf(EMBEDDED, at)) {
    const start = at
    while (at < html.length && !isEndOfAddress(html.charCodeAt(at))) at += 1
    sum += at - start
  }
  return sum
}

/** How many characters are no ASCII. */
const countOthers = (text: string): number => {
  let found = 0
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) found += 1
  return found
}

const count = (text: string, sign: string, most: number): number => {
  let found = 0
  for (let at = text.indexOf(sign); at !== -1 && found <= most; at = text.indexOf(sign, at + 1)) found += 1
  return found
}

/** Whatever is a comment to a parser (HTML standard, tag open state and end tag open state). */
const COMMENT = /<(?:[!?]|\/[^a-z])/gi

const countComments = (html: string, most: number): number => {
  let found = 0
  for (const _ of html.matchAll(COMMENT)) {
    found += 1
    if (found > most) break
  }
  return found
}

const TAG = /<(\/?)([a-z][a-z\d]{0,9})/gi

/**
 * Whether formatting an e-mail would keep a window from answering. It looks at each character once and takes whatever
 * looks like a tag for one, in an attribute too, so that it errs on the side of "heavy".
 */
export const isHeavyHtml = (html: string): boolean => {
  if (html.length > MOST.length) return true
  const isLong = html.length > MOST.words / 2
  if (isLong && html.length - embeddedLength(html) + countOthers(html) > MOST.words) return true
  if (weighSigns(html, MOST.signs) > MOST.signs) return true
  if (weighLetters(html, MOST.shaped) > MOST.shaped) return true
  if (countComments(html, MOST.comments) > MOST.comments) return true
  const open = new Map<string, number>()
  const counts = { tags: 0, images: 0, links: 0, items: 0, open: 0, repeated: 0, depth: 0, styles: 0 }
  /** Where the style sheet begins whose end was not met yet. */
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
    if (counts.tags > MOST.tags || counts.images > MOST.images || counts.links > MOST.links) return true
    if (counts.items > MOST.items || counts.repeated > MOST.repeated || counts.depth > MOST.depth) return true
  }
  if (counts.styles + (sheet === null ? 0 : html.length - sheet) > MOST.styles) return true
  return count(html, '{', MOST.comparisons / counts.tags) * counts.tags > MOST.comparisons
}
