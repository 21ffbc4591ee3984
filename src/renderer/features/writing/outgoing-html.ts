import DOMPurify from 'dompurify'
import { rename, unwrap } from '../../ui/child-nodes.ts'
import { toSafeLinkTarget } from '../links/safe-link.ts'
import { toColorStyle } from './outgoing-color.ts'
import { isLine, LINE_STYLE } from './paragraph-lines.ts'

/**
 * Allowed elements and attributes in outgoing HTML, from the table in docs/writing.md ("The HTML that is sent"):
 * everything that Gmail, Outlook (including its Word renderer), Apple Mail, Thunderbird and similar programs display.
 * Tests compare it with the document.
 */
export const OUTGOING_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  b: [],
  blockquote: ['style', 'type', 'dir'],
  br: [],
  code: ['style'],
  div: ['style', 'dir'],
  em: [],
  h1: ['style', 'dir'],
  h2: ['style', 'dir'],
  h3: ['style', 'dir'],
  hr: ['style'],
  i: [],
  img: ['src', 'alt', 'width', 'height', 'style'],
  li: ['style', 'dir'],
  ol: ['start', 'style', 'dir'],
  p: ['style', 'dir'],
  pre: ['style', 'dir'],
  s: [],
  span: ['style', 'dir'],
  strong: [],
  sub: [],
  sup: [],
  table: ['border', 'cellpadding', 'cellspacing', 'style', 'dir'],
  tbody: [],
  td: ['colspan', 'rowspan', 'align', 'valign', 'dir'],
  th: ['colspan', 'rowspan', 'align', 'valign', 'dir'],
  thead: [],
  tr: [],
  u: [],
  ul: ['style', 'dir'],
}

/** Inline styles for each element, so text looks the same without a style sheet. */
const OUTGOING_STYLES: Readonly<Record<string, string>> = {
  p: 'margin:0 0 1em',
  h1: 'margin:0 0 0.5em;font-size:1.5em',
  h2: 'margin:0 0 0.5em;font-size:1.25em',
  h3: 'margin:0 0 0.5em;font-size:1.1em',
  ul: 'margin:0 0 1em;padding-left:2em',
  ol: 'margin:0 0 1em;padding-left:2em',
  li: 'margin:0',
  blockquote: 'margin:0 0 1em;padding-left:1em;border-left:2px solid #cccccc',
  pre: 'margin:0 0 1em;padding:0.5em;background-color:#f4f4f4;font-family:monospace;white-space:pre-wrap',
  code: 'font-family:monospace',
  hr: 'margin:1em 0;border:0;border-top:1px solid #cccccc',
  img: 'max-width:100%;height:auto',
}

/** Reference to an inline image. Only characters that every program accepts in a content ID. */
export const INLINE_IMAGE_URL = /^cid:[\w.@+-]{1,255}$/

const TAGS = Object.keys(OUTGOING_ATTRIBUTES)
const ATTRIBUTES = [...new Set(Object.values(OUTGOING_ATTRIBUTES).flat())]

/** Elements whose text is dropped. */
const DROPPED_CONTENT =
  'script style title template noscript svg math iframe object embed select textarea audio video canvas'

/** Widest size that a picture may ask for, in pixels: Outlook obeys it whatever its window's width. */
const MAX_PICTURE_SIDE = 2_000

const isWholeNumber = (value: string): boolean => /^\d{1,4}$/.test(value)

/** Elements with the same meaning as one in the table. */
const SYNONYMS: Readonly<Record<string, string>> = { del: 's', strike: 's', ins: 'u' }

/** Block elements outside the table (HTML, 15.3). Become `div`s: unwrapping would merge adjacent texts. */
const PLAIN_BLOCKS =
  'address article aside caption center dd details dialog dir dl dt fieldset figcaption figure footer form h4 h5 h6 header hgroup legend listing main menu nav optgroup option plaintext search section summary xmp'.split(
    ' ',
  )

/** True if the message contains the image with this content ID. */
export type HasInlineImage = (contentId: string) => boolean

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** The first letter of an element's text; '' if it has none. */
const firstLetter = (element: Element): string => {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const letter = /\p{L}/u.exec(texts.currentNode.nodeValue ?? '')?.[0]
    if (letter !== undefined) return letter
  }
  return ''
}

/** Resolves `auto`, which some programs don't know, by the text. Null for the direction that is inherited anyway. */
const outgoingDirection = (element: Element, value: string): 'rtl' | 'ltr' | null => {
  if (value !== 'auto') return value === 'rtl' || value === 'ltr' ? value : null
  if (RIGHT_TO_LEFT.test(firstLetter(element))) return 'rtl'
  return element.parentElement?.closest('[dir]')?.getAttribute('dir') === 'rtl' ? 'ltr' : null
}

/** Outgoing value of an attribute; null to drop it. */
const outgoingValue = (
  element: Element,
  name: string,
  value: string,
  hasInlineImage: HasInlineImage,
): string | null => {
  if (OUTGOING_ATTRIBUTES[element.localName]?.includes(name) !== true) return null
  if (name === 'href') return toSafeLinkTarget(value)
  if (name === 'src') return INLINE_IMAGE_URL.test(value) && hasInlineImage(value.slice('cid:'.length)) ? value : null
  if (name === 'alt') return value
  if (name === 'type') return value === 'cite' ? value : null
  if (name === 'dir') return outgoingDirection(element, value.toLowerCase())
  if (name === 'align') return /^(?:left|right|center)$/.test(value) ? value : null
  if (name === 'valign') return /^(?:top|middle|bottom)$/.test(value) ? value : null
  if (!isWholeNumber(value)) return null
  return element.localName === 'img' && Number(value) > MAX_PICTURE_SIDE ? null : value
}

/** Readable colours of a `span`; '' if it has none. */
const colorsOf = (span: HTMLElement): string => {
  const { color, backgroundColor } = span.style
  if (color === '' && backgroundColor === '') return ''
  const around = span.parentElement?.closest<HTMLElement>('span[style*="background-color"]')
  return toColorStyle(color, backgroundColor || (around?.style.backgroundColor ?? ''))
}

const altTextOf = (picture: Element): string => {
  const words = picture.getAttribute('alt')?.trim() ?? ''
  return words === '' ? '' : `[${words}]`
}

/** Replaces elements outside the table by those of the same meaning in it. */
const replaceTags = (root: Element): void => {
  for (const block of root.querySelectorAll(PLAIN_BLOCKS.join())) {
    // Only rows may stay in a table, so a caption moves above it.
    const table = block.localName === 'caption' ? block.closest('table') : null
    const plain = rename(block, 'div')
    table?.before(plain)
  }
  for (const [name, tag] of Object.entries(SYNONYMS)) {
    for (const element of root.querySelectorAll(name)) rename(element, tag)
  }
}

/** Keeps the allowed attributes of an element and gives it Linnet's style; unwraps it if it has no meaning left. */
const reduceElement = (element: Element, hasInlineImage: HasInlineImage): void => {
  const isClose = element.localName === 'p' && isLine(element)
  const colors = element.localName === 'span' ? colorsOf(element as HTMLElement) : ''
  for (const { name, value } of [...element.attributes]) {
    const kept = name === 'style' ? null : outgoingValue(element, name, value, hasInlineImage)
    if (kept === null) element.removeAttribute(name)
    else element.setAttribute(name, kept)
  }
  if (colors !== '') element.setAttribute('style', colors)
  const isEmptySpan = element.localName === 'span' && colors === '' && !element.hasAttribute('dir')
  if (isEmptySpan || (element.localName === 'a' && !element.hasAttribute('href'))) return unwrap(element)
  if (element.localName === 'img' && !element.hasAttribute('src')) return element.replaceWith(altTextOf(element))
  const style = OUTGOING_STYLES[element.localName]
  // Code in a `pre` block already has the block's font.
  if (style !== undefined && !element.matches('pre > code')) element.setAttribute('style', isClose ? LINE_STYLE : style)
  // The marks of a list are on the side where its lines start.
  if (element.matches('ul[dir="rtl"], ol[dir="rtl"]')) element.setAttribute('style', 'margin:0 0 1em;padding-right:2em')
  // The editor wraps each item and cell in a paragraph; render those without margins.
  if (element.matches('li > p, td > p, th > p')) element.setAttribute('style', LINE_STYLE)
  // Adjacent cells share one border line.
  if (element.matches('table[border="1"]')) element.setAttribute('style', 'margin:0 0 1em;border-collapse:collapse')
}

/**
 * Outgoing HTML for the user's text: small, readable in common mail programs, and without scripts, remote content,
 * forms or hidden text. Elements outside the allowed table are unwrapped, other attributes dropped, and styles replaced
 * by Linnet's. Accepts the editor's markup or its own output, and doesn't rely on earlier cleaning.
 * @param hasInlineImage returns true for images to keep; others become their alt text, because recipients couldn't see
 * them
 * @returns '' if nothing was written
 */
export const toOutgoingHtml = (html: string, hasInlineImage: HasInlineImage = () => false): string => {
  const purified = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...TAGS, ...PLAIN_BLOCKS, ...Object.keys(SYNONYMS)],
    // Styles are only read; the sent ones are Linnet's.
    ALLOWED_ATTR: [...ATTRIBUTES, 'style'],
    // `cid:` is for images that the message contains.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|cid:)/i,
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    FORBID_CONTENTS: DROPPED_CONTENT.split(' '),
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment | null
  // Null if the markup leaves no body.
  if (purified === null) return ''
  const root = purified.ownerDocument.createElement('div')
  root.append(purified)
  replaceTags(root)
  for (const element of root.querySelectorAll('*')) reduceElement(element, hasInlineImage)
  if (root.textContent.trim() === '' && root.querySelector('img, hr') === null) return ''
  // Most programs collapse an empty paragraph; keep the user's blank line.
  for (const paragraph of root.querySelectorAll('p')) {
    if (!paragraph.hasChildNodes()) paragraph.append(paragraph.ownerDocument.createElement('br'))
  }
  return root.innerHTML
}
