import DOMPurify from 'dompurify'
import { promisedHost, safeLinkTarget } from './safe-link.ts'

/** An HTML body that can be shown: markup for the frame, and what was kept out of it. */
export interface SafeHtml {
  readonly markup: string
  /** Images that would have been fetched from elsewhere. */
  readonly blockedImages: number
  /** Those among them that nobody could have seen: they exist to tell the sender that the e-mail was read. */
  readonly trackingPixels: number
  /** Whether it has neither a layout nor colours of its own: then it may be shown in the theme's. */
  readonly isLetter: boolean
}

/**
 * Nothing that runs, asks for input, plays, embeds, or reaches outside. `svg` and `math` are left out by the profile:
 * they have their own ways to carry script.
 */
const FORBIDDEN_TAGS = [
  ...['form', 'input', 'button', 'select', 'option', 'optgroup', 'textarea', 'datalist', 'fieldset', 'dialog'],
  ...['audio', 'video', 'source', 'track', 'picture', 'map', 'area', 'marquee', 'canvas', 'template', 'slot'],
  ...['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'base', 'link', 'meta', 'title', 'noscript'],
]
const FORBIDDEN_ATTRIBUTES = [
  ...['srcset', 'sizes', 'poster', 'ping', 'action', 'formaction', 'usemap', 'ismap', 'download', 'is', 'popover'],
  ...['autofocus', 'contenteditable', 'tabindex', 'accesskey', 'draggable', 'hidden', 'inert', 'loading', 'nonce'],
]

const QUOTES = 'blockquote[type="cite"], .gmail_quote, .protonmail_quote, .yahoo_quoted'

/** `url(…)` and its relatives that are not data; the frame's policy stops what is written in a way that this misses. */
const REMOTE_CSS = /@import[^;]*;?|(?:url|image|image-set|src)\(\s*(?!["']?data:image\/)[^)]*\)/gi

/** What floats above a page has no place in an e-mail but to cover the rest of it; there it is put into the text. */
const FLOATING_CSS = /(position\s*:\s*)(?:fixed|sticky)/gi

/** @returns the text without references to elsewhere, and how many there were */
const tameCss = (css: string): { readonly css: string; readonly removed: number } => ({
  css: css.replace(REMOTE_CSS, 'none').replace(FLOATING_CSS, '$1static'),
  removed: css.match(REMOTE_CSS)?.length ?? 0,
})

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
    if (/^data:image\//i.test(source)) continue
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

/** Folds what an earlier e-mail said, unless there is nothing else. */
const foldQuotes = (body: Element): void => {
  for (const quote of body.querySelectorAll(QUOTES)) {
    if (quote.parentElement?.closest(QUOTES) !== null && quote.parentElement !== null) continue
    const words = body.textContent.trim().length - quote.textContent.trim().length
    if (words < 8) continue
    const fold = quote.ownerDocument.createElement('details')
    const summary = quote.ownerDocument.createElement('summary')
    fold.className = 'linnet-quote'
    summary.textContent = 'Quoted text'
    quote.replaceWith(fold)
    fold.append(summary, quote)
  }
}

/** The body's own colours and fonts go to an element of their own: the frame's body is Linnet's. */
const bodyAsDivision = (body: HTMLElement): HTMLElement => {
  const division = body.ownerDocument.createElement('div')
  const background = body.getAttribute('bgcolor')
  const style = body.getAttribute('style') ?? ''
  division.id = 'linnet-mail'
  division.dir = body.dir === '' ? 'auto' : body.dir
  division.setAttribute('style', background === null ? style : `background-color:${background};${style}`)
  division.append(...body.childNodes)
  // Mail with tables or colours of its own is laid out; anything else is a letter and stands where text stands.
  const isLaidOut = background !== null || /background/i.test(style) || division.querySelector('table') !== null
  if (!isLaidOut) division.className = 'linnet-letter'
  return division
}

/**
 * Makes an e-mail's HTML safe to show: no script, no form, no remote resource, only links that open web pages or
 * e-mails. It is the first of three walls; the frame's content security policy (`frameDocument`) and its sandbox
 * without scripts hold where a sanitiser is outwitted.
 */
export const sanitiseHtml = (html: string): SafeHtml => {
  const root = DOMPurify.sanitize(html, {
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
  const images = blockImages(root)
  const styles = tameStyles(root)
  guardLinks(root)
  const sheets = [...root.querySelectorAll('style')]
  const body = root.querySelector('body')
  if (body === null) return { markup: '', blockedImages: 0, trackingPixels: 0, isLetter: true }
  for (const sheet of sheets) sheet.remove()
  const isColoured = sheets.length > 0 || body.matches(COLOURED) || body.querySelector(COLOURED) !== null
  foldQuotes(body)
  const mail = bodyAsDivision(body)
  return {
    markup: [...sheets, mail].map((element) => element.outerHTML).join(''),
    blockedImages: images.blockedImages + styles,
    trackingPixels: images.trackingPixels,
    isLetter: !isColoured && mail.className === 'linnet-letter',
  }
}
