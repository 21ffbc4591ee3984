import { DATA_ELEMENTS } from '../data-elements.ts'
import { INLINE_ELEMENTS } from '../search/inline-elements.ts'
import { GAP, TextLines, type Gap } from './text-lines.ts'
import { VOID_ELEMENTS, walkHtml } from './walk-html.ts'

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Elements whose content is never text of the message. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...names('script style title template iframe noembed noframes'),
  ...DATA_ELEMENTS,
])

const LINES = names(
  'address article aside body caption center dd details div dl dt fieldset figcaption figure footer form header html li main nav section summary tr',
)

/** Elements with an empty line around them. */
const PARAGRAPHS = names('blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul')

/** Elements that split words for a search, yet not on the screen. */
const DRAWN_INLINE = names('img label q cite dfn var samp time data del strike nobr acronym ruby rt button output map')

/** The gap between an element and its neighbours on a page. */
export const gapOf = (name: string): Gap => {
  if (PARAGRAPHS.has(name)) return GAP.paragraph
  if (LINES.has(name)) return GAP.line
  return INLINE_ELEMENTS.has(name) || DRAWN_INLINE.has(name) ? GAP.none : GAP.space
}

const HIDDEN_STYLE = /(?:^|[;\s])display\s*:\s*none/i

/** Follows an element whose content is left out, up to its end tag. */
class SkippedElement {
  readonly #isSkipped: (name: string, attributes: ReadonlyMap<string, string>) => boolean
  #name: string | null = null
  /** Open elements of its name. */
  #depth = 0

  constructor(isSkipped: (name: string, attributes: ReadonlyMap<string, string>) => boolean) {
    this.#isSkipped = isSkipped
  }

  get isOpen(): boolean {
    return this.#name !== null
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (this.#name === null && this.#isSkipped(name, attributes)) this.#name = name
    if (this.#name === name) this.#depth += 1
  }

  close(name: string): void {
    if (this.#name !== name) return
    this.#depth -= 1
    if (this.#depth === 0) this.#name = null
  }
}

/**
 * Words of HTML for search and previews. Tags that split words for a search become line breaks (platform.md 11.7).
 * Linear; an unclosed element of those that are left out hides the rest, as in a browser.
 * @param isVisible true to leave out elements that a style of their own hides, such as preview texts
 */
export const htmlToWords = (html: string, isVisible = false): string => {
  const parts: string[] = []
  const skipped = new SkippedElement(
    (name, attributes) =>
      SKIPPED.has(name) ||
      name === 'noscript' ||
      (isVisible && HIDDEN_STYLE.test(attributes.get('style') ?? '') && !VOID_ELEMENTS.has(name)),
  )
  const separate = (name: string): void => {
    if (!INLINE_ELEMENTS.has(name)) parts.push('\n')
  }
  walkHtml(
    html,
    {
      open: (name, attributes) => {
        skipped.open(name, attributes)
        separate(name)
      },
      close: (name) => {
        skipped.close(name)
        separate(name)
      },
      text: (words) => {
        if (!skipped.isOpen) parts.push(words)
      },
    },
    isVisible,
  )
  return parts.join('')
}
const WRITTEN_STYLE = /(?:^|[;\s])white-space\s*:\s*(?:pre|break-spaces)/i
const NO_MARGIN = /(?:^|;)\s*margin(?:-bottom)?\s*:\s*0(?:px)?\s*(?:;|$)/i
const STRUCK = names('del s strike')

/** Deeper elements have no marks. */
const MAX_DEPTH = 60
const MAX_COLUMNS = 200
/** Characters of a link's words that are compared with its address. */
const MAX_LINKED = 2_000

/** Elements that matter for their content. */
const TRACKED = names('a blockquote del li ol p pre s strike sup table td th tr ul')

/** Open elements that an element ends if their end tags are missing, and the elements around which it may not end. */
const ENDS: Readonly<Record<string, readonly [ended: ReadonlySet<string>, around: ReadonlySet<string>]>> = {
  li: [names('li'), names('ol ul table')],
  td: [names('td th'), names('tr table')],
  th: [names('td th'), names('tr table')],
  tr: [names('tr'), names('table')],
}

interface OpenElement {
  readonly name: string
  readonly gap: Gap
  /** Starts the lines inside. */
  readonly prefix: string
  readonly isWritten: boolean
  /** Within a table with borders, whose cells belong side by side. Other tables are page layout. */
  readonly isBordered: boolean
  /** Number of the next item; null if unnumbered. */
  count: number | null
  /** Number of lines before its first words; null before them. */
  from: number | null
  /** Columns of a row's last cell; 0 before the first. */
  span: number
  readonly address: string
  /** Words of a link so far. */
  linked: string
}

const numberOf = (value: string | undefined, otherwise: number): number => {
  const number = Number.parseInt(value ?? '', 10)
  return Number.isNaN(number) ? otherwise : number
}

const withoutScheme = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/|mailto:)/i, '')
    .replace(/\/$/, '')

/** A check box or radio button as a character with a space; '' for other fields. */
export const checkBox = (type: string | undefined, isChecked: boolean): string => {
  if (!/^(?:checkbox|radio)$/i.test(type ?? '')) return ''
  return isChecked ? '☑ ' : '☐ '
}

class TextReader {
  readonly #out = new TextLines<null>(null)
  readonly #open: OpenElement[] = []
  readonly #longestAddress: number
  readonly #skipped = new SkippedElement((name) => SKIPPED.has(name) || name === 'select')
  #isRaised = false

  constructor(longestAddress: number) {
    this.#longestAddress = longestAddress
  }

  read(html: string): string {
    walkHtml(html, {
      open: (name, attributes) => this.#enter(name, attributes),
      close: (name) => this.#leave(name),
      text: (words) => this.#add(words),
    })
    this.#closeFrom(0)
    return this.#out
      .end()
      .map(({ text }) => text)
      .join('\n')
      .replaceAll('\u00a0', ' ')
  }

  #enter(name: string, attributes: ReadonlyMap<string, string>): void {
    this.#skipped.open(name, attributes)
    if (this.#skipped.isOpen) return
    if (name === 'br') this.#out.lineBreak()
    else this.#mark(name, attributes, attributes.get('style') ?? '')
  }

  #mark(name: string, attributes: ReadonlyMap<string, string>, style: string): void {
    const out = this.#out
    const [ended, around] = ENDS[name] ?? [null, null]
    const last = ended === null ? -1 : this.#open.findLastIndex((open) => ended.has(open.name) || around.has(open.name))
    if (ended?.has(this.#open[last]?.name ?? '') === true) this.#closeFrom(last)
    const row = this.#open.at(-1)
    const gap = name === 'p' && NO_MARGIN.test(style) ? GAP.line : gapOf(name)
    if (!/^t[dh]$/.test(name) || row === undefined || row.span === 0) this.#separate(gap)
    else if (row.isBordered) out.tab(row.span)
    else if (row.from === null || out.count === row.from) out.beside()
    else out.separate(GAP.line)
    if (/^t[dh]$/.test(name) && row !== undefined)
      row.span = Math.min(MAX_COLUMNS, Math.max(1, numberOf(attributes.get('colspan'), 1)))
    if (name === 'hr') {
      this.#add('---')
      this.#separate(gap)
    }
    const picture = name === 'img' ? (attributes.get('alt') ?? '').trim() : ''
    if (picture !== '') this.#add(`[${picture}]`)
    if (name === 'input') this.#add(checkBox(attributes.get('type'), attributes.has('checked')))
    if (name === 'sup') this.#isRaised = true
    const isWritten = name === 'pre' || WRITTEN_STYLE.test(style)
    if (!(TRACKED.has(name) || isWritten) || this.#open.length >= MAX_DEPTH) return
    if (STRUCK.has(name)) out.attachNext('~')
    const number = name === 'li' ? (row?.count ?? null) : null
    const item = name !== 'li' ? '' : number === null ? '- ' : `${number}. `
    if (row !== undefined && number !== null) row.count = number + 1
    const href = name === 'a' ? (attributes.get('href') ?? '').trim() : ''
    const isTable = name === 'table'
    this.#open.push({
      ...{ name, gap, from: null, span: 0, linked: '' },
      prefix: name === 'blockquote' ? '> ' : ' '.repeat(item.length),
      isWritten,
      isBordered: isTable ? /^[1-9]/.test(attributes.get('border') ?? '') : row?.isBordered === true,
      count: name === 'ol' ? numberOf(attributes.get('start'), 1) : null,
      address: /^(?:https?|mailto):/i.test(href) ? href.replace(/^mailto:/i, '') : '',
    })
    this.#update()
    if (item !== '') out.mark(item)
  }

  #leave(name: string): void {
    this.#skipped.close(name)
    if (this.#skipped.isOpen) return
    const place = this.#open.findLastIndex((open) => open.name === name)
    const gap = this.#open[place]?.gap ?? gapOf(name)
    if (place >= 0) this.#closeFrom(place)
    if (name === 'sup') this.#isRaised = false
    if (!/^(?:t[dh]|br)$/.test(name)) this.#separate(gap)
  }

  /** Items of a list follow each other without gaps. */
  #separate(gap: Gap): void {
    const isItem = gap === GAP.paragraph && this.#open.some(({ name }) => name === 'li')
    this.#out.separate(isItem ? GAP.line : gap)
  }

  #closeFrom(place: number): void {
    for (const { name, address, linked } of this.#open.splice(place).toReversed()) {
      if (STRUCK.has(name)) this.#out.attach('~')
      if (name === 'li') this.#out.endMark()
      if (name === 'tr' || name === 'table') this.#out.endRow()
      if (linked.trim() === '' || withoutScheme(linked) === withoutScheme(address)) {
        if (linked.trim() === '' && address !== '') this.#add(address)
      } else if (address !== '' && address.length <= this.#longestAddress) this.#out.append(`<${address}>`, null)
    }
    this.#update()
  }

  #update(): void {
    this.#out.prefix = this.#open.map(({ prefix }) => prefix).join('')
    this.#out.isOneLine = this.#open.some(({ name, isBordered }) => isBordered && /^t[dh]$/.test(name))
  }

  #add(words: string): void {
    if (this.#skipped.isOpen) return
    const link = this.#open.findLast(({ address }) => address !== '')
    if (link !== undefined && link.linked.length <= MAX_LINKED) link.linked += words
    const isPower = this.#isRaised && /^\s*(?:[-+−]?\d|\p{L}\s*$)/u.test(words)
    this.#isRaised &&= words.trim() === ''
    const isWritten = this.#open.some((open) => open.isWritten)
    this.#out.add(isPower ? `^${words.trimStart()}` : words, null, isWritten)
    if (words.trim() !== '') for (const open of this.#open) open.from ??= this.#out.count
  }
}

/**
 * Readable text of HTML with the lines of the page, and marks of lists, quotes, tables, links and pictures. Builds no
 * tree, so it takes linear time, at any depth.
 * @param longestAddress characters. Longer addresses of links are left out: most only track who clicked
 */
export const htmlToText = (html: string, longestAddress = 200): string => new TextReader(longestAddress).read(html)
