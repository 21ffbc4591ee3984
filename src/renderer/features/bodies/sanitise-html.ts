import DOMPurify from 'dompurify'
import { DATA_ELEMENTS } from '../../../shared/data-elements.ts'
import { blockImages, createPictureList, type BlockedContent, type PictureList } from './block-images.ts'
import { calmText, lengthOfLastWord } from './calm-text.ts'
import { foldQuotes } from './fold-quotes.ts'
import { guardLinks } from '../links/guard-links.ts'
import { directionOf, hasLetter } from './text-direction.ts'
import { tameCss } from './tame-css.ts'

/** An HTML body that can be shown: markup for the frame, and what was kept out of it. */
export interface SafeHtml extends BlockedContent {
  readonly markup: string
  /** Whether it has neither a layout nor colours of its own: then it may be shown in the theme's. */
  readonly isLetter: boolean
  /** Whether nothing is left that could be seen: neither words nor images. */
  readonly isEmpty: boolean
  /** Bytes of each picture that stands within the HTML. */
  readonly embedded: readonly number[]
}

/**
 * Nothing that runs, asks for input, plays, embeds, or reaches outside. `svg` and `math` are left out by the profile:
 * they have their own ways to carry script.
 */
const FORBIDDEN_TAGS = [
  ...['form', 'input', 'button', 'select', 'option', 'optgroup', 'textarea', 'datalist', 'fieldset', 'dialog'],
  ...['audio', 'video', 'source', 'track', 'picture', 'marquee', 'canvas', 'template', 'slot'],
  // Annotations in annotations are laid out again for each of them.
  ...['ruby', 'rb', 'rt', 'rtc', 'rp'],
  ...['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'base', 'link', 'meta', 'title', 'noscript'],
]
const FORBIDDEN_ATTRIBUTES = [
  ...['sizes', 'poster', 'ping', 'action', 'formaction', 'ismap', 'download', 'is', 'popover'],
  ...['autofocus', 'contenteditable', 'tabindex', 'accesskey', 'draggable', 'hidden', 'inert', 'loading', 'nonce'],
]

const COLOURED = '[bgcolor], [color], [style*=color i], [style*=background i]'

/** @returns how many references to elsewhere were taken out of the styles */
const tameStyles = (root: Element, pictures: PictureList): number => {
  let blocked = 0
  for (const element of root.querySelectorAll('[style]')) {
    const { css, removed } = tameCss(element.getAttribute('style') ?? '', pictures.inStyles)
    blocked += removed
    element.setAttribute('style', css)
  }
  for (const sheet of root.querySelectorAll('style')) {
    const { css, removed } = tameCss(sheet.textContent, pictures.inStyles)
    blocked += removed
    sheet.textContent = css
  }
  return blocked
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

/** Makes all words such that they can be laid out: letters join over the borders of elements, too. */
const calmWords = (body: Element): void => {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  let begun = 0
  while (walker.nextNode() !== null) {
    const words = walker.currentNode.nodeValue ?? ''
    const calm = calmText(words, begun)
    if (calm !== words) walker.currentNode.nodeValue = calm
    const last = lengthOfLastWord(calm)
    begun = last === calm.length ? begun + last : last
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
 * @param isForward whether it was sent for another e-mail that it carries, which is not folded away
 */
export const sanitiseHtml = (html: string, isForward = false): SafeHtml => {
  const root = DOMPurify.sanitize(withoutFrames(html), {
    USE_PROFILES: { html: true },
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
    ADD_FORBID_CONTENTS: [...DATA_ELEMENTS],
    ADD_ATTR: ['background'],
    // None of them stays as it is (`blockImages`): what stands within it may be a picture.
    ADD_URI_SAFE_ATTR: ['background'],
    ALLOW_DATA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
    // WHOLE_DOCUMENT makes the node that is returned the document's own element.
  }) as HTMLElement
  quieten(root)
  takeBackNames(root)
  const pictures = createPictureList()
  const others = tameStyles(root, pictures)
  // After all that is taken from mail: placeholders say what they are themselves.
  const trackingPixels = blockImages(root, pictures)
  guardLinks(root)
  const sheets = [...root.querySelectorAll('style')]
  const body = root.querySelector('body')
  const blocked: BlockedContent = { pictures: pictures.addresses(), trackingPixels, others }
  if (body === null) return { ...blocked, markup: '', isLetter: true, isEmpty: true, embedded: [] }
  for (const sheet of sheets) sheet.remove()
  const isColoured = sheets.length > 0 || body.matches(COLOURED) || body.querySelector(COLOURED) !== null
  flatten(body)
  limitSpans(body)
  calmWords(body)
  sayDirections(body)
  foldQuotes(body, isForward)
  const mail = bodyAsDivision(body)
  return {
    ...blocked,
    markup: [...sheets, mail].map((element) => element.outerHTML).join(''),
    embedded: pictures.embedded(),
    isLetter: !isColoured && mail.className === 'linnet-letter',
    isEmpty: mail.textContent.trim() === '' && mail.querySelector('img, [role=img], hr') === null,
  }
}
