import {
  BLACK,
  WHITE,
  parseColorToken,
  parseColorFilter,
  resolveBackground,
  blendsIntoBackground,
  masksEverything,
  type BackgroundColors,
} from './css-paint.ts'
import { clipsEverything, isOffPage, hasNoArea, computeTransform } from './css-box.ts'
import { evaluateNumber, evaluateNumbers, parseCssValue, type CssToken, type CssTokens } from './css-values.ts'
import { matchesWord, ElementStyle, type StyledElement } from './element-style.ts'
import { parseLegacyColor, parseCssColor, type RgbaColor } from './rgba-color.ts'
import type { DeclaredValues } from './style-rules.ts'

export interface InheritedStyle {
  /** Font size in pixels, and the scale at which text is drawn. */
  readonly size: number
  readonly scale: number
  readonly opacity: number
  readonly isInvisible: boolean
  /** True if letters are drawn as dots, on top of each other, or not at all. */
  readonly isIllegible: boolean
  readonly color: RgbaColor | 'unknown'
  /** Text fill colour, if it differs from `color`. */
  readonly fill: RgbaColor | 'unknown' | null
  readonly background: BackgroundColors
  /** Filters of outer elements that change the text but not its background. */
  readonly filters: readonly ((color: RgbaColor) => RgbaColor)[]
  readonly variables: ReadonlyMap<string, CssTokens>
  /** True if background pictures are drawn; mail loads remote ones only on request. */
  readonly hasPictures: boolean
}

/** Defaults of a page with a white background. */
export const DEFAULT_PAGE_STYLE: InheritedStyle = {
  size: 16,
  scale: 1,
  opacity: 1,
  isInvisible: false,
  isIllegible: false,
  color: BLACK,
  fill: null,
  background: [WHITE],
  filters: [],
  variables: new Map(),
  hasPictures: true,
}

/** Smallest readable font size, in pixels. */
const MIN_FONT_PX = 3
const MIN_OPACITY = 0.05
/** Limits relative to the font size. More blur or tighter letter spacing makes text unreadable. */
const MAX_BLUR = 0.4
const MIN_LETTER_SPACING = -0.6

/** Elements that browsers hide by default, regardless of style sheets. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set([
  ...['datalist', 'rp', 'noembed', 'noframes', 'progress', 'meter', 'audio', 'video', 'canvas', 'object', 'iframe'],
])

const isHiddenByDefault = (element: StyledElement): boolean =>
  HIDDEN_ELEMENTS.has(element.localName) ||
  element.getAttribute('hidden') !== null ||
  element.getAttribute('popover') !== null ||
  (element.localName === 'dialog' && element.getAttribute('open') === null)

const wordsIn = (pieces: CssTokens): readonly string[] =>
  pieces.flatMap((piece) =>
    piece.kind === 'word' ? [piece.name] : piece.kind === 'function' ? wordsIn(piece.within) : [],
  )

const DISPLAYS =
  /^(?:none|inline|block|flex|grid|table|contents|flow|flow-root|list-item|ruby|math|box|(?:inline|table|ruby)-[a-z-]+|inherit|initial|unset|revert|revert-layer)$/

/** True for characters that no CSS name contains, typed or escaped: they are used to hide the intent. */
const isGarbled = (word: string): boolean => /[^ -~]/.test(word)

const share = (piece: CssToken | undefined): number | undefined =>
  evaluateNumber(piece, { em: 16, whole: 1 }) ?? undefined

/** Blend modes in which dark text on white stays dark. */
const BLENDS = /^(?:normal|multiply|darken|color-burn|hard-light|luminosity|plus-darker|inherit|initial|unset|revert)$/

/** True if everything in an element is hidden, regardless of the styles of its content. */
const isSubtreeHidden = (style: ElementStyle, isSmall: boolean): boolean => {
  const { measure } = style
  const display = style.read(['display'], (pieces) => {
    const words = wordsIn(pieces)
    if (words.includes('none') || words.some(isGarbled)) return 'none'
    return words.every((word) => DISPLAYS.test(word)) ? 'seen' : undefined
  })
  if (display === 'none' || isSmall) return true
  if (style.word('content-visibility') === 'hidden' || style.word('mso-hide') === 'all') return true
  if (!BLENDS.test(style.word('mix-blend-mode') || 'normal')) return true
  if (style.has('content', ({ kind }) => kind === 'address' || kind === 'function')) return true
  const isCutAway = style.read(['clip-path'], (pieces) => clipsEverything(pieces, measure))
  if (isCutAway === true || style.read(['clip'], (pieces) => clipsEverything(pieces, measure)) === true) return true
  const isFiltered = style.read(['filter'], (pieces) =>
    pieces.some((piece) => {
      if (piece.kind !== 'function') return false
      const [given] = piece.within
      if (piece.name === 'opacity') return (share(given) ?? 1) < MIN_OPACITY
      return piece.name === 'blur' && (evaluateNumber(given, measure) ?? 0) >= measure.em * MAX_BLUR
    }),
  )
  if (isFiltered === true) return true
  for (const mask of ['mask', 'mask-image', 'mask-box-image', 'mask-box-image-source', 'mask-border']) {
    if (style.read([mask], masksEverything) === true) return true
  }
  const isMaskSmall = style.read(['mask-size'], (pieces) => evaluateNumbers(pieces, measure).some((side) => side <= 1))
  const isMaskTakenOff = ['mask', 'mask-composite'].some((mask) =>
    style.has(mask, matchesWord(/^(?:subtract|exclude|intersect|xor|clear|source-out|destination-out)$/)),
  )
  if (isMaskSmall === true || isMaskTakenOff) return true
  return hasNoArea(style) || isOffPage(style)
}

const SIZES: Readonly<Record<string, number>> = {
  ...{ 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, 'xxx-large': 48 },
  ...{ initial: 16, caption: 13, icon: 13, menu: 13, 'message-box': 13, 'small-caption': 13, 'status-bar': 13 },
}

/** Font size in pixels. @param around font size of the parent in pixels */
const sizeOf = (style: ElementStyle, element: StyledElement, around: number): number => {
  const read = (piece: CssToken | undefined): number | undefined => {
    if (piece?.kind === 'word') {
      if (piece.name === 'smaller') return around / 1.2
      return piece.name === 'larger' ? around * 1.2 : SIZES[piece.name]
    }
    return evaluateNumber(piece, { em: around, whole: around }) ?? undefined
  }
  const declared = style.read(['font-size'], ([piece]) =>
    piece?.kind === 'word' && /^(?:inherit|unset|revert.*)$/.test(piece.name) ? around : read(piece),
  )
  // In the shorthand, a plain number before the size is the font weight, which is never 0.
  const isSize = (piece: CssToken): boolean =>
    piece.kind === 'function' ||
    (piece.kind === 'number' && (piece.unit !== '' || piece.value === 0)) ||
    (piece.kind === 'word' && (piece.name in SIZES || /^(?:smaller|larger)$/.test(piece.name)))
  const ofShorthand = style.read(['font'], (pieces) => read(pieces.find(isSize)))
  if (declared !== undefined) return declared
  return ofShorthand ?? (/^(?:small|sub|sup)$/.test(element.localName) ? around / 1.2 : around)
}

const inherits = matchesWord(/^(?:inherit|unset|revert|revert-layer)$/)

const colorIn = (
  style: ElementStyle,
  property: string,
  current: RgbaColor | 'unknown',
): RgbaColor | 'unknown' | undefined =>
  style.read([property], ([piece]) => {
    if (piece === undefined || inherits(piece)) return undefined
    return parseColorToken(piece, current === 'unknown' ? BLACK : current) ?? undefined
  })

/** Browsers' default link colour, which overrides the inherited colour. */
const LINK: RgbaColor = { red: 0, green: 0, blue: 0.93, alpha: 1 }

const isLink = (element: StyledElement): boolean => element.localName === 'a' && element.getAttribute('href') !== null

/** The colour from a presentational HTML attribute such as `bgcolor`. */
const attributeColor = (element: StyledElement, name: string): RgbaColor | undefined => {
  const written = element.getAttribute(name)
  const color = written === null ? null : parseLegacyColor(written)
  return (color === null ? null : parseCssColor(color)) ?? undefined
}

/** Maximum number of custom properties per element. */
const MAX_VARIABLES = 200
/** Maximum number of custom properties in all enclosing elements together. */
const MAX_OUTER_VARIABLES = 2_000

/**
 * The element's styles, computed as far as possible without a layout. @returns null if nothing in the element is
 * visible
 */
export const computeElementStyle = (
  around: InheritedStyle,
  declared: DeclaredValues,
  element: StyledElement,
): InheritedStyle | null => {
  if (isHiddenByDefault(element)) return null
  const own = [...declared].filter(([property]) => property.startsWith('--')).slice(0, MAX_VARIABLES)
  // Each nested element would copy all custom properties.
  if (own.length > 0 && around.variables.size > MAX_OUTER_VARIABLES) return null
  const variables =
    own.length === 0
      ? around.variables
      : new Map([...around.variables, ...own.map(([name, [value = '']]) => [name, parseCssValue(value)] as const)])
  const size = sizeOf(new ElementStyle(declared, element, variables, around.size), element, around.size)
  const style = new ElementStyle(declared, element, variables, size)
  const moved = computeTransform(style)
  const opacity = around.opacity * (style.read(['opacity'], ([piece]) => share(piece)) ?? 1)
  if (moved.isOutside || opacity < MIN_OPACITY || isSubtreeHidden(style, moved.scale < 0.02)) return null
  const visibility = style.word('visibility')
  const color =
    colorIn(style, 'color', around.color) ??
    (element.localName === 'font' ? attributeColor(element, 'color') : undefined) ??
    (element.localName === 'body' ? attributeColor(element, 'text') : undefined) ??
    (isLink(element) && !inherits({ kind: 'word', name: style.word('color') }) ? LINK : undefined) ??
    around.color
  const current = color === 'unknown' ? BLACK : color
  const ofBackground = ['background', 'background-image', 'background-color'].map((property) =>
    style.read([property], (pieces) => {
      const background = resolveBackground(pieces, current, around.background, around.hasPictures)
      return background === undefined ? 'none' : background
    }),
  )
  const ofAttribute = attributeColor(element, 'bgcolor')
  const grounds = ofBackground.flatMap((background) =>
    background === undefined || background === 'none' ? [] : [background],
  )
  const laid: BackgroundColors | undefined =
    (around.hasPictures && element.getAttribute('background') !== null) || grounds.includes(null)
      ? null
      : grounds.length > 0
        ? grounds.flatMap((background) => background ?? [])
        : ofBackground.every((background) => background === undefined) && ofAttribute !== undefined
          ? [ofAttribute]
          : undefined
  const fill = colorIn(style, 'text-fill-color', color) ?? around.fill
  // With `background-clip: text`, the text shows the background of its own element.
  const isFilledByGround =
    laid !== undefined && ['background', 'background-clip'].some((name) => style.has(name, matchesWord(/^text$/)))
  const filter = style.read(['filter'], (pieces) => parseColorFilter(pieces) ?? undefined)
  const security = style.word('text-security')
  const spacing = style.number('letter-spacing')
  const isAdjustedAway = style.number('font-size-adjust') === 0
  return {
    size,
    scale: around.scale * moved.scale,
    opacity,
    isInvisible:
      visibility === '' || inherits({ kind: 'word', name: visibility })
        ? around.isInvisible
        : isGarbled(visibility) || /^(?:hidden|collapse)$/.test(visibility),
    isIllegible:
      isAdjustedAway ||
      (security === '' && spacing === undefined
        ? around.isIllegible
        : (security !== '' && security !== 'none') || (spacing ?? 0) <= size * MIN_LETTER_SPACING),
    color,
    fill: isFilledByGround ? (laid?.[0] ?? 'unknown') : fill,
    background: isFilledByGround || laid === undefined ? around.background : laid,
    filters: [
      ...(laid === undefined ? around.filters : []),
      ...(filter === undefined || laid !== undefined ? [] : [filter]),
    ],
    variables,
    hasPictures: around.hasPictures,
  }
}

/**
 * True if the text directly in an element is hidden; its children may be visible. @param leastContrast minimum WCAG
 * contrast
 */
export const isTextHidden = (
  { size, scale, isInvisible, isIllegible, color, fill, background, filters }: InheritedStyle,
  leastContrast = 1,
): boolean => {
  if (size * scale < MIN_FONT_PX || isInvisible || isIllegible) return true
  const words = fill ?? color
  return (
    words !== 'unknown' &&
    blendsIntoBackground(
      filters.reduce((seen, filter) => filter(seen), words),
      background,
      leastContrast,
    )
  )
}
