import { BLACK, WHITE, colorOf, filterOf, groundOf, isDrawnAway, masksAll, type Ground } from './css-paint.ts'
import { cutsAll, isPutAway, isWithoutRoom, movedBy } from './css-room.ts'
import { numberOf, numbersOf, readValue, type Piece, type Pieces } from './css-values.ts'
import { isWord, Style, type StyledElement } from './element-style.ts'
import { legacyColor, readColor, type ScreenColor } from './screen-color.ts'
import type { Declared } from './style-rules.ts'

/** What an element hands down to those in it. */
export interface Surroundings {
  /** Pixels of the letters, and how many times as large they are drawn. */
  readonly size: number
  readonly scale: number
  readonly opacity: number
  readonly isInvisible: boolean
  /** Drawn as dots, on each other, or as nothing. */
  readonly isIllegible: boolean
  readonly color: ScreenColor | 'unknown'
  /** What the letters are filled with, where that is not their colour. */
  readonly fill: ScreenColor | 'unknown' | null
  readonly ground: Ground
  /** What filters around change of the words and leave of what they stand on. */
  readonly filters: readonly ((color: ScreenColor) => ScreenColor)[]
  readonly variables: ReadonlyMap<string, Pieces>
  /** Whether pictures behind words are drawn: those from elsewhere are in mail only where they are asked for. */
  readonly hasPictures: boolean
}

/** What a page hands down, whose paper is white. */
export const PAGE: Surroundings = {
  size: 16,
  scale: 1,
  opacity: 1,
  isInvisible: false,
  isIllegible: false,
  color: BLACK,
  fill: null,
  ground: [WHITE],
  filters: [],
  variables: new Map(),
  hasPictures: true,
}

/** Pixels. Smaller letters are not read. */
const SMALLEST = 3
const FAINTEST = 0.05
/** Parts of the letters' size. A blur of more, or letters that close up by more, leave no words. */
const BLURRED = 0.4
const SQUEEZED = -0.6

/** Elements that browsers themselves do not show, whatever a style sheet says of others. */
const UNSHOWN: ReadonlySet<string> = new Set([
  ...['datalist', 'rp', 'noembed', 'noframes', 'progress', 'meter', 'audio', 'video', 'canvas', 'object', 'iframe'],
])

const isUnshown = (element: StyledElement): boolean =>
  UNSHOWN.has(element.localName) ||
  element.getAttribute('hidden') !== null ||
  element.getAttribute('popover') !== null ||
  (element.localName === 'dialog' && element.getAttribute('open') === null)

/** All words of a value, those in functions too. */
const wordsIn = (pieces: Pieces): readonly string[] =>
  pieces.flatMap((piece) =>
    piece.kind === 'word' ? [piece.name] : piece.kind === 'function' ? wordsIn(piece.within) : [],
  )

const DISPLAYS =
  /^(?:none|inline|block|flex|grid|table|contents|flow|flow-root|list-item|ruby|math|box|(?:inline|table|ruby)-[a-z-]+|inherit|initial|unset|revert|revert-layer)$/

/** Signs that no name of CSS has: whoever writes them, or escapes that come to them, hides what is meant. */
const isGarbled = (word: string): boolean => /[^ -~]/.test(word)

const share = (piece: Piece | undefined): number | undefined => numberOf(piece, { em: 16, whole: 1 }) ?? undefined

/** Ways of mixing by which dark words on white stay dark. */
const BLENDS = /^(?:normal|multiply|darken|color-burn|hard-light|luminosity|plus-darker|inherit|initial|unset|revert)$/

/** Whether all that is in an element is hidden, whatever that says of itself. */
const isGone = (style: Style, isSmall: boolean): boolean => {
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
  const isCutAway = style.read(['clip-path'], (pieces) => cutsAll(pieces, measure))
  if (isCutAway === true || style.read(['clip'], (pieces) => cutsAll(pieces, measure)) === true) return true
  const isFiltered = style.read(['filter'], (pieces) =>
    pieces.some((piece) => {
      if (piece.kind !== 'function') return false
      const [given] = piece.within
      if (piece.name === 'opacity') return (share(given) ?? 1) < FAINTEST
      return piece.name === 'blur' && (numberOf(given, measure) ?? 0) >= measure.em * BLURRED
    }),
  )
  if (isFiltered === true) return true
  for (const mask of ['mask', 'mask-image', 'mask-box-image', 'mask-box-image-source', 'mask-border']) {
    if (style.read([mask], masksAll) === true) return true
  }
  const isMaskSmall = style.read(['mask-size'], (pieces) => numbersOf(pieces, measure).some((side) => side <= 1))
  const isMaskTakenOff = ['mask', 'mask-composite'].some((mask) =>
    style.has(mask, isWord(/^(?:subtract|exclude|intersect|xor|clear|source-out|destination-out)$/)),
  )
  if (isMaskSmall === true || isMaskTakenOff) return true
  return isWithoutRoom(style) || isPutAway(style)
}

const SIZES: Readonly<Record<string, number>> = {
  ...{ 'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, 'xxx-large': 48 },
  ...{ initial: 16, caption: 13, icon: 13, menu: 13, 'message-box': 13, 'small-caption': 13, 'status-bar': 13 },
}

/** Pixels of the letters. @param around those of the element around */
const sizeOf = (style: Style, element: StyledElement, around: number): number => {
  const read = (piece: Piece | undefined): number | undefined => {
    if (piece?.kind === 'word') {
      if (piece.name === 'smaller') return around / 1.2
      return piece.name === 'larger' ? around * 1.2 : SIZES[piece.name]
    }
    return numberOf(piece, { em: around, whole: around }) ?? undefined
  }
  const declared = style.read(['font-size'], ([piece]) =>
    piece?.kind === 'word' && /^(?:inherit|unset|revert.*)$/.test(piece.name) ? around : read(piece),
  )
  // Of the shorthand: a plain number before the size is how bold the letters are, and never nothing.
  const isSize = (piece: Piece): boolean =>
    piece.kind === 'function' ||
    (piece.kind === 'number' && (piece.unit !== '' || piece.value === 0)) ||
    (piece.kind === 'word' && (piece.name in SIZES || /^(?:smaller|larger)$/.test(piece.name)))
  const ofShorthand = style.read(['font'], (pieces) => read(pieces.find(isSize)))
  if (declared !== undefined) return declared
  return ofShorthand ?? (/^(?:small|sub|sup)$/.test(element.localName) ? around / 1.2 : around)
}

const inherits = isWord(/^(?:inherit|unset|revert|revert-layer)$/)

const colorIn = (
  style: Style,
  property: string,
  current: ScreenColor | 'unknown',
): ScreenColor | 'unknown' | undefined =>
  style.read([property], ([piece]) => {
    if (piece === undefined || inherits(piece)) return undefined
    return colorOf(piece, current === 'unknown' ? BLACK : current) ?? undefined
  })

/** What browsers draw a link in, whatever is said of the words around it. */
const LINK: ScreenColor = { red: 0, green: 0, blue: 0.93, alpha: 1 }

const isLink = (element: StyledElement): boolean => element.localName === 'a' && element.getAttribute('href') !== null

/** What attributes say that were there before styles were. */
const attributeColor = (element: StyledElement, name: string): ScreenColor | undefined => {
  const written = element.getAttribute(name)
  const color = written === null ? null : legacyColor(written)
  return (color === null ? null : readColor(color)) ?? undefined
}

/** Variables that an element may have of its own. */
const MOST_VARIABLES = 200
/** Variables that parts in each other may have together. */
const MOST_VARIABLES_AROUND = 2_000

/**
 * What an element hands down to those in it, where a browser draws it by its styles, as far as that can be computed
 * without a layout.
 * @returns null where nothing of what is in it is seen
 */
export const within = (around: Surroundings, declared: Declared, element: StyledElement): Surroundings | null => {
  if (isUnshown(element)) return null
  const own = [...declared].filter(([property]) => property.startsWith('--')).slice(0, MOST_VARIABLES)
  // Each part would have a copy of all.
  if (own.length > 0 && around.variables.size > MOST_VARIABLES_AROUND) return null
  const variables =
    own.length === 0
      ? around.variables
      : new Map([...around.variables, ...own.map(([name, [value = '']]) => [name, readValue(value)] as const)])
  const size = sizeOf(new Style(declared, element, variables, around.size), element, around.size)
  const style = new Style(declared, element, variables, size)
  const moved = movedBy(style)
  const opacity = around.opacity * (style.read(['opacity'], ([piece]) => share(piece)) ?? 1)
  if (moved.isOutside || opacity < FAINTEST || isGone(style, moved.scale < 0.02)) return null
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
      const ground = groundOf(pieces, current, around.ground, around.hasPictures)
      return ground === undefined ? 'none' : ground
    }),
  )
  const ofAttribute = attributeColor(element, 'bgcolor')
  const grounds = ofBackground.flatMap((ground) => (ground === undefined || ground === 'none' ? [] : [ground]))
  const laid: Ground | undefined =
    (around.hasPictures && element.getAttribute('background') !== null) || grounds.includes(null)
      ? null
      : grounds.length > 0
        ? grounds.flatMap((ground) => ground ?? [])
        : ofBackground.every((ground) => ground === undefined) && ofAttribute !== undefined
          ? [ofAttribute]
          : undefined
  const fill = colorIn(style, 'text-fill-color', color) ?? around.fill
  // Letters that let the background of their own element through are drawn with it.
  const isFilledByGround =
    laid !== undefined && ['background', 'background-clip'].some((name) => style.has(name, isWord(/^text$/)))
  const filter = style.read(['filter'], (pieces) => filterOf(pieces) ?? undefined)
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
        : (security !== '' && security !== 'none') || (spacing ?? 0) <= size * SQUEEZED),
    color,
    fill: isFilledByGround ? (laid?.[0] ?? 'unknown') : fill,
    ground: isFilledByGround || laid === undefined ? around.ground : laid,
    filters: [
      ...(laid === undefined ? around.filters : []),
      ...(filter === undefined || laid !== undefined ? [] : [filter]),
    ],
    variables,
    hasPictures: around.hasPictures,
  }
}

/**
 * Whether words that stand right in an element are not seen, though something in it may be.
 * @param leastContrast (WCAG) of words with what they stand on
 */
export const areWordsUnseen = (
  { size, scale, isInvisible, isIllegible, color, fill, ground, filters }: Surroundings,
  leastContrast = 1,
): boolean => {
  if (size * scale < SMALLEST || isInvisible || isIllegible) return true
  const words = fill ?? color
  return (
    words !== 'unknown' &&
    isDrawnAway(
      filters.reduce((seen, filter) => filter(seen), words),
      ground,
      leastContrast,
    )
  )
}
