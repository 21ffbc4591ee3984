import { compile } from 'css-select'
import type { AnyNode, Element } from 'domhandler'
import { isTag, isText } from 'domhandler'
import { DATA_ELEMENTS } from '../../../shared/data-elements.ts'
import { kindOfMarkup, QUOTES } from '../../../shared/history/kind-of-markup.ts'
import { findFolds, type Folds, type MessageLine } from '../../../shared/history/message-folds.ts'
import { INLINE_ELEMENTS } from '../../../shared/search/inline-elements.ts'
import { isAttribution } from '../../../shared/history/history-terms.ts'
import { checkBox, gapOf, htmlToText } from '../../../shared/mail-text/html-to-text.ts'
import { GAP, TextLines, type Gap } from '../../../shared/mail-text/text-lines.ts'
import { stripHiddenCharacters } from '../../../shared/visible-text.ts'
import { describeLinkTarget } from './link-target.ts'
import { parseHtmlPage, type HtmlPage } from './html-page.ts'
import { PageStyles, type ElementEffects } from './page-styles.ts'
import { quoteUntrustedText } from './quoting.ts'
import { computeTextStyle, hasKind, judgeText, PAGE_STYLE, type TextStyle } from './text-style.ts'

export interface PageLine {
  readonly kind: MessageLine['kind']
  readonly text: string
  /** True if the reader surely shows all of the line. */
  readonly isSure: boolean
}

export interface VisiblePage {
  readonly lines: readonly PageLine[]
  /** Words without annotations of links, pictures and lists. */
  readonly bare: string
  /** Alternative text of pictures that the text numbers, in order. Untrusted; drawn only in place of the pictures. */
  readonly pictures: readonly string[]
  /** Addresses of links that the text numbers, in order. Untrusted, and not drawn in the e-mail. */
  readonly links: readonly string[]
}

const SKIPPED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['head', 'script', 'style', 'title', 'template', 'svg'],
  ...['annotation', 'annotation-xml', 'datalist', 'meta', 'link', 'base'],
  ...DATA_ELEMENTS,
])

/** Characters read of a page that is too large for a tree. */
const MAX_LENGTH = 1_000_000

/** Maximum characters of alternative text, which is untrusted. */
const MAX_ALT_TEXT_LENGTH = 120

/** Maximum characters of link text to keep. */
const MAX_LINK_TEXT_LENGTH = 2_000

interface OpenElement {
  readonly element: Element
  readonly style: TextStyle
  readonly kind: MessageLine['kind']
  readonly isWritten: boolean
  readonly gap: Gap
  /** True if it is a line of its own for the reader, which looks for quotes and signatures to fold. */
  readonly isLine: boolean
  readonly isDropped: boolean
  /** Next item number of a list; null if unnumbered. */
  count: number | null
  next: number
}

/** Limits when looking for an element's first words. */
const BEGINNING = { characters: 500, pieces: 60 } as const

const beginningOf = (element: Element): string => {
  const open: AnyNode[] = [element]
  let words = ''
  for (let pieces = 0; pieces < BEGINNING.pieces && words.trim().length < BEGINNING.characters; pieces += 1) {
    const next = open.pop()
    if (next === undefined) break
    if (isText(next)) words += next.data.slice(0, BEGINNING.characters)
    else if (isTag(next)) {
      const { children } = next
      for (let index = Math.min(children.length, BEGINNING.pieces) - 1; index >= 0; index -= 1) {
        const child = children[index]
        if (child !== undefined) open.push(child)
      }
    }
  }
  return words.trim().slice(0, BEGINNING.characters)
}

const matchers = new Map<string, (element: Element) => boolean>()
const matches = (element: Element, selector: string): boolean => {
  const matcher = matchers.get(selector) ?? compile<Element, Element>(selector)
  matchers.set(selector, matcher)
  return matcher(element)
}

/** Elements around quotes. Asking each element for quotes inside would be quadratic. */
const findQuoteAncestors = (elements: Iterable<Element>): ReadonlySet<Element> => {
  const around = new Set<Element>()
  for (const element of elements) {
    if (!matches(element, QUOTES)) continue
    for (let { parent } = element; parent !== null && isTag(parent) && !around.has(parent); { parent } = parent)
      around.add(parent)
  }
  return around
}

/** True if the element's styles or attributes may change anything about the text inside. */
const hasAnyEffect = ({ name, attribs }: Element, effects: ElementEffects | null): boolean =>
  effects === null ||
  effects.own.length + effects.ofRules.length + effects.important.length > 0 ||
  name === 'a' ||
  (name === 'font' && (attribs.color ?? attribs.size) !== undefined) ||
  attribs.hidden !== undefined

const NO_FOLDS: Pick<Folds, 'history' | 'signatures'> = { history: null, signatures: [] }

class PageReader {
  readonly #styles: PageStyles
  readonly #quoteAncestors: ReadonlySet<Element>
  readonly #out = new TextLines<MessageLine['kind']>('text', ' | ')
  readonly #bare: string[] = []
  readonly #pictures: string[] = []
  readonly #links: string[] = []
  readonly #unsureLines = new Set<number>()
  /** Lines in which the reader looks for quotes and signatures, also hidden ones, with the places of their words. */
  readonly #examined: { readonly kind: MessageLine['kind']; text: string; readonly places: Set<number> }[] = []
  readonly #isMixed: boolean
  /** True if hidden words may make the reader fold others. */
  #hasHidden = false
  #isUnsure: boolean
  /** Text of the open link. */
  #linkText: string | null = null

  constructor(page: HtmlPage) {
    const elements = [...iterateElements(page.body)]
    this.#styles = new PageStyles(page, elements.length)
    this.#quoteAncestors = findQuoteAncestors(elements)
    this.#isMixed = page.isRightToLeft
    this.#isUnsure =
      page.isTangled ||
      this.#styles.isUnreadable ||
      [...page.loose].some((element) => hasAnyEffect(element, this.#styles.of(element)))
    this.#read(page.body.parent as Element)
  }

  result(isForward: boolean): VisiblePage {
    const examined = this.#examined.filter(({ kind, text }) => kind !== 'text' || text.trim() !== '')
    const asRead = examined.map(({ kind, text }) => ({ kind, text: /^\s*-- \s*$/.test(text) ? '-- ' : text.trim() }))
    const { history, signatures } = this.#hasHidden ? findFolds(asRead, isForward) : NO_FOLDS
    for (const [index, { places }] of examined.entries())
      if ((history !== null && index >= history) || signatures.some(({ from, end }) => from <= index && index < end))
        for (const place of places) this.#unsureLines.add(place)
    const lines = this.#out
      .end()
      .map((line, place) => ({ ...line, isSure: !this.#isUnsure && !this.#unsureLines.has(place) }))
    return { lines, bare: this.#bare.join(''), pictures: this.#pictures, links: this.#links }
  }

  #read(root: Element): void {
    const first = { kind: 'text', isWritten: false, count: null, gap: GAP.none, next: 0 } as const
    const open: OpenElement[] = []
    const style = { ...PAGE_STYLE, isMixed: this.#isMixed }
    const top = this.#enter(root, { ...first, isLine: true, isDropped: false, style, element: root })
    if (top !== null) open.push(top)
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const child: AnyNode | undefined = last.element.children[last.next]
      last.next += 1
      if (child === undefined) {
        this.#leave(last)
        open.pop()
      } else if (isTag(child)) {
        const inner = this.#enter(child, last)
        if (inner !== null) open.push(inner)
      } else if (isText(child)) this.#add(child.data, last)
    }
  }

  #examine(kind: MessageLine['kind'] = 'text'): void {
    this.#examined.push({ kind, text: '', places: new Set() })
  }

  #add(text: string, { style, kind, isWritten, isDropped }: OpenElement): void {
    const words = stripHiddenCharacters(text)
    if (isDropped) {
      this.#hasHidden ||= words.trim() !== ''
      this.#note(words)
      return
    }
    const isBlank = words.trim() === ''
    this.#bare.push(words)
    if (this.#linkText !== null && this.#linkText.length < MAX_LINK_TEXT_LENGTH) this.#linkText += words
    const judged = isBlank && !style.isUnwrapped ? 'sure' : judgeText(style, isWritten ? words : words.trim())
    // The sign for writing from right to left turns the words round.
    if (judged === 'page' || text.includes('\u202e')) this.#isUnsure = true
    const lines = isWritten ? words.split('\n') : [words]
    for (const [place, line] of lines.entries()) {
      if (place > 0) this.#out.lineBreak()
      if (place > 0 && kind === 'text') this.#examine()
      this.#out.add(line, kind, isWritten)
      this.#note(line, this.#out.count)
      if (judged !== 'sure' && line.trim() !== '') this.#unsureLines.add(this.#out.count)
    }
  }

  #note(words: string, place: number | null = null): void {
    const line = this.#examined.at(-1)
    if (line === undefined) return
    if (line.text.length < BEGINNING.characters) line.text += words.slice(0, BEGINNING.characters).replace(/\s+/g, ' ')
    if (place !== null && words.trim() !== '') line.places.add(place)
  }

  /** @returns null to skip the element */
  #enter(element: Element, around: OpenElement): OpenElement | null {
    const { name } = element
    const out = this.#out
    const effects = this.#styles.of(element)
    if (SKIPPED_ELEMENTS.has(name)) {
      if (effects === null || hasKind(effects, 'block', 'inline', 'box')) this.#isUnsure = true
      return null
    }
    const kind = this.#kindOf(element, around)
    const isLine = around.kind === 'text' && (kind !== 'text' || !(INLINE_ELEMENTS.has(name) || /^t[dh]$/.test(name)))
    if (isLine) this.#examine(kind)
    // A mark alone folds what follows.
    if (kind !== around.kind && (beginningOf(element) === '' || effects?.isHidden === true)) this.#hasHidden = true
    if (around.isDropped || (effects?.isHidden === true && !this.#isUnsure))
      return { ...around, element, kind, isLine, isDropped: true, gap: GAP.none, next: 0 }
    const { style, isCovering } =
      effects === null ? { style: around.style, isCovering: true } : computeTextStyle(around.style, element, effects)
    if (isCovering) this.#isUnsure = true
    if (name === 'br') {
      out.lineBreak()
      return null
    }
    if (name === 'input') {
      // The reader puts its value, too.
      if (style.isUnwrapped || style.run !== null || element.attribs.value !== undefined) this.#isUnsure = true
      out.add(checkBox(element.attribs.type, element.attribs.checked !== undefined), around.kind)
      return null
    }
    if (name === 'img') {
      if (style.isSpilling || style.isUnwrapped) this.#isUnsure = true
      this.#picture(element, around.kind)
      return null
    }
    const isBlock = effects?.own.some(({ kind }) => kind === 'block') === true
    const gap = /^t[dh]$/.test(name) ? GAP.cell : isBlock && gapOf(name) < GAP.line ? GAP.line : gapOf(name)
    out.separate(gap)
    if (gap !== GAP.none) this.#bare.push(' ')
    if (name === 'li') out.mark(around.count === null ? '- ' : `${around.count}. `)
    if (name === 'li' && around.count !== null) around.count += 1
    const level = /^h([1-6])$/.exec(name)?.[1]
    if (level !== undefined) out.mark(`${'#'.repeat(Number(level))} `)
    if (name === 'a' && element.attribs.href !== undefined) this.#linkText = ''
    const written = /white-space(?:-collapse)?\s*:\s*([a-z-]+)/i.exec(element.attribs.style ?? '')?.[1]
    return {
      element,
      style,
      kind,
      isLine,
      isDropped: false,
      isWritten: name === 'pre' || (written === undefined ? around.isWritten : /^pre|^break/i.test(written)),
      count: name === 'ol' ? 1 : null,
      gap,
      next: 0,
    }
  }

  #picture(element: Element, kind: MessageLine['kind']): void {
    const words = quoteUntrustedText(element.attribs.alt ?? '', MAX_ALT_TEXT_LENGTH)
    const isTracker = [element.attribs.width, element.attribs.height].some((side) => Number.parseFloat(side ?? '') <= 3)
    if (words === '' || isTracker) return
    this.#pictures.push(words)
    this.#out.separate(GAP.space)
    this.#out.add(`[picture ${this.#pictures.length}]`, kind)
    this.#bare.push(' ')
    if (this.#linkText !== null) this.#linkText += words
    this.#out.separate(GAP.space)
  }

  #leave({ element, kind, gap, isLine, isDropped }: OpenElement): void {
    const { name } = element
    if (isLine) this.#examine()
    if (isDropped) return
    const href = name === 'a' ? element.attribs.href : undefined
    const words = this.#linkText ?? ''
    if (href !== undefined && words.trim() !== '') {
      const target = describeLinkTarget(href, words, this.#links.length + 1)
      if (target !== null) this.#out.append(target.remark, kind)
      if (target !== null && target.address !== '') this.#links.push(target.address)
    }
    if (href !== undefined) this.#linkText = null
    if (gap !== GAP.none) this.#bare.push(' ')
    this.#out.separate(gap)
  }

  #kindOf(element: Element, around: OpenElement): MessageLine['kind'] {
    if (around.kind === 'quote' || around.kind === 'history') return 'quote'
    const marked = kindOfMarkup({
      matches: (selector) => matches(element, selector),
      contains: () => this.#quoteAncestors.has(element),
      leadingText: () => beginningOf(element),
    })
    if (marked !== null) return marked
    if (element.name === 'blockquote') {
      const said = this.#examined.slice(-12).filter((line) => line.kind === 'text' && line.text.trim() !== '')
      const [above = '', last = ''] = ['', ...said.map(({ text }) => text.trim())].slice(-2)
      if (isAttribution(last) || isAttribution(`${above} ${last}`)) return 'quote'
    }
    return around.kind
  }
}

function* iterateElements(root: Element): Generator<Element> {
  const open: Element[] = [root]
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    yield element
    for (const child of element.children.toReversed()) if (isTag(child)) open.push(child)
  }
}

/**
 * Reads an e-mail's HTML as the reader draws it. Text that is certainly hidden is left out; text that isn't certainly
 * visible is marked (docs/assistants.md), and so is all text of pages beyond the limits.
 */
export const extractVisiblePage = (html: string, isForward = false): VisiblePage => {
  const page = parseHtmlPage(html)
  if (page !== null) return new PageReader(page).result(isForward)
  const text = stripHiddenCharacters(htmlToText(html.slice(0, MAX_LENGTH)))
  const lines = text.split('\n').map((line): PageLine => ({ kind: 'text', text: line, isSure: false }))
  if (html.length > MAX_LENGTH)
    lines.push({ kind: 'text', text: '[The rest is too large to read here.]', isSure: false })
  return { lines, bare: text, pictures: [], links: [] }
}
