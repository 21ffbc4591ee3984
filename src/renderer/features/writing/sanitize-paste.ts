import { moveChildren, unwrap } from '../../ui/child-nodes.ts'
import { sanitizeHtml } from '../bodies/sanitize-html.ts'
import { toOutgoingHtml, type HasInlineImage } from './outgoing-html.ts'
import { keepInlineImages, toVisibleContent } from './visible-content.ts'

/** Elements that a page shows as something other than their text, or not at all. */
const NO_TEXT = 'audio, button, canvas, iframe, noembed, noframes, noscript, object, select, template, textarea, video'

const styleOf = (element: Element): string => (element.getAttribute('style') ?? '').toLowerCase()

const WORD_LEVEL = /mso-list\s*:\s*\S+\s+level(\d+)/
/** Word's text marker for numbered items. */
const NUMBERED = /^\s*(?:\d+|[a-z]{1,3})[.)]/i

/** Turns Word's lists, which are paragraphs with list styles, into real lists. */
const convertWordLists = (root: Element): void => {
  let open: Element[] = []
  let last: Node | null = null
  for (const paragraph of [...root.querySelectorAll('p[style*="mso-list" i], div[style*="mso-list" i]')]) {
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

const BLOCKS =
  'address,article,aside,blockquote,center,dd,details,div,dl,dt,figure,footer,form,h1,h2,h3,h4,h5,h6,header,hr,li,main,nav,ol,p,pre,section,table,ul'

const isLine = (node: Node | null): node is Element =>
  node?.nodeType === 1 && (node as Element).localName === 'div' && (node as Element).querySelector(BLOCKS) === null

/** Merges adjacent lines without a gap into one paragraph: the editor's paragraphs have gaps. */
const joinLines = (root: Element): void => {
  for (const first of [...root.querySelectorAll('div')]) {
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

/**
 * Keeps text, structure and links of a paste, as the reader would show them. Drops fonts, sizes, colours, layout, and
 * anything that runs, is hidden or would be fetched. Pasted images arrive as files.
 * @param hasInlineImage recognises the message's own images, which can be cut and pasted
 */
export const sanitizePaste = (html: string, hasInlineImage: HasInlineImage = () => false): string => {
  const page = new DOMParser().parseFromString(html, 'text/html').documentElement
  for (const fold of page.querySelectorAll('details:not([open])')) {
    fold.replaceChildren(...[...fold.children].filter(({ localName }) => localName === 'summary').slice(0, 1))
  }
  for (const unseen of page.querySelectorAll(`[hidden], ${NO_TEXT}`)) unseen.remove()
  convertWordLists(page)
  const root = toVisibleContent(sanitizeHtml(page.outerHTML, true), false, keepInlineImages(hasInlineImage))
  const mail = root.querySelector('#linnet-mail')
  if (mail !== null) unwrap(mail)
  joinLines(root)
  // Headings too deep for an e-mail. Their text is bold already.
  for (const heading of root.querySelectorAll('h4, h5, h6')) {
    const paragraph = document.createElement('p')
    moveChildren(heading, paragraph)
    heading.replaceWith(paragraph)
  }
  return toOutgoingHtml(root.innerHTML, hasInlineImage)
}
