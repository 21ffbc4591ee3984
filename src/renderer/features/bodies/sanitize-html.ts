import DOMPurify from 'dompurify'
import { parseLegacyColor } from '../../../shared/css/rgba-color.ts'
import { DATA_ELEMENTS } from '../../../shared/data-elements.ts'
import { blockImages, createPictureList, type BlockedContent, type PictureList } from './block-images.ts'
import { growBoxes } from './grow-boxes.ts'
import { limitShaping, measureLastWord } from '../../../shared/mail-text/limit-shaping.ts'
import { foldQuotes } from './fold-quotes.ts'
import { renameElements, FORMULA_CLASS, FORMULAS, SCRIPTS } from '../../../shared/mail-text/rename-elements.ts'
import { sanitizeLinks } from '../links/safe-link.ts'
import { sanitizeCss } from './sanitize-css.ts'

const writeFormulas = (root: Element): void => {
  // Children first, so that a fraction within a fraction is complete.
  for (const element of [...root.querySelectorAll(`[class^="${FORMULA_CLASS}"]`)].toReversed()) {
    const name = element.className.slice(FORMULA_CLASS.length)
    const [open = '', between = '', close = ''] = FORMULAS.get(name) ?? []
    for (const [place, child] of [...element.children].slice(1).entries()) {
      const script = SCRIPTS.get(name)?.[place]
      if (script === undefined) child.before(between)
      else {
        const moved = element.ownerDocument.createElement(script)
        child.replaceWith(moved)
        moved.append(child)
      }
    }
    element.prepend(open)
    element.append(close)
    element.removeAttribute('class')
  }
}

const BOXES = '[role="checkbox" i], [role="radio" i], [role="switch" i], [data-checked], [data-list], .task-list-item'
const BOX_CHARACTER = /^\s*[\u2610-\u2612\u2705\u2713-\u2718\u25a0-\u25a3\u25c9-\u25cf]/

const isChecked = (box: Element): boolean => {
  const said = ['aria-checked', 'data-checked', 'data-list'].map((name) => box.getAttribute(name)?.toLowerCase())
  return said.some((value) => value === 'true' || value === 'checked') || /\bchecked\b/i.test(box.className)
}

const textOfField = (field: Element): string => {
  const type = field.getAttribute('type')?.toLowerCase() ?? 'text'
  if (type === 'checkbox' || type === 'radio') return field.hasAttribute('checked') ? '☑' : '☐'
  return /^(?:hidden|password|file|image|range|color)$/.test(type) ? '' : (field.getAttribute('value') ?? '')
}

/** Replaces formulas and fields with text, in particular check boxes, which say what is done. */
const replaceElements = (root: Element): void => {
  writeFormulas(root)
  for (const box of root.querySelectorAll(BOXES)) {
    const list = box.getAttribute('data-list')?.toLowerCase()
    const isOther = list !== undefined && list !== 'checked' && list !== 'unchecked'
    const hasOwn = box.querySelector(`input, ${BOXES}`) !== null || BOX_CHARACTER.test(box.textContent)
    if (!isOther && !hasOwn) box.prepend(isChecked(box) ? '☑ ' : '☐ ')
    for (const name of ['data-checked', 'data-list']) box.removeAttribute(name)
  }
  for (const other of root.querySelectorAll('[src]:not(img, input)')) other.removeAttribute('src')
  for (const field of root.querySelectorAll('input')) field.replaceWith(textOfField(field))
}

export interface SafeHtml extends BlockedContent {
  readonly markup: string
  /** True if the mail has no layout or colours of its own, so it can be shown in the theme's. */
  readonly isUnstyled: boolean
  /** True if nothing visible is left, neither text nor images. */
  readonly isEmpty: boolean
  /** Size in bytes of each picture inside the HTML. */
  readonly embedded: readonly number[]
}

/**
 * Elements that run code, take input, play media, embed or load. Their text stays. DOMPurify's HTML profile already
 * excludes `svg`, which can contain scripts, and `replaceElements` replaces `input`.
 */
const FORBIDDEN_TAGS = [
  ...['form', 'button', 'select', 'option', 'optgroup', 'textarea', 'datalist', 'fieldset', 'dialog'],
  ...['audio', 'video', 'source', 'track', 'picture', 'marquee', 'canvas', 'template', 'slot'],
  // Layout of nested annotations is repeated at each level.
  ...['ruby', 'rb', 'rt', 'rtc', 'rp'],
  ...['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'base', 'link', 'meta', 'title', 'noscript'],
]
/** Elements removed with their text, since no browser shows it. */
const FORBIDDEN_CONTENTS = [
  ...['annotation', 'annotation-xml', 'datalist', 'script', 'style', 'svg', 'template', 'title', ...DATA_ELEMENTS],
]
const FORBIDDEN_ATTRIBUTES = [
  ...['sizes', 'poster', 'ping', 'action', 'formaction', 'ismap', 'download', 'is', 'popover'],
  ...['autofocus', 'contenteditable', 'tabindex', 'accesskey', 'draggable', 'hidden', 'inert', 'loading', 'nonce'],
  // They make a screen reader speak unasked, or read something other than what is visible.
  ...['aria-live', 'aria-atomic', 'aria-relevant', 'aria-busy', 'aria-modal', 'aria-owns', 'aria-activedescendant'],
]

const COLOURED = '[bgcolor], [color], [style*=color i], [style*=background i]'

/** @returns the number of external references removed */
const sanitiseStyles = (root: Element, pictures: PictureList): number => {
  let blocked = 0
  const sanitise = (source: string): string => {
    const { css, removed } = sanitizeCss(source, pictures.inStyles)
    blocked += removed
    return growBoxes(css)
  }
  for (const element of root.querySelectorAll('[style]')) {
    const css = sanitise(element.getAttribute('style') ?? '')
    // A space holds an empty box open, but must not make it higher.
    const isSpacer = css !== '' && element.childElementCount === 0 && element.textContent.trim() === ''
    element.setAttribute('style', isSpacer ? `${css};min-height:0` : css)
  }
  for (const sheet of root.querySelectorAll('style')) sheet.textContent = sanitise(sheet.textContent)
  return blocked
}

/** Allowed ARIA roles: parts of a text. Roles that announce themselves or take keys are reserved for the window. */
const ROLES = new Set(
  'article banner cell columnheader contentinfo heading img list listitem main none note presentation row rowgroup rowheader separator table'.split(
    ' ',
  ),
)
/** Removes roles, IDs and classes reserved for Linnet, since such elements would be mistaken for parts of the window. */
const removeReservedNames = (root: Element): void => {
  for (const element of root.querySelectorAll('[role]')) {
    if (!ROLES.has((element.getAttribute('role') ?? '').trim().toLowerCase())) element.removeAttribute('role')
  }
  for (const element of root.querySelectorAll('[id^="linnet-" i]')) element.removeAttribute('id')
  for (const element of root.querySelectorAll('[class*="linnet-" i]')) {
    element.classList.remove(...[...element.classList].filter((name) => /^linnet-/i.test(name)))
  }
}

/** Nesting depth. Browser layout is recursive and crashes on deep trees. */
const MAX_DEPTH = 200

/** Larger spans have nothing to span, but the browser reserves space for each. */
const SPANS = { rowspan: 100, colspan: 100, span: 100 } as const
/** Table slots spanned by all cells of an e-mail together. */
const MAX_SPANNED_SLOTS = 20_000

/** Replaces elements that are nested too deeply with their text. */
const flatten = (element: Element, depth = 0): void => {
  if (depth >= MAX_DEPTH && element.firstElementChild !== null) element.replaceChildren(element.textContent)
  for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling)
    flatten(child, depth + 1)
}

const limitSpans = (body: Element): void => {
  let spanned = 0
  for (const element of body.querySelectorAll('[rowspan], [colspan], [span]')) {
    const sizes = Object.entries(SPANS).map(([name, most]) => {
      const size = Number.parseInt(element.getAttribute(name) ?? '1', 10)
      // `rowspan="0"` means all following rows.
      const kept = size >= 1 && size <= most ? size : 1
      if (kept !== size) element.removeAttribute(name)
      return kept
    })
    spanned += sizes.reduce((product, size) => product * size, 1)
    if (spanned > MAX_SPANNED_SLOTS) for (const name of Object.keys(SPANS)) element.removeAttribute(name)
  }
}

const LETTER = /\p{L}/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Direction of the first letter, like `dir="auto"`. */
export const directionOf = (text: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'

/** Characters searched for the first letter of an element. */
const MAX_DIRECTION_LENGTH = 5000

/** Sets the direction explicitly: with `auto`, the browser rereads the text for each inserted element. */
const setDirections = (body: Element): void => {
  for (const element of body.querySelectorAll('[dir="auto" i]'))
    element.setAttribute('dir', directionOf(element.textContent.slice(0, MAX_DIRECTION_LENGTH)))
}

/** Makes text safe to lay out, including where letters join across elements. */
const limitShapingIn = (body: Element): void => {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  let begun = 0
  while (walker.nextNode() !== null) {
    const words = walker.currentNode.nodeValue ?? ''
    const calm = limitShaping(words, begun)
    if (calm !== words) walker.currentNode.nodeValue = calm
    const last = measureLastWord(calm)
    begun = last === calm.length ? begun + last : last
  }
}

/** Moves the body's colours and fonts to a new element, since the frame's body belongs to Linnet. */
const moveBodyToDiv = (body: HTMLElement): HTMLElement => {
  const division = body.ownerDocument.createElement('div')
  // Any words may stand in the attribute, so only its colour becomes a style.
  const background = parseLegacyColor(body.getAttribute('bgcolor') ?? '')
  const style = body.getAttribute('style') ?? ''
  while (body.firstChild !== null) division.append(body.firstChild)
  division.id = 'linnet-mail'
  // With `auto`, the browser rereads the text for each inserted element.
  division.dir = body.dir === 'rtl' || body.dir === 'ltr' ? body.dir : directionOf(division.textContent)
  division.setAttribute('style', background === null ? style : `background-color:${background};${style}`)
  // Mail without tables and colours is a letter, and is set like plain text.
  const isLaidOut = background !== null || /background/i.test(style) || division.querySelector('table') !== null
  if (!isLaidOut) division.className = 'linnet-letter'
  return division
}

/**
 * Makes an e-mail's HTML safe to show: no scripts, forms or remote resources, and only web and e-mail links. It is the
 * first of three barriers. The others are the frame's content security policy (`buildFrameDocument`) and its sandbox without
 * scripts.
 * @param isForward true for a message sent to forward another e-mail, which is not folded
 */
export const sanitizeHtml = (html: string, isForward = false): SafeHtml => {
  const root = DOMPurify.sanitize(renameElements(html), {
    USE_PROFILES: { html: true },
    WHOLE_DOCUMENT: true,
    RETURN_DOM: true,
    FORBID_TAGS: FORBIDDEN_TAGS,
    FORBID_ATTR: FORBIDDEN_ATTRIBUTES,
    FORBID_CONTENTS: FORBIDDEN_CONTENTS,
    ADD_ATTR: ['background', 'data-checked', 'data-list'],
    // Values may be picture addresses; `blockImages` replaces them all.
    ADD_URI_SAFE_ATTR: ['background'],
    ALLOW_DATA_ATTR: false,
    ALLOW_UNKNOWN_PROTOCOLS: false,
    // WHOLE_DOCUMENT returns the document element.
  }) as HTMLElement
  replaceElements(root)
  removeReservedNames(root)
  const pictures = createPictureList()
  const others = sanitiseStyles(root, pictures)
  // Must run after the mail's own roles are removed, since placeholders have roles.
  const trackingPixels = blockImages(root, pictures)
  sanitizeLinks(root)
  const sheets = [...root.querySelectorAll('style')]
  const body = root.querySelector('body')
  const blocked: BlockedContent = { pictures: pictures.addresses(), trackingPixels, others }
  if (body === null) return { ...blocked, markup: '', isUnstyled: true, isEmpty: true, embedded: [] }
  for (const sheet of sheets) sheet.remove()
  const isColoured = sheets.length > 0 || body.matches(COLOURED) || body.querySelector(COLOURED) !== null
  flatten(body)
  limitSpans(body)
  limitShapingIn(body)
  setDirections(body)
  foldQuotes(body, isForward)
  const mail = moveBodyToDiv(body)
  return {
    ...blocked,
    markup: [...sheets, mail].map((element) => element.outerHTML).join(''),
    embedded: pictures.embedded(),
    isUnstyled: !isColoured && mail.className === 'linnet-letter',
    isEmpty: mail.textContent.trim() === '' && mail.querySelector('img, [role=img], hr') === null,
  }
}
