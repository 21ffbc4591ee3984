import DOMPurify from 'dompurify'
import { calmText } from './calm-text.ts'
import { directionOf, hasLetter } from './text-direction.ts'
import { isEmbeddedImage } from './embedded-image.ts'
import { promisedHost, safeLinkTarget } from './safe-link.ts'
import { tameCss } from './tame-css.ts'

/** An HTML body that can be shown: markup for the frame, and what was kept out of it. */
export interface SafeHtml {
  readonly markup: string
  /** Images that would have been fetched from elsewhere. */
  readonly blockedImages: number
  /** Those among them that nobody could have seen: they exist to tell the sender that the e-mail was read. */
  readonly trackingPixels: number
  /** Whether it has neither a layout nor colours of its own: then it may be shown in the theme's. */
  readonly isLetter: boolean
  /** Whether nothing is left that could be seen: neither words nor images. */
  readonly isEmpty: boolean
}

/**
 * Nothing that runs, asks for input, plays, embeds, or reaches outside. `svg` and `math` are left out by the profile:
 * they have their own ways to carry script.
 */
const FORBIDDEN_TAGS = [
  ...['form', 'input', 'button', 'select', 'option', 'optgroup', 'textarea', 'datalist', 'fieldset', 'dialog'],
  ...['audio', 'video', 'source', 'track', 'picture', 'map', 'area', 'marquee', 'canvas', 'template', 'slot'],
  // Annotations in annotations are laid out again for each of them.
  ...['ruby', 'rb', 'rt', 'rtc', 'rp'],
  ...['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'base', 'link', 'meta', 'title', 'noscript'],
]
const FORBIDDEN_ATTRIBUTES = [
  ...['srcset', 'sizes', 'poster', 'ping', 'action', 'formaction', 'usemap', 'ismap', 'download', 'is', 'popover'],
  ...['autofocus', 'contenteditable', 'tabindex', 'accesskey', 'draggable', 'hidden', 'inert', 'loading', 'nonce'],
]

const QUOTES = 'blockquote[type="cite"], .gmail_quote, .protonmail_quote, .yahoo_quoted'

const sizeOf = (image: Element, side: 'width' | 'height'): number | null => {
  const styled = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`, 'i').exec(
    image.getAttribute('style') ?? '',
  )
  const given = styled?.[1] ?? image.getAttribute(side)
  return given === null || !/^\d+(?:\.\d+)?(?:px)?$/.test(given) ? null : Number.parseFloat(given)
}

const isInvisible = (image: Element): boolean => {
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  const isTiny = (width !== null && width <= 2) || (height !== null && height <= 2)
  return isTiny || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(image.getAttribute('style') ?? '')
}

/** What stands where an image would have been: its alternative text, in a box of its size. */
const placeholderFor = (image: Element): HTMLElement => {
  const box = image.ownerDocument.createElement('span')
  const words = image.getAttribute('alt')?.trim() ?? ''
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  box.className = 'linnet-image'
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', words === '' ? 'Image, not shown' : words)
  box.textContent = words
  // A missing side is left to the words; a wide banner must not push the text off the first screen.
  const sides = [
    width === null ? '' : `width:${width}px`,
    height === null ? '' : `min-height:${Math.min(height, 160)}px`,
  ]
  box.setAttribute('style', sides.filter((side) => side !== '').join(';'))
  return box
}

const COLOURED = '[bgcolor], [color], [style*=color i], [style*=background i]'

const blockImages = (root: Element): Pick<SafeHtml, 'blockedImages' | 'trackingPixels'> => {
  let blockedImages = 0
  let trackingPixels = 0
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src')?.trim() ?? ''
    if (isEmbeddedImage(source)) continue
    // `cid:` names a part of the e-mail itself: not remote, yet the platform does not hand it out.
    const isRemote = source !== '' && !/^(?:cid|data):/i.test(source)
    if (isRemote) blockedImages += 1
    const isPixel = isInvisible(image)
    if (isRemote && isPixel) trackingPixels += 1
    // Without words and without a size there is nothing to hold a place for.
    const isBlank = (image.getAttribute('alt') ?? '').trim() === '' && sizeOf(image, 'height') === null
    if (isPixel || isBlank) {
      image.remove()
    } else {
      image.replaceWith(placeholderFor(image))
    }
  }
  for (const element of root.querySelectorAll('[background]')) {
    element.removeAttribute('background')
    blockedImages += 1
  }
  return { blockedImages, trackingPixels }
}

/** @returns how many references to elsewhere were taken out of the styles */
const tameStyles = (root: Element): number => {
  let blocked = 0
  for (const element of root.querySelectorAll('[style]')) {
    const { css, removed } = tameCss(element.getAttribute('style') ?? '')
    blocked += removed
    element.setAttribute('style', css)
  }
  for (const sheet of root.querySelectorAll('style')) {
    const { css, removed } = tameCss(sheet.textContent)
    blocked += removed
    sheet.textContent = css
  }
  return blocked
}

const guardLinks = (root: Element): void => {
  for (const link of root.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (href.startsWith('#')) continue
    const target = safeLinkTarget(href)
    if (target === null) {
      link.removeAttribute('href')
      continue
    }
    const promised = promisedHost(link.textContent, target)
    link.setAttribute('href', target)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
    link.setAttribute('title', promised === null ? target : `${target}\nBeware: the words say ${promised}.`)
  }
}

/** What an e-mail's parts may say that they are: pieces of a text. What speaks up by itself, or takes keys, is the window's. */
const ROLES = new Set(
  'article banner cell columnheader contentinfo heading img list listitem main none note presentation row rowgroup rowheader separator table'.split(
    ' ',
  ),
)
/** With these a text is read aloud unasked, or something else than what is seen. */
const SPEAKING = [
  'aria-live',
  'aria-atomic',
  'aria-relevant',
  'aria-busy',
  'aria-modal',
  'aria-owns',
  'aria-activedescendant',
]

/** Leaves to a screen reader what structures an e-mail, and takes away what interrupts a person or passes for the window. */
const quieten = (root: Element): void => {
  for (const element of root.querySelectorAll('[role]')) {
    if (!ROLES.has((element.getAttribute('role') ?? '').trim().toLowerCase())) element.removeAttribute('role')
  }
  for (const name of SPEAKING) {
    for (const element of root.querySelectorAll(`[${name}]`)) element.removeAttribute(name)
  }
}

/** The quotes that lie in no other quote. */
const outermostQuotes = (body: Element): readonly Element[] => {
  // What is rejected is not entered, so that quotes in quotes cost nothing.
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_ELEMENT, (node) => {
    const isInQuote = node.parentElement?.matches(QUOTES) === true && node.parentElement !== body
    return isInQuote ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
  })
  const quotes: Element[] = []
  while (walker.nextNode() !== null) {
    const element = walker.currentNode as Element
    if (element.matches(QUOTES)) quotes.push(element)
  }
  return quotes
}

/** Folds what an earlier e-mail said, unless there is nothing else. */
const foldQuotes = (body: Element): void => {
  const total = body.textContent.trim().length
  for (const quote of outermostQuotes(body)) {
    if (total - quote.textContent.trim().length < 8) continue
    const fold = quote.ownerDocument.createElement('details')
    const summary = quote.ownerDocument.createElement('summary')
    fold.className = 'linnet-quote'
    summary.textContent = 'Quoted text'
    quote.replaceWith(fold)
    fold.append(summary, quote)
  }
}

/** Names that are Linnet's own in the frame's document; mail that bears them would be taken for a part of the reader. */
const takeBackNames = (root: Element): void => {
  for (const element of root.querySelectorAll('[id^="linnet-" i]')) element.removeAttribute('id')
  for (const element of root.querySelectorAll('[class*="linnet-" i]')) {
    element.classList.remove(...[...element.classList].filter((name) => /^linnet-/i.test(name)))
  }
}

/** A browser's layout goes into each element from within the one around it, and falls over where there are too many. */
const DEEPEST = 200

/** Cells that span more than these have nothing to span, and a browser keeps a place for each. */
const SPANS = { rowspan: 100, colspan: 100, span: 100 } as const
/** Places that all cells of an e-mail span together. */
const SPANNED = 20_000

/** Keeps the words of elements that lie too deep, and lets the elements go. */
const flatten = (body: Element): void => {
  let at = body
  let depth = 0
  for (;;) {
    if (depth >= DEEPEST && at.firstElementChild !== null) at.replaceChildren(at.textContent)
    if (at.firstElementChild !== null) {
      at = at.firstElementChild
      depth += 1
      continue
    }
    while (at !== body && at.nextElementSibling === null) {
      at = at.parentElement ?? body
      depth -= 1
    }
    if (at === body || at.nextElementSibling === null) return
    at = at.nextElementSibling
  }
}

const limitSpans = (body: Element): void => {
  let spanned = 0
  for (const element of body.querySelectorAll('[rowspan], [colspan], [span]')) {
    const sizes = Object.entries(SPANS).map(([name, most]) => {
      const size = Number.parseInt(element.getAttribute(name) ?? '1', 10)
      // `rowspan="0"` is all rows that follow.
      const kept = size >= 1 && size <= most ? size : 1
      if (kept !== size) element.removeAttribute(name)
      return kept
    })
    spanned += sizes.reduce((product, size) => product * size, 1)
    if (spanned > SPANNED) for (const name of Object.keys(SPANS)) element.removeAttribute(name)
  }
}

/** Pieces of text in which the first letter of an element is looked for. */
const LOOKED_THROUGH = 50

/** Says the direction of what a mail leaves to the browser, which reads the text again with each element put into it. */
const sayDirections = (body: Element): void => {
  for (const element of body.querySelectorAll('[dir="auto" i]')) {
    const walker = body.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    let words = ''
    for (let pieces = 0; pieces < LOOKED_THROUGH && walker.nextNode() !== null; pieces += 1) {
      words = walker.currentNode.nodeValue ?? ''
      if (hasLetter(words)) break
    }
    element.setAttribute('dir', directionOf(words))
  }
}

/** Makes all words such that they can be laid out. */
const calmWords = (body: Element): void => {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    const words = walker.currentNode.nodeValue ?? ''
    const calm = calmText(words)
    if (calm !== words) walker.currentNode.nodeValue = calm
  }
}

/** The body's own colours and fonts go to an element of their own: the frame's body is Linnet's. */
const bodyAsDivision = (body: HTMLElement): HTMLElement => {
  const division = body.ownerDocument.createElement('div')
  const background = body.getAttribute('bgcolor')
  const style = body.getAttribute('style') ?? ''
  while (body.firstChild !== null) division.append(body.firstChild)
  division.id = 'linnet-mail'
  // Said, not left to `auto`, for which a browser reads the text again with each element that it puts in.
  division.dir = body.dir === 'rtl' || body.dir === 'ltr' ? body.dir : directionOf(division.textContent)
  division.setAttribute('style', background === null ? style : `background-color:${background};${style}`)
  // Mail with tables or colours of its own is laid out; anything else is a letter and stands where text stands.
  const isLaidOut = background !== null || /background/i.test(style) || division.querySelector('table') !== null
  if (!isLaidOut) division.className = 'linnet-letter'
  return division
}

/** A set of frames takes the place of the body, with the words for those who see no frames: they are what can be shown. */
const withoutFrames = (html: string): string => html.replace(/(<\/?)(?:frameset|noframes)\b/gi, '$1div')

/**
 * Makes an e-mail's HTML safe to show: no script, no form, no remote resource, only links that open web pages or
 * e-mails. It is the first of three walls; the frame's content security policy (`frameDocument`) and its sandbox
 * without scripts hold where a sanitiser is outwitted.
 */
export const sanitiseHtml = (html: string): SafeHtml => {
  const root = DOMPurify.sanitize(withoutFrames(html), {
    USE_PROFILES: { html: true },
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
    ADD_ATTR: ['background'],
    ALLOW_DATA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
    // WHOLE_DOCUMENT makes the node that is returned the document's own element.
  }) as HTMLElement
  // Before placeholders, which say what they are themselves.
  quieten(root)
  const images = blockImages(root)
  const styles = tameStyles(root)
  guardLinks(root)
  takeBackNames(root)
  const sheets = [...root.querySelectorAll('style')]
  const body = root.querySelector('body')
  if (body === null) return { markup: '', blockedImages: 0, trackingPixels: 0, isLetter: true, isEmpty: true }
  for (const sheet of sheets) sheet.remove()
  const isColoured = sheets.length > 0 || body.matches(COLOURED) || body.querySelector(COLOURED) !== null
  flatten(body)
  limitSpans(body)
  calmWords(body)
  sayDirections(body)
  foldQuotes(body)
  const mail = bodyAsDivision(body)
  return {
    markup: [...sheets, mail].map((element) => element.outerHTML).join(''),
    blockedImages: images.blockedImages + styles,
    trackingPixels: images.trackingPixels,
    isLetter: !isColoured && mail.className === 'linnet-letter',
    isEmpty: mail.textContent.trim() === '' && mail.querySelector('img, [role=img], hr') === null,
  }
}
