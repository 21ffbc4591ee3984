import DOMPurify from 'dompurify'
import { DATA_ELEMENTS } from '../../../shared/data-elements.ts'
import { moveChildren, unwrap } from '../../ui/child-nodes.ts'
import { preserveWhitespace } from './preserve-whitespace.ts'
import { toOutgoingHtml, type HasInlineImage } from './outgoing-html.ts'
import { removeHidden } from './hidden-content.ts'

/** DOMPurify options for pasted HTML, before its styles are interpreted. */
const PASTE_OPTIONS = {
  USE_PROFILES: { html: true },
  FORBID_TAGS: ['form', 'input', 'button', 'select', 'textarea', 'audio', 'video', 'picture', 'template', 'noscript'],
  FORBID_CONTENTS: [
    'script',
    'title',
    'template',
    'noscript',
    'select',
    'textarea',
    'svg',
    'math',
    'button',
    // Their content is fallback text.
    ...['audio', 'video', 'canvas', 'iframe', 'object', 'noembed', 'noframes'],
    ...DATA_ELEMENTS,
  ],
  ALLOW_DATA_ATTR: false,
  // Keep the whole document: its style sheets may hide text, and their position matters.
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true as const,
}

const styleOf = (element: Element): string => (element.getAttribute('style') ?? '').toLowerCase()

/** Inline styles with a meaning that an element can express. */
const STYLE_TAGS: readonly (readonly [tag: string, RegExp])[] = [
  ['strong', /(?:^|[;\s])font-weight\s*:\s*(?:bold|[6-9]00)/],
  ['em', /(?:^|[;\s])font-style\s*:\s*(?:italic|oblique)/],
  ['s', /(?:^|[;\s])text-decoration[^:;]*:[^;]*line-through/],
]

/** Google Docs wraps everything in a bold element styled as not bold. */
const isFalseBold = (element: Element): boolean =>
  /^(?:b|strong)$/.test(element.localName) && /(?:^|[;\s])font-weight\s*:\s*(?:normal|[1-5]00)/.test(styleOf(element))

const wrapContent = (element: Element, tag: string): void => {
  const wrapper = element.ownerDocument.createElement(tag)
  moveChildren(element, wrapper)
  element.append(wrapper)
}

const convertStyles = (fragment: DocumentFragment): void => {
  for (const element of [...fragment.querySelectorAll('[style]')]) {
    if (isFalseBold(element)) {
      unwrap(element)
      continue
    }
    if (!/^(?:span|font|a)$/.test(element.localName)) continue
    const style = styleOf(element)
    for (const [tag, meaning] of STYLE_TAGS) if (meaning.test(style)) wrapContent(element, tag)
  }
}

const WORD_LEVEL = /mso-list\s*:\s*\S+\s+level(\d+)/
/** Word's text marker for numbered items. */
const NUMBERED = /^\s*(?:\d+|[a-z]{1,3})[.)]/i

/** Turns Word's lists, which are paragraphs with list styles, into real lists. */
const convertWordLists = (fragment: DocumentFragment): void => {
  let open: Element[] = []
  let last: Node | null = null
  for (const paragraph of [...fragment.querySelectorAll('p[style*="mso-list" i], div[style*="mso-list" i]')]) {
    const level = Math.min(9, Number.parseInt(WORD_LEVEL.exec(styleOf(paragraph))?.[1] ?? '1', 10))
    const mark = [...paragraph.querySelectorAll('span')].find((span) => /mso-list\s*:\s*ignore/.test(styleOf(span)))
    const tag = NUMBERED.test((mark ?? paragraph).textContent) ? 'ol' : 'ul'
    mark?.remove()
    let before = paragraph.previousSibling
    while (before !== null && before.nodeType !== 1 && (before.nodeValue ?? '').trim() === '')
      before = before.previousSibling
    if (before !== last || last === null) open = []
    open = open.slice(0, level)
    while (open.length < level) {
      const list = paragraph.ownerDocument.createElement(tag)
      const parent = open.at(-1)
      if (parent === undefined) paragraph.before(list)
      else (parent.lastElementChild ?? parent).append(list)
      open.push(list)
    }
    const item = paragraph.ownerDocument.createElement('li')
    moveChildren(paragraph, item)
    open.at(-1)?.append(item)
    paragraph.remove()
    last = open[0] ?? null
  }
}

const WHITE_SPACE = /(?:^|[;\s])white-space(?:-collapse)?\s*:\s*([a-z-]+)/

/** True if the source displayed the text's whitespace, as code editors do. */
const showsWhitespace = (text: Text): boolean => {
  for (let around = text.parentElement; around !== null; around = around.parentElement) {
    const said = WHITE_SPACE.exec(styleOf(around))?.[1]
    if (said !== undefined) return /^(?:pre|pre-wrap|preserve|break-spaces)$/.test(said)
  }
  return false
}

const BLOCKS =
  'address,article,aside,blockquote,center,dd,details,div,dl,dt,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hr,li,main,nav,ol,p,pre,section,table,ul'

const isLine = (node: Node | null): node is Element =>
  node?.nodeType === 1 && (node as Element).localName === 'div' && (node as Element).querySelector(BLOCKS) === null

/** Merges adjacent lines without a gap into one paragraph: the editor's paragraphs have gaps. */
const joinLines = (fragment: DocumentFragment): void => {
  for (const first of [...fragment.querySelectorAll('div')]) {
    if (!isLine(first)) continue
    const lines: Element[] = [first]
    for (let next = first.nextSibling; next !== null; next = next.nextSibling) {
      if (isLine(next)) lines.push(next)
      else if (next.nodeType !== 8 && (next.nodeValue ?? 'words').trim() !== '') break
    }
    if (lines.length === 1) continue
    let paragraph: Element | null = null
    for (const line of lines) {
      if (line.textContent.trim() === '' && line.querySelector('img') === null) paragraph = null
      else if (paragraph === null) {
        paragraph = line.ownerDocument.createElement('p')
        line.before(paragraph)
      } else paragraph.append(line.ownerDocument.createElement('br'))
      if (paragraph !== null) moveChildren(line, paragraph)
      line.remove()
    }
  }
}

/** Headings too deep for an e-mail. */
const HEADINGS = 'h4, h5, h6'

/**
 * Keeps text, structure and links of a paste. Drops fonts, sizes, colours, layout, and anything that runs, is hidden or
 * would be fetched. Pasted images arrive as files.
 * @param hasInlineImage recognises the message's own images, which can be cut and pasted
 */
export const sanitizePaste = (html: string, hasInlineImage?: HasInlineImage): string => {
  const page = DOMPurify.sanitize(html, PASTE_OPTIONS) as HTMLElement
  for (const fold of page.querySelectorAll('details:not([open])')) {
    fold.replaceChildren(...[...fold.children].filter(({ localName }) => localName === 'summary').slice(0, 1))
  }
  removeHidden(page)
  const fragment = page.ownerDocument.createDocumentFragment()
  // The markup may leave no body.
  moveChildren(page.querySelector('body') ?? fragment.ownerDocument.createDocumentFragment(), fragment)
  preserveWhitespace(fragment, showsWhitespace)
  joinLines(fragment)
  convertWordLists(fragment)
  convertStyles(fragment)
  for (const heading of fragment.querySelectorAll(HEADINGS)) {
    const paragraph = heading.ownerDocument.createElement('p')
    const bold = heading.ownerDocument.createElement('strong')
    moveChildren(heading, bold)
    paragraph.append(bold)
    heading.replaceWith(paragraph)
  }
  const holder = fragment.ownerDocument.createElement('div')
  holder.append(fragment)
  return toOutgoingHtml(holder.innerHTML, hasInlineImage)
}
