import { DATA_ELEMENTS } from '../../shared/data-elements.ts'
import type { MessageLine } from '../../shared/history/message-folds.ts'
import { isForwardLine, isAttribution } from '../../shared/history/history-terms.ts'
import { INLINE_ELEMENTS } from '../../shared/search/inline-elements.ts'
import {
  isTextHidden,
  DEFAULT_PAGE_STYLE,
  computeElementStyle,
  type InheritedStyle,
} from '../../shared/css/hidden-style.ts'
import type { DeclaredValues } from '../../shared/css/style-rules.ts'
import { toComparableAddress, describeLinkTarget } from './link-target.ts'
import { GAP_WIDTHS, PageLines, type TextLine } from './page-lines.ts'
import { iterateElements, collectPageStyles, type PageStyles } from './page-styles.ts'
import { type PageElement, parseHtmlPage } from './html-page.ts'
import { quoteUntrustedText } from './quoting.ts'
import { evaluateNumber, parseCssValue } from '../../shared/css/css-values.ts'

export interface VisiblePage {
  readonly lines: readonly TextLine[]
  /** Visible words without annotations of links, pictures and lists. */
  readonly bare: string
  readonly pictures: readonly string[]
  /** Normalised link targets; `isSaid` if the text names them. */
  readonly targets: readonly { readonly address: string; readonly isSaid: boolean }[]
  /** True if hidden words may be included, because styles or HTML exceed the limits. */
  readonly isUnsure: boolean
}

const SKIPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['script', 'style', 'title', 'template', 'noscript', 'svg', 'math', 'textarea', 'select', 'frameset', 'embed'],
  ...['applet', 'input', 'optgroup', 'option', 'param', 'track', 'source', 'meta', 'link', 'base'],
  ...DATA_ELEMENTS,
])

const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'table', 'ul', 'ol', 'dl', 'hr', 'figure'],
])

/** Inline elements without text. */
const INLINE_TAGS: ReadonlySet<string> = new Set([
  ...INLINE_ELEMENTS,
  ...[
    'img',
    'label',
    'q',
    'cite',
    'dfn',
    'var',
    'samp',
    'time',
    'data',
    'del',
    'strike',
    'nobr',
    'acronym',
    'ruby',
    'rt',
  ],
  ...['button', 'output', 'bdo', 'map', 'tbody', 'thead', 'tfoot'],
])

const PREFORMATTED = /^\s*(?:pre|pre-wrap|pre-line|break-spaces)\b/i
const BLOCKS = /^\s*(?:block|flex|grid|table|list-item|flow-root)\b/i

/** Maximum characters of alternative text, which is untrusted. */
const MAX_ALT_TEXT_LENGTH = 120

/** In pixels. Pictures with a side this small are trackers. */
const SMALLEST_PICTURE = 3

interface OpenElement {
  readonly element: PageElement
  readonly style: InheritedStyle
  readonly kind: MessageLine['kind']
  readonly isWritten: boolean
  readonly isBlock: boolean
  /** Next item number of a list; null if unnumbered. */
  count: number | null
  next: number
  /** True in a closed `details`: only the summary is visible. */
  readonly isClosed: boolean
  /** Letter count at the element's end beyond which letters are clipped. */
  readonly mostLetters: number
}

/** WCAG contrast below which words count as hidden, regardless of the sender's intent. */
const MIN_CONTRAST = 1.3

/** Remote images aren't loaded by default, so words readable only on them are hidden. */
const PAPER: InheritedStyle = { ...DEFAULT_PAGE_STYLE, hasPictures: false }

const hidesText = (style: InheritedStyle): boolean => isTextHidden(style, MIN_CONTRAST)

const isSmallPicture = (element: PageElement): boolean =>
  ['width', 'height'].some((side) => {
    const size = Number.parseFloat(element.getAttribute(side) ?? '')
    return size <= SMALLEST_PICTURE
  })

const gapOf = (name: string): (typeof GAP_WIDTHS)[keyof typeof GAP_WIDTHS] => {
  if (name === 'td' || name === 'th') return GAP_WIDTHS.cell
  if (PARAGRAPHS.has(name)) return GAP_WIDTHS.paragraph
  return INLINE_TAGS.has(name) ? GAP_WIDTHS.none : GAP_WIDTHS.line
}

/** Assumed screen width in pixels. */
const SCREEN_WIDTH = 1000

/** Minimum letter width and line height, relative to the font size. */
const LETTER = { width: 0.35, height: 1 } as const

const CUTS = /^\s*(?:hidden|clip)\b/i

/** Maximum letters visible in a clipping element, or null. @param size font size in pixels */
const visibleLetters = (declared: DeclaredValues, size: number): number | null => {
  const lengthOf = (...properties: readonly string[]): number =>
    Math.min(
      ...properties.map((property) => {
        const [first] = parseCssValue(declared.get(property)?.[0] ?? '')
        if (first === undefined || (first.kind === 'number' && first.unit === '%')) return Infinity
        return evaluateNumber(first, { em: size, whole: 100 }) ?? Infinity
      }),
    )
  const isCut = ['overflow', 'overflow-y', 'overflow-x'].some((name) => CUTS.test(declared.get(name)?.[0] ?? ''))
  if (!isCut) return null
  const width = Math.min(SCREEN_WIDTH, lengthOf('width', 'max-width'))
  const isOneLine = /^\s*(?:nowrap|pre)\s*$/i.test(declared.get('white-space')?.[0] ?? '')
  const lines = isOneLine
    ? 1
    : Math.min(lengthOf('line-clamp'), lengthOf('height', 'max-height') / (size * LETTER.height))
  return lines === Infinity ? null : Math.ceil(lines) * Math.ceil(width / (size * LETTER.width))
}

/** Limits when looking for an element's first words. */
const BEGINNING = { characters: 500, pieces: 60 } as const

const beginningOf = (element: PageElement): string => {
  const open: (PageElement | string)[] = [element]
  let words = ''
  for (let pieces = 0; pieces < BEGINNING.pieces && words.trim().length < BEGINNING.characters; pieces += 1) {
    const next = open.pop()
    if (next === undefined) break
    if (typeof next === 'string') words += next.slice(0, BEGINNING.characters)
    else {
      const { children } = next
      for (let index = Math.min(children.length, BEGINNING.pieces) - 1; index >= 0; index -= 1) {
        const child = children[index]
        if (child !== undefined) open.push(child)
      }
    }
  }
  return words.trim().slice(0, BEGINNING.characters)
}

/** Wrappers that mail programs put around quoted mail (Apple Mail, Thunderbird, Gmail, Proton, Yahoo, Tuta, Zoho). */
const isQuote = (element: PageElement): boolean => {
  const { localName, classes } = element
  if (localName === 'blockquote') {
    if (element.getAttribute('type')?.toLowerCase() === 'cite') return true
    if (['gmail_quote', 'protonmail_quote', 'tutanota_quote'].some((name) => classes.has(name))) return true
  }
  if (classes.has('yahoo_quoted') || classes.has('zmail_extra')) return true
  const written = element.getAttribute('class') ?? ''
  return written.startsWith('ydp') && written.endsWith('yahoo_quoted')
}

/** May wrap a quote, its introduction and inline replies. Without an inner quote, the wrapper is the quote. */
const isQuoteWrapper = ({ localName, classes }: PageElement): boolean =>
  localName === 'div' && ['gmail_quote', 'protonmail_quote', 'gmail_extra'].some((name) => classes.has(name))

/** Everything from here is earlier mail (Outlook on the web and phones, Windows Mail). */
const startsHistory = (element: PageElement): boolean => {
  const id = (element.getAttribute('id') ?? '').toLowerCase()
  return (
    /(?:appendonsend|divrplyfwdmsg)$|^(?:mail-editor-reference-message-container|olk_src_body_section)$/.test(id) ||
    element.classes.has('ms-outlook-mobile-reference-message')
  )
}

const findQuoteAncestors = (elements: Iterable<PageElement>): ReadonlySet<PageElement> => {
  const around = new Set<PageElement>()
  for (const element of elements) {
    if (!isQuote(element)) continue
    for (let { parent } = element; parent !== null && !around.has(parent); { parent } = parent) around.add(parent)
  }
  return around
}

/** Kind of part that a mail program marked an element as, or null. */
const kindOfElement = (
  element: PageElement,
  aroundQuotes: ReadonlySet<PageElement>,
): Exclude<MessageLine['kind'], 'text' | 'signature'> | null => {
  if (startsHistory(element)) return 'history'
  const isAttribution = element.classes.has('gmail_attr') || element.classes.has('moz-cite-prefix')
  const isOne = isQuote(element) || (isQuoteWrapper(element) && !aroundQuotes.has(element))
  if (!isOne && !isAttribution) return null
  // Forwarded mail is marked like quoted mail; only its first words differ.
  if (isForwardLine(beginningOf(element))) return null
  return isOne ? 'quote' : 'introduction'
}

class PageReader {
  readonly #styles: PageStyles
  readonly #quoteAncestors: ReadonlySet<PageElement>
  readonly #out = new PageLines()
  readonly #targets: { address: string; isSaid: boolean }[] = []
  #isUnsure = false

  constructor(styles: PageStyles, aroundQuotes: ReadonlySet<PageElement>) {
    this.#styles = styles
    this.#quoteAncestors = aroundQuotes
  }

  read(root: PageElement): Omit<VisiblePage, 'isUnsure'> & { readonly isUnsure: boolean } {
    const first = {
      kind: 'text',
      isWritten: false,
      isBlock: true,
      count: null,
      isClosed: false,
      mostLetters: Infinity,
    } as const
    const open: OpenElement[] = [{ ...first, element: root, style: PAPER, next: 0 }]
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const child = last.element.children[last.next]
      last.next += 1
      if (child === undefined) {
        this.#leave(last)
        open.pop()
      } else if (typeof child !== 'string') {
        const inner = this.#enter(child, last)
        if (inner !== null) open.push(inner)
      } else if (!last.isClosed && !hidesText(last.style)) this.#out.addText(child, last.kind, last.isWritten)
    }
    return { ...this.#out.end(), targets: this.#targets, isUnsure: this.#isUnsure }
  }

  /** @returns null to skip the element */
  #enter(element: PageElement, around: OpenElement): OpenElement | null {
    const name = element.localName
    if (SKIPPED_ELEMENTS.has(name)) return null
    if (around.isClosed && !(name === 'summary' && element === around.element.elements.find(isSummary))) return null
    if (name === 'br') {
      this.#out.lineBreak()
      return null
    }
    const declared = this.#styles.of(element)
    if (declared === null) {
      this.#isUnsure = true
      return null
    }
    const style = computeElementStyle(around.style, declared, element)
    if (style === null) return null
    this.#flagUnsure(element, declared)
    if (name === 'img') {
      const words = quoteUntrustedText(element.getAttribute('alt'), MAX_ALT_TEXT_LENGTH)
      if (words !== '' && !style.isInvisible && !isSmallPicture(element)) this.#out.picture(words, around.kind)
      return null
    }
    const isBlock = gapOf(name) === GAP_WIDTHS.none && BLOCKS.test(declared.get('display')?.[0] ?? '')
    this.#out.part(isBlock ? GAP_WIDTHS.line : gapOf(name))
    if (name === 'li') this.#out.mark(around.count === null ? '- ' : `${around.count}. `)
    if (name === 'li' && around.count !== null) around.count += 1
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) this.#out.mark(`${'#'.repeat(Number(level))} `)
    if (name === 'a' && element.getAttribute('href') !== null) this.#out.beginLink()
    const room = visibleLetters(declared, style.size)
    const space = declared.get('white-space')?.[0] ?? declared.get('white-space-collapse')?.[0]
    return {
      element,
      style,
      kind: this.#kindOf(element, around),
      isWritten: name === 'pre' || (space === undefined ? around.isWritten : PREFORMATTED.test(space)),
      isBlock,
      count: name === 'ol' ? 1 : null,
      next: 0,
      isClosed: name === 'details' && element.getAttribute('open') === null,
      mostLetters: room === null ? Infinity : this.#out.letters + room,
    }
  }

  #leave({ element, style, kind, isBlock, mostLetters }: OpenElement): void {
    if (this.#out.letters > mostLetters) this.#isUnsure = true
    const name = element.localName
    const href = name === 'a' ? element.getAttribute('href') : null
    if (href !== null) {
      const words = this.#out.endLink()
      const remark = words.trim() === '' ? '' : describeLinkTarget(href, words)
      const address = toComparableAddress(href)
      if (address !== null && words.trim() !== '') this.#targets.push({ address, isSaid: remark === '' })
      if (remark !== '' && !hidesText(style)) this.#out.remark(remark, kind)
    }
    const gap = gapOf(name)
    this.#out.part(isBlock || gap === GAP_WIDTHS.cell ? (isBlock ? GAP_WIDTHS.line : GAP_WIDTHS.cell) : gap)
  }

  /** Flags content that can't be judged without layout. */
  #flagUnsure({ localName }: PageElement, declared: DeclaredValues): void {
    // Reversed text reads differently from its source order.
    const isTurned = localName === 'bdo' || declared.get('unicode-bidi')?.[0]?.includes('override') === true
    // A column's visibility affects cells that are inside rows.
    const isColumn = /^col(?:group)?$/.test(localName) && declared.has('visibility')
    if (isTurned || isColumn) this.#isUnsure = true
  }

  #kindOf(element: PageElement, around: OpenElement): MessageLine['kind'] {
    if (around.kind === 'quote' || around.kind === 'history') return 'quote'
    const marked = kindOfElement(element, this.#quoteAncestors)
    if (marked !== null) return marked
    if (element.localName === 'blockquote') {
      const [above = '', last = ''] = ['', ...this.#out.last(2).map(({ text }) => text.slice(0, 500))].slice(-2)
      if (isAttribution(last) || isAttribution(`${above} ${last}`)) return 'quote'
    }
    return around.kind
  }
}

function isSummary({ localName }: PageElement): boolean {
  return localName === 'summary'
}

/**
 * Reads an e-mail's visible HTML on a light screen, with link targets and alternative text. Beyond the limits of
 * `readPage` and `collectPageStyles` the result is unsure.
 */
export const extractVisiblePage = (html: string): VisiblePage => {
  const { root, isApproximate } = parseHtmlPage(html)
  const styles = collectPageStyles(root)
  const page = new PageReader(styles, findQuoteAncestors(iterateElements(root))).read(root)
  return { ...page, isUnsure: page.isUnsure || isApproximate || styles.isUnsure }
}
