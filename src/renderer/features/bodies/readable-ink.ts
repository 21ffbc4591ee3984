import { contrastOf, parseCssColor, type RgbaColor } from '../../../shared/css/rgba-color.ts'

/** Contrast that all words get (WCAG 2.2, 1.4.3), with a margin for rounding. */
const LEAST_CONTRAST = 4.55
/** Words in the colour of their ground are meant to be invisible, unless their ground is a missing picture. */
const HIDDEN_CONTRAST = 1.1
const HARDLY_SEEN = 2
const HIDDEN_ALPHA = 0.05
/** Smaller text isn't meant to be read. In pixels. */
const SMALLEST_TEXT = 4
/** Elements that are examined, colours of a gradient, and grounds that may lie below words without enclosing them. */
const MAX = { elements: 5000, colors: 6, overlays: 500 } as const
const BLACK: RgbaColor = { red: 0, green: 0, blue: 0, alpha: 1 }
const WHITE: RgbaColor = { red: 1, green: 1, blue: 1, alpha: 1 }
const INK_PROPERTIES = ['color', '-webkit-text-fill-color'] as const
const COLOR = /(?:rgba?|color|(?:ok)?l(?:ab|ch))\([^()]*\)/g

const blend = (over: RgbaColor, under: RgbaColor): RgbaColor => {
  const mix = (above: number, below: number): number => above * over.alpha + below * (1 - over.alpha)
  return {
    red: mix(over.red, under.red),
    green: mix(over.green, under.green),
    blue: mix(over.blue, under.blue),
    alpha: 1,
  }
}

/** Lowest WCAG contrast of an ink on any of these opaque grounds. */
const contrastOn = (ink: RgbaColor, grounds: readonly RgbaColor[]): number =>
  Math.min(...grounds.map((ground) => contrastOf(blend(ink, ground), ground)))

/**
 * An ink that can be read on all of these opaque grounds: the same, or moved towards black or white as far as needed,
 * or almost black or white if it could hardly be seen. If no ink can be read on all of them, the one that comes closest.
 */
export const readableInk = (ink: RgbaColor, grounds: readonly RgbaColor[]): RgbaColor => {
  const contrast = contrastOn(ink, grounds)
  if (contrast >= LEAST_CONTRAST) return ink
  const pole = contrastOn(BLACK, grounds) >= contrastOn(WHITE, grounds) ? BLACK : WHITE
  const drawn = blend(ink, grounds[0] ?? WHITE)
  const first = contrast < HARDLY_SEEN ? 18 : 1
  const inks = Array.from({ length: 21 - first }, (_, step) => blend({ ...pole, alpha: (first + step) / 20 }, drawn))
  return inks.find((each) => contrastOn(each, grounds) >= LEAST_CONTRAST) ?? pole
}

const write = ({ red, green, blue }: RgbaColor): string =>
  `rgb(${[red, green, blue].map((channel) => Math.round(channel * 255)).join(' ')})`

/** Selectors of elements whose ground is a picture, shown or not. */
const pictureGrounds = (sheets: Iterable<CSSStyleSheet>): string => {
  const rulesIn = (rules: CSSRuleList): readonly string[] =>
    [...rules].flatMap((rule) => {
      if ('selectorText' in rule) return rule.cssText.includes('--linnet-picture-') ? [String(rule.selectorText)] : []
      return 'cssRules' in rule ? rulesIn(rule.cssRules as CSSRuleList) : []
    })
  return ['[style*="--linnet-picture-"]', ...[...sheets].flatMap((sheet) => rulesIn(sheet.cssRules))].join(', ')
}

interface Word {
  readonly element: HTMLElement
  readonly ink: RgbaColor
  /** The ink to use, or null for the sender's. */
  readonly better: RgbaColor | null
}

/** Colours as they were, by the elements whose colours were changed. */
const originals = new WeakMap<HTMLElement, Map<HTMLElement, readonly (readonly [value: string, priority: string])[]>>()

const restoreInk = (mail: HTMLElement): void => {
  for (const [{ style }, values] of originals.get(mail) ?? []) {
    for (const [place, name] of INK_PROPERTIES.entries())
      style.setProperty(name, ...(values[place] ?? (['', ''] as const)))
  }
  originals.delete(mail)
}

/**
 * Gives all words an ink with enough contrast, since a missing picture may leave white words on white paper. Call again
 * when pictures or the layout have changed: it starts from the sender's colours. Leaves words that the sender hid, and
 * words on a shown picture. Does nothing without a layout.
 * @param mail the element that encloses the mail, in a document or a shadow tree
 */
export const makeInkReadable = (mail: HTMLElement): void => {
  restoreInk(mail)
  const view = mail.ownerDocument.defaultView
  const root = mail.getRootNode() as Document | ShadowRoot
  if (view === null) return
  const selector = pictureGrounds(root.styleSheets)
  const paper = parseCssColor(view.getComputedStyle(mail.ownerDocument.documentElement).backgroundColor)
  const known = new Map<Element, readonly RgbaColor[] | null>()

  /** Colours behind an element's words, or null below a shown picture. */
  const groundsOf = (element: Element): readonly RgbaColor[] | null => {
    const kept = known.get(element)
    if (kept !== undefined) return kept
    const around = element === mail ? null : element.parentElement
    const below = around === null ? [blend(paper ?? WHITE, WHITE)] : groundsOf(around)
    const { backgroundColor, backgroundImage, backgroundClip } = view.getComputedStyle(element)
    const paint = (under: readonly RgbaColor[] | null, over: readonly RgbaColor[]): readonly RgbaColor[] | null => {
      if (over.every(({ alpha }) => alpha === 0)) return under
      if (over.every(({ alpha }) => alpha === 1)) return over
      return under?.slice(0, 1).flatMap((each) => over.map((color) => blend(color, each))) ?? null
    }
    const colorsOf = (css: string): readonly RgbaColor[] =>
      (css.match(COLOR) ?? []).slice(0, MAX.colors).flatMap((color) => parseCssColor(color) ?? [])
    const painted = paint(paint(below, colorsOf(backgroundColor)), colorsOf(backgroundImage))
    const isDrawn = backgroundImage !== 'none'
    const isPicture = backgroundImage.includes('url(') || (isDrawn && backgroundClip === 'text')
    const grounds = isPicture ? null : backgroundClip === 'text' ? below : painted
    known.set(element, grounds)
    return grounds
  }

  let overlays: readonly (readonly [element: Element, box: DOMRect])[] | null = null
  /** The picture, placeholder or ground that lies below an element's middle without enclosing it. */
  const overlayOf = (element: Element): Element | null => {
    overlays ??= [...mail.querySelectorAll('*')]
      .slice(0, MAX.elements)
      .filter(({ localName, parentElement }) => localName !== 'br' && parentElement !== null)
      .filter(
        (each) => each.matches('img[src], .linnet-image') || groundsOf(each) !== groundsOf(each.parentElement ?? mail),
      )
      .slice(0, MAX.overlays)
      .map((each) => [each, each.getBoundingClientRect()] as const)
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const found = overlays.find(
      ([each, box]) =>
        box.left <= x &&
        x <= box.right &&
        box.top <= y &&
        y <= box.bottom &&
        !each.contains(element) &&
        !element.contains(each),
    )
    return found?.[0] ?? null
  }

  const judge = (element: HTMLElement): Word | null => {
    const style = view.getComputedStyle(element)
    const ink = parseCssColor(style.webkitTextFillColor)
    const grounds = groundsOf(element)
    if (ink === null || Number.parseFloat(style.fontSize) < SMALLEST_TEXT) return null
    const own = { element, ink, better: null }
    if (grounds === null || contrastOn(ink, grounds) >= LEAST_CONTRAST) return own
    const overlay = overlayOf(element)
    const isUnderlaid = overlay?.matches('.linnet-image') === true
    if (overlay !== null && !isUnderlaid) return own
    const isInvisible = ink.alpha <= HIDDEN_ALPHA || contrastOn(ink, grounds) < HIDDEN_CONTRAST
    if (isInvisible && !isUnderlaid && element.closest(selector) === null) return own
    return { ...own, better: readableInk(ink, grounds) }
  }

  const walker = mail.ownerDocument.createTreeWalker(mail, NodeFilter.SHOW_TEXT)
  const elements = new Set<HTMLElement>()
  while (elements.size < MAX.elements && walker.nextNode() !== null) {
    const { nodeValue, parentElement } = walker.currentNode
    if (parentElement !== null && (nodeValue ?? '').trim() !== '') elements.add(parentElement)
  }
  const words = [...elements].flatMap((element) => judge(element) ?? [])
  const better = new Set(words.flatMap((word) => (word.better === null ? [] : [word.element])))
  if (better.size === 0) return
  const inherits = (element: Element): boolean => {
    for (let at = element.parentElement; at !== null && at !== mail.parentElement; at = at.parentElement) {
      if (better.has(at)) return true
    }
    return false
  }
  const before = new Map<HTMLElement, readonly (readonly [string, string])[]>()
  for (const { element, ink, better: chosen } of words) {
    if (chosen === null && !inherits(element)) continue
    const { style } = element
    before.set(
      element,
      INK_PROPERTIES.map((name) => [style.getPropertyValue(name), style.getPropertyPriority(name)] as const),
    )
    const color =
      chosen === null && ink.alpha < 1 ? `rgb(from ${write(ink)} r g b / ${ink.alpha})` : write(chosen ?? ink)
    for (const name of INK_PROPERTIES) style.setProperty(name, color, 'important')
  }
  originals.set(mail, before)
}
