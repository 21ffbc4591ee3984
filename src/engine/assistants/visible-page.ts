import { DATA_ELEMENTS } from '../../shared/data-elements.ts'
import type { MessageLine } from '../../shared/history/find-history.ts'
import { isForwardLine, isIntroduction } from '../../shared/history/history-words.ts'
import { WITHIN_A_LINE } from '../../shared/search/within-a-line.ts'
import { areWordsUnseen, PAGE, within, type Surroundings } from '../../shared/css/unseen-style.ts'
import type { Declared } from '../../shared/css/style-rules.ts'
import { comparableAddress, describeTarget } from './link-target.ts'
import { GAP, PageLines, type TextLine } from './page-lines.ts'
import { elementsOf, stylesOf, type PageStyles } from './page-styles.ts'
import { type PageElement, readPage } from './page.ts'
import { quoted } from './quoting.ts'
import { numberOf, readValue } from '../../shared/css/css-values.ts'

export interface VisiblePage {
  readonly lines: readonly TextLine[]
  /** The words that are seen, without what is said about links, pictures and lists. */
  readonly bare: string
  readonly pictures: readonly string[]
  /** Addresses that links lead to, as they are compared, and whether the words say them. */
  readonly targets: readonly { readonly address: string; readonly isSaid: boolean }[]
  /** Whether words may be among them that nobody sees: styles, or HTML, are more than can be read. */
  readonly isUnsure: boolean
}

const UNREAD: ReadonlySet<string> = new Set([
  ...['script', 'style', 'title', 'template', 'noscript', 'svg', 'math', 'textarea', 'select', 'frameset', 'embed'],
  ...['applet', 'input', 'optgroup', 'option', 'param', 'track', 'source', 'meta', 'link', 'base'],
  ...DATA_ELEMENTS,
])

const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'table', 'ul', 'ol', 'dl', 'hr', 'figure'],
])

/** Elements that lie within a line but are not of its words. */
const IN_LINE: ReadonlySet<string> = new Set([
  ...WITHIN_A_LINE,
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

const WRITTEN = /^\s*(?:pre|pre-wrap|pre-line|break-spaces)\b/i
const BLOCKS = /^\s*(?:block|flex|grid|table|list-item|flow-root)\b/i

/** Characters of what a picture is said to show: it is a stranger's word. */
const MOST_OF_PICTURE = 120

/** Sides of a picture, in pixels, that is there to be fetched and not to be seen. */
const SMALLEST_PICTURE = 3

interface Open {
  readonly element: PageElement
  readonly style: Surroundings
  readonly kind: MessageLine['kind']
  readonly isWritten: boolean
  readonly isBlock: boolean
  /** Of a list: the number of the next item; null for one without numbers. */
  count: number | null
  next: number
  /** Where only the summary of what is closed is seen. */
  readonly isClosed: boolean
  /** How many letters may have been said where it ends, for all of them to be seen. */
  readonly mostLetters: number
}

/** Contrast (WCAG) of words that a person can find: those of less are hidden, whatever their sender meant. */
const LEAST_CONTRAST = 1.3

/** Pictures from elsewhere are not drawn until a person asks for them: what is read on them alone is not seen. */
const PAPER: Surroundings = { ...PAGE, hasPictures: false }

const areUnseen = (style: Surroundings): boolean => areWordsUnseen(style, LEAST_CONTRAST)

const isSmallPicture = (element: PageElement): boolean =>
  ['width', 'height'].some((side) => {
    const size = Number.parseFloat(element.getAttribute(side) ?? '')
    return size <= SMALLEST_PICTURE
  })

const gapOf = (name: string): (typeof GAP)[keyof typeof GAP] => {
  if (name === 'td' || name === 'th') return GAP.cell
  if (PARAGRAPHS.has(name)) return GAP.paragraph
  return IN_LINE.has(name) ? GAP.none : GAP.line
}

/** The screen that mail is taken to be read on, in pixels. */
const SCREEN_WIDTH = 1000

/** Parts of the letters' size: how wide one is at least, and how high a line. */
const LETTER = { width: 0.35, height: 1 } as const

const CUTS = /^\s*(?:hidden|clip)\b/i

/**
 * How many letters can be seen at most of an element that cuts off what is too much for it: by its height, or the number
 * of its lines, and its width.
 * @param size of its letters, in pixels
 * @returns null where nothing is cut off
 */
const roomFor = (declared: Declared, size: number): number | null => {
  const lengthOf = (...properties: readonly string[]): number =>
    Math.min(
      ...properties.map((property) => {
        const [first] = readValue(declared.get(property)?.[0] ?? '')
        if (first === undefined || (first.kind === 'number' && first.unit === '%')) return Infinity
        return numberOf(first, { em: size, whole: 100 }) ?? Infinity
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

/** Characters and pieces that are looked through for the words that an element begins with. */
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

/** Elements that mail programs put around a quoted e-mail (Apple Mail, Thunderbird, Gmail, Proton, Yahoo, Tuta, Zoho). */
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

/** These hold a quote and its introduction, and answers between the parts of it. Where no quote is in them, they are one. */
const isAroundQuotes = ({ localName, classes }: PageElement): boolean =>
  localName === 'div' && ['gmail_quote', 'protonmail_quote', 'gmail_extra'].some((name) => classes.has(name))

/** From these on all is an earlier e-mail (Outlook on the web and on phones, Windows Mail). */
const isHistory = (element: PageElement): boolean => {
  const id = (element.getAttribute('id') ?? '').toLowerCase()
  return (
    /(?:appendonsend|divrplyfwdmsg)$|^(?:mail-editor-reference-message-container|olk_src_body_section)$/.test(id) ||
    element.classes.has('ms-outlook-mobile-reference-message')
  )
}

const aroundQuotesIn = (elements: Iterable<PageElement>): ReadonlySet<PageElement> => {
  const around = new Set<PageElement>()
  for (const element of elements) {
    if (!isQuote(element)) continue
    for (let { parent } = element; parent !== null && !around.has(parent); { parent } = parent) around.add(parent)
  }
  return around
}

/** The part of a mail that a program marked an element as; null for an element to look into. */
const kindOfElement = (
  element: PageElement,
  aroundQuotes: ReadonlySet<PageElement>,
): Exclude<MessageLine['kind'], 'text' | 'signature'> | null => {
  if (isHistory(element)) return 'history'
  const isIntroduction = element.classes.has('gmail_attr') || element.classes.has('moz-cite-prefix')
  const isOne = isQuote(element) || (isAroundQuotes(element) && !aroundQuotes.has(element))
  if (!isOne && !isIntroduction) return null
  // Forwarded mail is marked like quoted mail, except for its first words.
  if (isForwardLine(beginningOf(element))) return null
  return isOne ? 'quote' : 'introduction'
}

/** Walks over a page as a person reads it. */
class PageReader {
  readonly #styles: PageStyles
  readonly #aroundQuotes: ReadonlySet<PageElement>
  readonly #out = new PageLines()
  readonly #targets: { address: string; isSaid: boolean }[] = []
  #isUnsure = false

  constructor(styles: PageStyles, aroundQuotes: ReadonlySet<PageElement>) {
    this.#styles = styles
    this.#aroundQuotes = aroundQuotes
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
    const open: Open[] = [{ ...first, element: root, style: PAPER, next: 0 }]
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const child = last.element.children[last.next]
      last.next += 1
      if (child === undefined) {
        this.#leave(last)
        open.pop()
      } else if (typeof child !== 'string') {
        const inner = this.#enter(child, last)
        if (inner !== null) open.push(inner)
      } else if (!last.isClosed && !areUnseen(last.style)) this.#out.say(child, last.kind, last.isWritten)
    }
    return { ...this.#out.end(), targets: this.#targets, isUnsure: this.#isUnsure }
  }

  /** @returns null for what is not looked into */
  #enter(element: PageElement, around: Open): Open | null {
    const name = element.localName
    if (UNREAD.has(name)) return null
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
    const style = within(around.style, declared, element)
    if (style === null) return null
    this.#lookAt(element, declared)
    if (name === 'img') {
      const words = quoted(element.getAttribute('alt'), MOST_OF_PICTURE)
      if (words !== '' && !style.isInvisible && !isSmallPicture(element)) this.#out.picture(words, around.kind)
      return null
    }
    const isBlock = gapOf(name) === GAP.none && BLOCKS.test(declared.get('display')?.[0] ?? '')
    this.#out.part(isBlock ? GAP.line : gapOf(name))
    if (name === 'li') this.#out.mark(around.count === null ? '- ' : `${around.count}. `)
    if (name === 'li' && around.count !== null) around.count += 1
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) this.#out.mark(`${'#'.repeat(Number(level))} `)
    if (name === 'a' && element.getAttribute('href') !== null) this.#out.beginLink()
    const room = roomFor(declared, style.size)
    const space = declared.get('white-space')?.[0] ?? declared.get('white-space-collapse')?.[0]
    return {
      element,
      style,
      kind: this.#kindOf(element, around),
      isWritten: name === 'pre' || (space === undefined ? around.isWritten : WRITTEN.test(space)),
      isBlock,
      count: name === 'ol' ? 1 : null,
      next: 0,
      isClosed: name === 'details' && element.getAttribute('open') === null,
      mostLetters: room === null ? Infinity : this.#out.letters + room,
    }
  }

  #leave({ element, style, kind, isBlock, mostLetters }: Open): void {
    if (this.#out.letters > mostLetters) this.#isUnsure = true
    const name = element.localName
    const href = name === 'a' ? element.getAttribute('href') : null
    if (href !== null) {
      const words = this.#out.endLink()
      const remark = words.trim() === '' ? '' : describeTarget(href, words)
      const address = comparableAddress(href)
      if (address !== null && words.trim() !== '') this.#targets.push({ address, isSaid: remark === '' })
      if (remark !== '' && !areUnseen(style)) this.#out.remark(remark, kind)
    }
    const gap = gapOf(name)
    this.#out.part(isBlock || gap === GAP.cell ? (isBlock ? GAP.line : GAP.cell) : gap)
  }

  /** Looks for what cannot be told without a layout. */
  #lookAt({ localName }: PageElement, declared: Declared): void {
    // Letters that are written in the other direction are read otherwise than they stand here.
    const isTurned = localName === 'bdo' || declared.get('unicode-bidi')?.[0]?.includes('override') === true
    // The cells of a column lie in its rows.
    const isColumn = /^col(?:group)?$/.test(localName) && declared.has('visibility')
    if (isTurned || isColumn) this.#isUnsure = true
  }

  #kindOf(element: PageElement, around: Open): MessageLine['kind'] {
    if (around.kind === 'quote' || around.kind === 'history') return 'quote'
    const marked = kindOfElement(element, this.#aroundQuotes)
    if (marked !== null) return marked
    if (element.localName === 'blockquote') {
      const [above = '', last = ''] = ['', ...this.#out.last(2).map(({ text }) => text.slice(0, 500))].slice(-2)
      if (isIntroduction(last) || isIntroduction(`${above} ${last}`)) return 'quote'
    }
    return around.kind
  }
}

function isSummary({ localName }: PageElement): boolean {
  return localName === 'summary'
}

/**
 * Reads what a person sees of an e-mail's HTML on a light screen: hidden words are left out, links say where they lead,
 * pictures what they are said to show. Bounds: those of `readPage` and `stylesOf`; beyond them it is unsure.
 */
export const visiblePage = (html: string): VisiblePage => {
  const { root, isRough } = readPage(html)
  const styles = stylesOf(root)
  const page = new PageReader(styles, aroundQuotesIn(elementsOf(root))).read(root)
  return { ...page, isUnsure: page.isUnsure || isRough || styles.isUnsure }
}
