import { Document, Element, Text, type ParentNode } from 'domhandler'
import { isHeavyHtml } from '../../../shared/mail-text/heavy-html.ts'
import { renameElements } from '../../../shared/mail-text/rename-elements.ts'
import { VOID_ELEMENTS, walkHtml } from '../../../shared/mail-text/walk-html.ts'

export interface HtmlPage {
  readonly body: Element
  /** Style sheets in order. `isConditional` for sheets of some media only. */
  readonly sheets: readonly { readonly css: string; readonly isConditional: boolean }[]
  /** True if a browser may nest the elements in another way. */
  readonly isTangled: boolean
  /**
   * Elements that a browser may end elsewhere, since their end tags are missing or misplaced. It doesn't matter for
   * those without effect on their content.
   */
  readonly loose: ReadonlySet<Element>
  /** True if there are letters of scripts that are written from right to left. */
  readonly isRightToLeft: boolean
}

/** Limits of a page. A normal newsletter has up to 3,000 elements; browsers nest up to 512. */
const MAX = { characters: 500_000, elements: 6_000, depth: 190, attribute: 4_000 } as const

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Reopened by browsers in each block until their end tag (HTML Standard, "active formatting elements"). */
const FORMATTING = names('a b big code em font i nobr s small strike strong tt u')
/** End an open paragraph (HTML Standard, 13.2.6.4.7). */
const ENDS_PARAGRAPH = names(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
)
const BLOCKS = new Set([...ENDS_PARAGRAPH, ...names('button object applet marquee body')])
/** A new item ends an open one, but not across these. */
const ITEM_BOUNDS = new Set([...BLOCKS, ...names('table td th caption template select svg')])
for (const name of names('address div p li dd dt')) ITEM_BOUNDS.delete(name)
const CELLS = names('td th caption')
const TABLE_PARTS = names('table tbody thead tfoot tr td th caption colgroup')
const WITHIN_TABLE = names('table tbody thead tfoot tr colgroup')
/** May stand right in a table without being moved out of it. */
const ALLOWED_IN_TABLE = names('style script template')
/** End tags don't reach across these. */
const SCOPE = names('table td th caption object applet marquee template select svg')
/** Elements that browsers read by rules that aren't followed here. */
const UNCLEAR = names('plaintext xmp applet svg select option optgroup')
/** Read as text. */
const RAW = names('style script title textarea')
/** May come before the body. */
const WITHOUT_CONTENT = names('style title meta link base script noscript template')
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const HEADING = /^h[1-6]$/
const toRecord = (attributes: ReadonlyMap<string, string>): Record<string, string> =>
  Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(attributes))

class PageBuilder implements HtmlPage {
  readonly document = new Document([])
  readonly body: Element
  readonly sheets: { css: string; isConditional: boolean }[] = []
  readonly loose = new Set<Element>()
  isTangled = false
  isRightToLeft = false
  readonly #open: Element[]
  readonly #root: Element
  readonly #isBodySet = new Set<string>()
  #elements = 0
  #hasContent = false

  constructor() {
    const html = new Element('html', {}, [])
    this.body = new Element('body', {}, [])
    // The reader moves the content of the body into an element of its own.
    this.#root = new Element('div', { id: 'linnet-mail', class: 'linnet-letter', dir: 'ltr' }, [])
    append(this.document, html)
    append(html, new Element('head', {}, []))
    append(html, this.body)
    append(this.body, this.#root)
    this.#open = [this.#root]
  }

  get isTooLarge(): boolean {
    return this.#elements > MAX.elements
  }

  get #top(): Element {
    return this.#open.at(-1) ?? this.#root
  }

  add(words: string): void {
    const top = this.#top
    if (top.name === 'style') {
      const sheet = this.sheets.at(-1)
      if (sheet !== undefined) sheet.css += words
      return
    }
    if (top.name === 'script' && words.includes('<!--')) this.isTangled = true
    if (words.trim() !== '' && !WITHOUT_CONTENT.has(top.name)) {
      this.#hasContent = true
      this.isRightToLeft ||= RIGHT_TO_LEFT.test(words)
      // A browser moves such text out of the table.
      if (WITHIN_TABLE.has(top.name)) this.isTangled = true
    }
    const last = top.children.at(-1)
    if (last instanceof Text) last.data += words
    else append(top, new Text(words))
  }

  begin(name: string, attributes: ReadonlyMap<string, string>, isSelfClosing: boolean): void {
    if (name === 'head') return
    if (name === 'html' || name === 'body') {
      this.#beginBody(name, attributes)
      return
    }
    if (UNCLEAR.has(name) || /[^ -~]/.test(name)) this.isTangled = true
    if (isSelfClosing && RAW.has(name)) this.isTangled = true
    if (name === 'noscript' && !this.#hasContent) this.isTangled = true
    if (/linnet-/i.test(`${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`)) this.isTangled = true
    if (!this.#makeRoom(name)) return
    if (!WITHOUT_CONTENT.has(name)) this.#hasContent = true
    this.#elements += 1
    if (this.isTooLarge) return
    if (this.#open.length > MAX.depth) this.isTangled = true
    const element = new Element(name === 'image' ? 'img' : name, toRecord(attributes), [])
    if ((element.attribs.style ?? '').length > MAX.attribute) this.isTangled = true
    append(this.#top, element)
    if (name === 'style')
      this.sheets.push({ css: '', isConditional: attributes.has('media') || attributes.has('type') })
    const isEmpty = VOID_ELEMENTS.has(name) || name === 'image' || (name === 'svg' && isSelfClosing)
    if (!isEmpty && this.#open.length <= MAX.depth) this.#open.push(element)
  }

  end(name: string): void {
    if (name === 'html' || name === 'body' || name === 'head') return
    if (name === 'br') append(this.#top, new Element('br', {}, []))
    if (VOID_ELEMENTS.has(name)) return
    if (this.#top.name === name) {
      this.#open.pop()
      return
    }
    if (name === 'form') this.isTangled = true
    if (TABLE_PARTS.has(name)) this.#endTablePart(name)
    else if (HEADING.test(name)) this.#closeTo(this.#find((open) => HEADING.test(open), SCOPE))
    else if (BLOCKS.has(name) || SCOPE.has(name))
      this.#closeTo(this.#find((open) => open === name, name === 'li' ? names('ol ul table td th caption') : SCOPE))
    else if (FORMATTING.has(name)) this.#endFormatting(name)
    // Other end tags end nothing beyond a block.
    else this.#closeTo(this.#find((open) => open === name, new Set([...BLOCKS, ...TABLE_PARTS, ...SCOPE])))
  }

  /** The first of these tags with an attribute sets it. A late one changes all that came before. */
  #beginBody(name: string, attributes: ReadonlyMap<string, string>): void {
    for (const [attribute, value] of attributes) {
      if (this.#hasContent && /^(?:style|class|id|bgcolor|background|text|link|hidden|dir)$/.test(attribute))
        this.isTangled = true
      const key = name === 'html' ? `html ${attribute}` : attribute
      if (this.#isBodySet.has(key)) continue
      this.#isBodySet.add(key)
      // The reader drops the attributes of the document.
      if (name === 'html') continue
      this.body.attribs[attribute] = value
      if (attribute === 'style') this.#root.attribs.style = value
    }
  }

  /** Ends what a start tag ends. @returns false if a browser ignores the tag here */
  #makeRoom(name: string): boolean {
    if (TABLE_PARTS.has(name) && name !== 'table') return this.#makeRoomInTable(name)
    const top = this.#top.name
    if (WITHIN_TABLE.has(top) && !ALLOWED_IN_TABLE.has(name) && !(top === 'colgroup' && name === 'col')) {
      if (name !== 'col' || top !== 'table') this.isTangled = true
    }
    if (name === 'form' && this.#open.some((open) => open.name === 'form')) return false
    if (name === 'li') this.#closeTo(this.#find((open) => open === 'li', ITEM_BOUNDS))
    if (name === 'dd' || name === 'dt') this.#closeTo(this.#find((open) => open === 'dd' || open === 'dt', ITEM_BOUNDS))
    if (/^r[bpt]c?$/.test(name) && /^r[bpt]c?$/.test(top)) this.#open.pop()
    if (ENDS_PARAGRAPH.has(name)) {
      const place = this.#find((open) => open === 'p', new Set([...SCOPE, 'button']))
      // A table ends an open paragraph in standards mode only.
      const paragraph = this.#open[place]
      if (name === 'table' && paragraph !== undefined) this.loose.add(paragraph)
      this.#closeTo(place)
    }
    if (HEADING.test(name) && HEADING.test(this.#top.name)) this.#open.pop()
    // Browsers end the outer one, in ways that depend on everything between.
    const isSingle = name === 'a' || name === 'nobr' || name === 'button'
    if (isSingle && this.#find((open) => open === name, SCOPE) >= 0) this.isTangled = true
    return true
  }

  #makeRoomInTable(name: string): boolean {
    const table = this.#open.findLastIndex((open) => open.name === 'table' || open.name === 'template')
    if (this.#open[table]?.name !== 'table') return false
    const keeps =
      name === 'tr' ? names('tbody thead tfoot') : CELLS.has(name) && name !== 'caption' ? names('tr') : names('')
    const around = this.#open.findLastIndex(
      (open, place) => place >= table && (place === table || keeps.has(open.name)),
    )
    this.#closeTo(around + 1)
    if (name === 'td' || name === 'th') {
      if (this.#top.name === 'table') this.#imply('tbody')
      if (this.#top.name !== 'tr') this.#imply('tr')
    } else if (name === 'tr' && this.#top.name === 'table') this.#imply('tbody')
    return true
  }

  #imply(name: string): void {
    const element = new Element(name, {}, [])
    append(this.#top, element)
    this.#open.push(element)
  }

  #endTablePart(name: string): void {
    const place = this.#open.findLastIndex(
      (open) => open.name === name || open.name === 'table' || open.name === 'template',
    )
    if (this.#open[place]?.name === name) this.#closeTo(place)
  }

  #endFormatting(name: string): void {
    const place = this.#find((open) => open === name, SCOPE)
    const element = this.#open[place]
    if (element === undefined) return
    const isBlockBetween = this.#open.slice(place + 1).some((open) => BLOCKS.has(open.name))
    // A browser splits the element at the block.
    if (isBlockBetween) this.loose.add(element)
    else this.#closeTo(place)
  }

  /** Index of the innermost open element, or -1 if one of `bounds` lies between. */
  #find(isOne: (name: string) => boolean, bounds: ReadonlySet<string>): number {
    for (let place = this.#open.length - 1; place >= 0; place -= 1) {
      const name = this.#open[place]?.name ?? ''
      if (isOne(name)) return place
      if (bounds.has(name)) return -1
    }
    return -1
  }

  #closeTo(place: number): void {
    if (place < 0) return
    const closed = this.#open.splice(place)
    // The end of a cell ends formatting, too.
    const cell = closed.findIndex(({ name }) => CELLS.has(name))
    const kept = cell < 0 ? closed.slice(1) : closed.slice(1, cell)
    for (const element of kept) if (FORMATTING.has(element.name)) this.loose.add(element)
  }
}

function append(parent: ParentNode, child: Element | Text): void {
  const last = parent.children.at(-1) ?? null
  child.parent = parent
  child.prev = last
  if (last !== null) last.next = child
  parent.children.push(child)
}

/**
 * Reads HTML into a tree, in linear time; null beyond the limits. It follows the rules of browsers (HTML Standard, 13.2.6) where the mark-up is
 * in order; elsewhere it says so.
 */
export const parseHtmlPage = (html: string): HtmlPage | null => {
  // The reader shows the text part of heavy mail.
  if (html.length > MAX.characters || isHeavyHtml(html)) return null
  const page = new PageBuilder()
  if (html.includes('\0')) page.isTangled = true
  walkHtml(renameElements(html), {
    open: (name, attributes, isSelfClosing) => page.begin(name, attributes, isSelfClosing),
    close: (name) => page.end(name),
    text: (words) => page.add(words),
    odd: () => {
      page.isTangled = true
    },
  })
  return page.isTooLarge ? null : page
}
