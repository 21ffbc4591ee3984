/** Bundled for a page: compares what the reader draws with what leaves in an answer, a forward and a paste. */
import { isEmailPicture } from '../../../../src/renderer/features/bodies/block-images.ts'
import { buildMailStyle } from '../../../../src/renderer/features/bodies/frame-document.ts'
import { isHeavyHtml } from '../../../../src/shared/mail-text/heavy-html.ts'
import { sanitizeHtml } from '../../../../src/renderer/features/bodies/sanitize-html.ts'
import { hasHue, isHighlight, toColorStyle } from '../../../../src/renderer/features/writing/outgoing-color.ts'
import { toOutgoingHtml } from '../../../../src/renderer/features/writing/outgoing-html.ts'
import { quoteEmail } from '../../../../src/renderer/features/writing/quote-email.ts'
import { createRichEditor } from '../../../../src/renderer/features/writing/rich-editor.ts'
import { serializeEditor } from '../../../../src/renderer/features/writing/serialize-editor.ts'

type Way = 'answer' | 'forward' | 'paste'

/** Meaning of drawn HTML. Words are letters without whitespace, so that only `lines` depends on lines. */
interface Meaning {
  readonly lines: readonly string[]
  readonly struck: string
  readonly raised: string
  readonly lowered: string
  readonly colors: readonly string[]
  readonly pictures: readonly string[]
  readonly rightToLeft: string
}

const INVISIBLE = /[\u200b\u00ad\ufeff\u2060]/g
const BLOCK_TAGS =
  'address,article,aside,blockquote,center,dd,details,div,dl,dt,figcaption,figure,footer,h1,h2,h3,h4,h5,h6,header,li,main,nav,ol,p,pre,section,ul'

/** The reader's style, without its own colour of marked words. */
const STYLE = buildMailStyle(':root', 'light', 14).replace(/^\s*mark \{.*$/m, '')
/** The reader's own colours of text and links, and those of a page without styles. */
const OWN_COLORS: Readonly<Record<string, string>> = {
  'rgb(31, 27, 24)': 'rgb(0, 0, 0)',
  'rgb(42, 85, 120)': 'rgb(0, 0, 238)',
}

/** Attribute of what is not sent, with everything in it. */
const GONE = 'data-gone'

const frames = new Map<string, HTMLIFrameElement>()

const draw = (name: string, markup: string): Document => {
  let frame = frames.get(name)
  if (frame === undefined) {
    frame = document.createElement('iframe')
    frame.style.cssText = 'width:800px;height:600px'
    document.body.append(frame)
    frames.set(name, frame)
  }
  const page = frame.contentDocument
  if (page === null) throw new Error('The frame has no document.')
  page.open()
  // oxlint-disable-next-line typescript/no-deprecated -- the only synchronous way to draw a document
  page.write(`<!doctype html><style>${STYLE}</style>${markup}`)
  page.close()
  return page
}

const styles = new Map<Element, CSSStyleDeclaration>()
const styleOf = (element: Element): CSSStyleDeclaration => {
  const known = styles.get(element)
  if (known !== undefined) return known
  const style = (element.ownerDocument.defaultView ?? window).getComputedStyle(element)
  styles.set(element, style)
  return style
}

const textsIn = (root: Node): Text[] => {
  const walker = (root.ownerDocument ?? document).createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
  return texts
}

/** Changes the reader's page in the ways that docs/writing.md lists under “Differences”. */
const applyDifferences = (page: Document, way: Way, addresses: readonly string[]): void => {
  const { body } = page
  for (const fold of body.querySelectorAll('details')) fold.open = true
  for (const summary of body.querySelectorAll('.linnet-quote > summary')) summary.remove()
  const changes: (() => void)[] = []
  for (const element of body.querySelectorAll<HTMLElement>('*')) {
    const style = styleOf(element)
    const isInvisible = style.visibility !== 'visible'
    const isPending = element.matches('img[data-linnet-picture]')
    if (!isPending && (style.display === 'none' || style.opacity === '0'))
      changes.push(() => {
        // Its place still counts for the style sheets.
        element.setAttribute(GONE, '')
        element.style.setProperty('display', 'none', 'important')
      })
    else if (isInvisible && element.localName === 'img') changes.push(() => element.remove())
    for (const node of element.childNodes) {
      if (node.nodeType !== 3) continue
      if ((isInvisible || style.fontSize === '0px') && (node.nodeValue ?? '').trim() !== '')
        changes.push(() => node.remove())
      else if (/pre|break-spaces/.test(style.whiteSpace) && style.whiteSpace !== 'pre-line')
        changes.push(() => (node.nodeValue = (node.nodeValue ?? '').replaceAll('\t', '\u00a0'.repeat(4))))
    }
    // A box beside others gets a line of its own, and a box within a line becomes words of the line.
    if (style.display.startsWith('inline-') && !element.matches('.linnet-image')) {
      const display = element.matches(BLOCK_TAGS) ? 'block' : 'inline'
      changes.push(() => element.style.setProperty('display', display, 'important'))
    }
  }
  for (const change of changes) change()
  for (const quotation of body.querySelectorAll('q')) {
    if (quotation.textContent.trim() === '') continue
    quotation.prepend('“')
    quotation.append('”')
  }
  for (const picture of body.querySelectorAll('img')) {
    const number = picture.getAttribute('data-linnet-picture')
    const address = number === null ? (picture.getAttribute('src') ?? '') : (addresses[Number(number)] ?? '')
    const isShown = way !== 'paste' && (address.startsWith('data:') || (way === 'forward' && isEmailPicture(address)))
    const place = picture.nextElementSibling
    if (isShown) {
      picture.setAttribute('src', 'cid:')
      if (number !== null && place?.getAttribute('data-linnet-place') === number) place.remove()
    } else if (number === null) picture.replaceWith(picture.alt.trim() === '' ? '' : `[${picture.alt.trim()}]`)
    else picture.remove()
  }
  for (const place of body.querySelectorAll('.linnet-image')) {
    const words = place.textContent.trim()
    place.replaceWith(words === '' ? '' : `[${words}]`)
  }
  // Lists of Word become lists, whose marks aren't text.
  if (way === 'paste') for (const mark of body.querySelectorAll('[style*="mso-list:ignore" i]')) mark.remove()
  const sheet = page.createElement('style')
  sheet.textContent = '*{text-transform:none!important}'
  page.head.append(sheet)
}

const lettersOf = (text: Text): string => text.data.replace(INVISIBLE, '').replace(/\s/g, '')

const ancestorsOf = (text: Text): Element[] => {
  const found: Element[] = []
  for (let at = text.parentElement; at !== null && at.localName !== 'body'; at = at.parentElement) found.push(at)
  return found
}

const isInline = (element: Element): boolean => /^(?:inline|contents)/.test(styleOf(element).display)

const isStruck = (text: Text): boolean =>
  ancestorsOf(text).some((element) => styleOf(element).textDecorationLine.includes('line-through'))

const isMoved = (text: Text, where: string): boolean =>
  ancestorsOf(text).some((element) => isInline(element) && styleOf(element).verticalAlign === where)

const colorOf = (text: Text): string => {
  const around = ancestorsOf(text)
  const [first] = around
  if (first === undefined) return ''
  const marked = around.find((element) => isInline(element) && isHighlight(styleOf(element).backgroundColor))
  const highlight = marked === undefined ? '' : styleOf(marked).backgroundColor
  const color = OWN_COLORS[styleOf(first).color] ?? styleOf(first).color
  if (highlight === '' && around.some((element) => element.matches('a'))) return ''
  return toColorStyle(hasHue(color) ? color : highlight === '' ? '' : color, highlight)
}

const meaningOf = (page: Document): Meaning => {
  const texts = textsIn(page.body).filter((text) => text.parentElement?.closest(`style, [${GONE}]`) === null)
  const those = (is: (text: Text) => boolean): string => texts.filter(is).map(lettersOf).join('')
  const colors: [string, string][] = []
  for (const text of texts) {
    const [letters, color, last] = [lettersOf(text), colorOf(text), colors.at(-1)]
    if (letters === '') continue
    if (last?.[1] === color) last[0] += letters
    else colors.push([letters, color])
  }
  return {
    lines: page.body.innerText
      .replace(INVISIBLE, '')
      .split(/[\n\t]/)
      .map((line) => line.replaceAll('\u00a0', ' ').trim())
      .filter((line) => line !== ''),
    struck: those(isStruck),
    raised: those((text) => isMoved(text, 'super')),
    lowered: those((text) => isMoved(text, 'sub')),
    colors: colors.filter(([, color]) => color !== '').map(([letters, color]) => `${letters} ${color}`),
    pictures: [...page.querySelectorAll<HTMLImageElement>('img[src^="cid:"]')]
      .filter((picture) => picture.closest(`[${GONE}]`) === null)
      .map(({ alt }) => alt.trim()),
    rightToLeft: those((text) => styleOf(text.parentElement ?? page.body).direction === 'rtl').replace(/\P{L}/gu, ''),
  }
}

const sentBy = async (way: Exclude<Way, 'paste'>, html: string): Promise<string> => {
  const email = { html, text: null, from: 'a@a.example', to: [], cc: [], subject: null, date: 0 }
  const quote = await quoteEmail(way === 'answer' ? 'reply' : 'forward', email, (address) =>
    address.startsWith('data:') || way === 'forward' ? 'picture@linnet' : null,
  )
  const page = new DOMParser().parseFromString(quote.html, 'text/html')
  // The line or the header above the quoted text.
  page.querySelector('p')?.remove()
  return way === 'answer' ? (page.querySelector('blockquote')?.innerHTML ?? '') : page.body.innerHTML
}

const createEditor = () => {
  const element = document.createElement('div')
  document.body.append(element)
  const nothing = (): void => undefined
  return createRichEditor({
    ...{ element, html: '', attributes: {}, onChange: nothing, onMove: nothing, onFiles: nothing },
    ...{ pictureOf: () => Promise.resolve(null), hasInlineImage: () => false },
  })
}
let editor: ReturnType<typeof createEditor> | null = null

const sentByPaste = (html: string): string => {
  editor ??= createEditor()
  editor.commands.clearContent()
  editor.view.pasteHTML(html, new ClipboardEvent('paste'))
  return toOutgoingHtml(serializeEditor(editor))
}

/** Without the elements that a page doesn't show as their text, which the reader shows. */
const copied = (html: string): string => {
  const page = new DOMParser().parseFromString(html, 'text/html').documentElement
  for (const fold of page.querySelectorAll('details:not([open])'))
    fold.replaceChildren(...[...fold.children].filter(({ localName }) => localName === 'summary').slice(0, 1))
  const unseen = 'audio, button, canvas, iframe, noembed, noframes, noscript, object, select, template, textarea, video'
  for (const element of page.querySelectorAll(`[hidden], ${unseen}`)) element.remove()
  return page.outerHTML
}

/** Meanings that a paste changes on purpose. */
const NOT_PASTED: readonly (keyof Meaning)[] = ['colors', 'pictures', 'rightToLeft']

/** Differences between what the reader shows and what leaves; null for mail that is too heavy to quote whole. */
export const compare = async (html: string, way: Way): Promise<readonly string[] | null> => {
  if (isHeavyHtml(html)) return null
  const safe = sanitizeHtml(way === 'paste' ? copied(html) : html, way === 'paste')
  const reader = draw('reader', safe.markup)
  applyDifferences(reader, way, safe.pictures)
  const seen = meaningOf(reader)
  const sent = way === 'paste' ? sentByPaste(html) : await sentBy(way, html)
  const there = meaningOf(draw('sent', sent))
  styles.clear()
  return Object.keys(seen).flatMap((key) => {
    const name = key as keyof Meaning
    if (way === 'paste' && NOT_PASTED.includes(name)) return []
    const [one, other] = [JSON.stringify(seen[name]), JSON.stringify(there[name])]
    return one === other ? [] : [`${name}: ${one} → ${other}`]
  })
}
