import { rename } from '../../ui/child-nodes.ts'
import { hasHue, isHighlight, toColorStyle } from './outgoing-color.ts'
import { preserveWhitespace, type Whitespace } from './serialize-editor.ts'

/** Meanings of styles that an element can express, and elements that already do. */
const MARKS: readonly {
  readonly tag: string
  readonly by: string
  readonly isOn: (style: CSSStyleDeclaration) => boolean
}[] = [
  {
    tag: 'strong',
    by: 'b, strong, h1, h2, h3, th',
    isOn: ({ fontWeight }) => /^(?:bold|bolder|[6-9]\d\d|1000)$/.test(fontWeight),
  },
  { tag: 'em', by: 'i, em', isOn: ({ fontStyle }) => /^(?:italic|oblique)/.test(fontStyle) },
  { tag: 's', by: 's, del, strike', isOn: ({ textDecoration }) => textDecoration.includes('line-through') },
  { tag: 'u', by: 'u, ins, a', isOn: ({ textDecoration }) => textDecoration.includes('underline') },
  { tag: 'sup', by: 'sup', isOn: ({ verticalAlign }) => verticalAlign === 'super' },
  { tag: 'sub', by: 'sub', isOn: ({ verticalAlign }) => verticalAlign === 'sub' },
]

/** Elements that only express a mark, so without it they go. */
const ONLY_MARKS = 'b, strong, i, em, s, del, strike, u, ins, sup, sub'

const BLOCKS =
  'address, article, aside, blockquote, center, dd, details, div, dl, dt, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, menu, nav, ol, p, pre, section, summary, ul'
/** Parts of tables keep their places, whatever their styles. */
const TABLE = 'table, caption, colgroup, col, thead, tbody, tfoot, tr, td, th'
/** Elements whose own text is never displayed, or only as space. */
const NOT_TEXT = 'table, colgroup, thead, tbody, tfoot, tr, ul, ol, dl'
/** Elements that no line has to be made for. */
const NEITHER = `${TABLE}, img, br, wbr, hr, map, area`
/** Marks that move text, which have no effect on blocks. */
const SCRIPTS = ['sup', 'sub']
/** Marks that a style passes on to the elements within, which may take them off. */
const INHERITED = ['strong', 'em']

const ANY_BLOCK = `${BLOCKS}, ${TABLE}`

const hasBlock = (element: Element): boolean => element.querySelector(ANY_BLOCK) !== null

interface Appearance {
  readonly display: string
  /** False if it shows neither its own text nor its picture; elements within may be visible. */
  readonly isVisible: boolean
  readonly showsText: boolean
  readonly marks: readonly string[]
  readonly ink: string
  /** Background of the words, or ''. */
  readonly highlight: string
  readonly whitespace: Whitespace
  readonly direction: string
}

const whitespaceOf = (value: string): Whitespace => {
  if (/^(?:pre|pre-wrap|break-spaces|preserve)(?: |$)/.test(value)) return 'kept'
  return /^(?:pre-line|preserve-breaks)/.test(value) ? 'lines' : 'collapsed'
}

const isLineLevel = (display: string): boolean => /^(?:inline|contents)/.test(display)

const isGone = ({ display, opacity, contentVisibility }: CSSStyleDeclaration): boolean =>
  Number.parseFloat(opacity) === 0 || (contentVisibility === 'hidden' && !isLineLevel(display))

const appearanceOf = (style: CSSStyleDeclaration): Appearance => ({
  display: isGone(style) ? 'none' : style.display,
  isVisible: style.visibility === 'visible',
  showsText: Number.parseFloat(style.fontSize) !== 0,
  marks: MARKS.filter(({ tag, isOn }) => isOn(style) && (isLineLevel(style.display) || !SCRIPTS.includes(tag))).map(
    ({ tag }) => tag,
  ),
  ink: style.color,
  highlight: isLineLevel(style.display) && isHighlight(style.backgroundColor) ? style.backgroundColor : '',
  whitespace: whitespaceOf(style.whiteSpace),
  direction: style.direction,
})

const removeUnseen = (element: Element, { isVisible, showsText }: Appearance): void => {
  if (!isVisible && element.localName === 'img') element.remove()
  if (isVisible && showsText) return
  for (const node of [...element.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== '') node.remove()
  }
}

/** True for an element that only expresses a mark, which a style has taken off. */
const isWithoutMark = (element: Element, { display, marks }: Appearance): boolean => {
  const mark = MARKS.find(({ by }) => element.matches(by))?.tag
  if (mark === undefined || !element.matches(ONLY_MARKS)) return false
  if (!SCRIPTS.includes(mark)) return !marks.includes(mark)
  // Some pages raise text by moving its box, so on the base line it may still be raised.
  return !isLineLevel(display) || marks.some((tag) => tag !== mark && SCRIPTS.includes(tag))
}

const wrapIn = (element: Element, tag: string): Element => {
  const wrapper = element.ownerDocument.createElement(tag)
  element.replaceWith(wrapper)
  wrapper.append(element)
  return wrapper
}

/**
 * Gives an element the tag and the direction that its style has.
 * @param around direction of the element around it
 * @returns the element, or the one in its place
 */
const applyLayout = (element: Element, look: Appearance, around: string): Element => {
  const { display, whitespace, direction } = look
  const isBlockTag = element.matches(BLOCKS)
  const isInline = isLineLevel(display)
  element.removeAttribute('dir')
  if (direction !== around) (isInline ? wrapIn(element, 'span') : element).setAttribute('dir', direction)
  const isLine = !isInline && !isBlockTag && !element.matches(NEITHER)
  if (isLine) wrapIn(element, 'div')
  if (isWithoutMark(element, look)) return rename(element, 'span')
  if (isBlockTag && /^(?:inline|contents)$/.test(display)) return rename(element, 'span')
  return element.localName === 'pre' && whitespace !== 'kept' ? rename(element, 'div') : element
}

/** Styles inherited from the elements around a node. */
interface Context {
  /** Tags that are already around it. */
  readonly given: readonly string[]
  /** Tags that its styles ask for. */
  readonly wanted: readonly string[]
  readonly ink: string
  readonly highlight: string
  /** Style with the colours that are already around it. */
  readonly colors: string
  readonly isInLink: boolean
}

const TOP: Context = { given: [], wanted: [], ink: '', highlight: '', colors: '', isInLink: false }

const colorsFor = ({ ink, highlight, colors, isInLink }: Context): string => {
  if (highlight !== '') return toColorStyle(ink, highlight)
  // Links have the colour of links, which each program chooses. Without a hue, a colour has no meaning.
  if (!isInLink && hasHue(ink)) return toColorStyle(ink, '')
  return colors === '' ? '' : toColorStyle('rgb(0, 0, 0)', '')
}

/** The elements around one node or several neighbours. */
interface Wrapping {
  readonly key: string
  readonly outer: Element
  readonly inner: Element
}

const wrap = (node: ChildNode, tags: readonly string[], colors: string, last: Wrapping | null): Wrapping | null => {
  if (tags.length === 0 && colors === '') return null
  const key = [colors, ...tags].join()
  const isNext = last?.key === key && last.outer.nextSibling === node
  const made = tags.map((tag) => document.createElement(tag))
  if (colors !== '') {
    const span = document.createElement('span')
    span.setAttribute('style', colors)
    made.unshift(span)
  }
  const [outer, ...others] = made
  if (isNext || outer === undefined) {
    last?.inner.append(node)
    return last
  }
  const inner = others.reduce((around: Element, element) => around.appendChild(element), outer)
  node.before(outer)
  inner.append(node)
  return { key, outer, inner }
}

/** Wraps the words within a parent in the elements that their styles ask for. Blocks are never inside such an element. */
const applyMarks = (parent: Element, context: Context, looks: ReadonlyMap<Element, Appearance>): void => {
  const needed = (wanted: readonly string[], given: readonly string[]): readonly string[] =>
    wanted.filter((tag) => !given.includes(tag))
  let last: Wrapping | null = null
  for (const node of [...parent.childNodes]) {
    // A picture may become its alt text.
    if (node.nodeType === Node.TEXT_NODE || node.nodeName === 'IMG') {
      const isBlank = node.nodeName !== 'IMG' && (node.nodeValue ?? '').trim() === ''
      const colors = colorsFor(context)
      if (isBlank && last?.outer.nextSibling !== node) continue
      last = wrap(node, needed(context.wanted, context.given), colors === context.colors ? '' : colors, last)
      continue
    }
    const element = node as Element
    const look = looks.get(element)
    if (node.nodeType !== Node.ELEMENT_NODE || element.localName === 'br') continue
    const isBlock = element.matches(ANY_BLOCK) || hasBlock(element)
    const own = look?.marks ?? []
    const inherited = context.wanted.filter((tag) => look === undefined || !INHERITED.includes(tag))
    const implied = MARKS.filter(({ by }) => element.matches(by)).map(({ tag }) => tag)
    const within: Context = {
      ...context,
      wanted: [...new Set([...inherited, ...own])],
      ink: look?.ink ?? context.ink,
      highlight: (look?.highlight ?? '') || context.highlight,
      isInLink: context.isInLink || element.matches('a[href]'),
    }
    if (isBlock || element.textContent.trim() === '') {
      applyMarks(element, { ...within, given: [...context.given, ...implied] }, looks)
      continue
    }
    const tags = needed(within.wanted, [...context.given, ...implied])
    // A link has its colours within, where they replace the link's own.
    const colors = element.localName === 'a' ? context.colors : colorsFor(within)
    last = wrap(element, tags, colors === context.colors ? '' : colors, last)
    applyMarks(element, { ...within, given: [...context.given, ...implied, ...tags], colors }, looks)
  }
}

/**
 * Replaces the meaning of styles with elements that stay: struck out, raised, lowered, bold, italic and underlined words,
 * the colours of words, lines, whitespace and directions. Removes what the styles hide.
 * @param styleOf returns the computed style of an element in `root`
 * @param keepsColors false to drop the colours of words
 */
export const convertStyles = (
  root: HTMLElement,
  styleOf: (element: Element) => CSSStyleDeclaration,
  keepsColors: boolean,
): void => {
  for (const sheet of root.querySelectorAll('style')) sheet.remove()
  const elements = [...root.querySelectorAll('*')]
  const looks = new Map<Element, Appearance>()
  // All styles are read before the first change, which would affect them.
  for (const element of [root, ...elements]) {
    const look = appearanceOf(styleOf(element))
    looks.set(element, keepsColors ? look : { ...look, ink: '', highlight: '' })
  }
  const directionOf = (element: Element | null): string =>
    (element === null ? undefined : looks.get(element)?.direction) ?? 'ltr'
  for (const element of elements) {
    const look = looks.get(element)
    if (look === undefined) continue
    if (look.display === 'none') {
      element.remove()
      continue
    }
    removeUnseen(element, look)
    looks.set(applyLayout(element, look, directionOf(element.parentElement)), look)
  }
  // Only text may be in these; a block would end a paragraph.
  for (const element of root.querySelectorAll('p, pre, h1, h2, h3, h4, h5, h6')) {
    const look = looks.get(element)
    if (look !== undefined && hasBlock(element)) looks.set(rename(element, 'div'), look)
  }
  preserveWhitespace(root, ({ parentElement }) =>
    parentElement === null || parentElement.matches(NOT_TEXT)
      ? 'collapsed'
      : (looks.get(parentElement)?.whitespace ?? 'collapsed'),
  )
  for (const quotation of root.querySelectorAll('q')) {
    // Browsers draw the quotation marks.
    if (quotation.textContent.trim() === '') continue
    quotation.prepend('“')
    quotation.append('”')
  }
  // Colours are sent as styles of spans, so the mail's own go.
  for (const span of root.querySelectorAll('span')) span.removeAttribute('style')
  applyMarks(root, TOP, looks)
}
