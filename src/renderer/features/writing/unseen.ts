import { legacyColor, readColor, type ScreenColor } from '../bodies/darken-color.ts'
import { readStyles, type Declared } from './css-cascade.ts'
import { BLACK, WHITE, colorOf, filterOf, groundOf, isDrawnAway, masksAll, type Ground } from './css-paint.ts'
import {
  layersOf,
  numberOf,
  numbersOf,
  readValue,
  resolved,
  type Measure,
  type Piece,
  type Pieces,
} from './css-values.ts'

/** What an element hands down to those in it. */
interface Surroundings {
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
}

const PAGE: Surroundings = {
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
}

/** Pixels. Smaller letters are not read, and nothing is read in less room. */
const SMALLEST = 3
const LEAST_ROOM = 4
/** Pixels to the left of a page or above it, where nobody gets; to its right; below its end; and below a window's. */
const OUTSIDE = { before: -100, after: 3_000, below: 9_000, window: 1_000 } as const
const FAINTEST = 0.05
/** Parts of the letters' size. A blur of more, or letters that close up by more, leave no words. */
const BLURRED = 0.4
const SQUEEZED = -0.6

/** Elements that browsers themselves do not show, whatever a style sheet says of others. */
const UNSHOWN =
  '[hidden], [popover], dialog:not([open]), datalist, rp, noembed, noframes, progress, meter, audio, video, canvas, object, iframe'

/** What is read of a value; undefined where a browser passes over the declaration and goes on with the next. */
type Reader<T> = (pieces: Pieces) => T | undefined

/** The values that hold for an element. */
class Style {
  readonly #declared: Declared
  readonly #element: Element
  readonly #variables: ReadonlyMap<string, Pieces>
  readonly measure: Measure

  constructor(declared: Declared, element: Element, variables: ReadonlyMap<string, Pieces>, em: number) {
    this.#declared = declared
    this.#element = element
    this.#variables = variables
    // What 100% is cannot be told without a layout: a window's share of a part that counts as much, and none that is a fault.
    this.measure = { em, whole: 100 }
  }

  /** The first value, of the first of these properties that has one, of which something can be read. */
  read<T>(properties: readonly string[], reader: Reader<T>): T | undefined {
    for (const property of properties) {
      for (const value of this.#declared.get(property) ?? []) {
        const pieces = resolved(readValue(value), this.#variables, (name) => this.#element.getAttribute(name))
        const read = pieces === null || pieces.length === 0 ? undefined : reader(pieces)
        if (read !== undefined) return read
      }
    }
    return undefined
  }

  word(...properties: string[]): string {
    return this.read(properties, ([piece]) => (piece?.kind === 'word' ? piece.name : undefined)) ?? ''
  }

  has(property: string, isOne: (piece: Piece) => boolean): boolean {
    return this.read([property], (pieces) => pieces.some(isOne)) ?? false
  }

  number(...properties: string[]): number | undefined {
    return this.read(properties, ([piece]) =>
      piece?.kind === 'word' ? undefined : (numberOf(piece, this.measure) ?? undefined),
    )
  }

  /** A side of a box, by its own property, the one for its place in lines of text, or those for all sides. */
  side(side: 'top' | 'right' | 'bottom' | 'left', all: 'margin' | 'padding' | 'inset'): number | undefined {
    const isVertical = side === 'top' || side === 'bottom'
    const [axis, end] = [isVertical ? 'block' : 'inline', side === 'top' || side === 'left' ? 'start' : 'end']
    const place = { top: 0, right: 1, bottom: 2, left: 3 }[side]
    const own = this.number(all === 'inset' ? side : `${all}-${side}`, `${all}-${axis}-${end}`)
    const ofAxis = this.read([`${all}-${axis}`], (pieces) =>
      numbersOf(pieces, this.measure).at(end === 'start' ? 0 : -1),
    )
    const ofAll = this.read([all], (pieces) => {
      const at = pieces[place] ?? pieces[place === 3 ? 1 : place % 2] ?? pieces[0]
      return at === undefined ? undefined : (numberOf(at, this.measure) ?? Number.NaN)
    })
    return own ?? ofAxis ?? ofAll
  }
}

const isWord =
  (pattern: RegExp) =>
  (piece: Piece): boolean =>
    piece.kind === 'word' && pattern.test(piece.name)

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

/** How large the smaller side of something is drawn, in parts of itself, and how far away. */
interface Moved {
  readonly scale: number
  readonly isOutside: boolean
}

const isOutside = (by: number): boolean => by <= OUTSIDE.before || by >= OUTSIDE.after

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180)

const moveBy = (piece: Piece, measure: Measure, isBackHidden: boolean): Moved | undefined => {
  if (piece.kind !== 'function') return undefined
  const { name } = piece
  const given = numbersOf(piece.within, measure)
  // Shares of a size are measured by 1 in scales.
  const scales = numbersOf(piece.within, { ...measure, whole: 1 }).map(Math.abs)
  const still = { scale: 1, isOutside: false }
  if (name === 'scale' || name === 'scale3d') return { ...still, scale: Math.min(...scales.slice(0, 2)) }
  if (name === 'scalex' || name === 'scaley') return { ...still, scale: scales[0] ?? 1 }
  if (/^translate(?:3d|x|y)?$/.test(name)) return { ...still, isOutside: given.slice(0, 2).some(isOutside) }
  if (name === 'matrix' || name === 'matrix3d') {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] =
      name === 'matrix' ? given : [0, 1, 4, 5, 12, 13].map((place) => given[place] ?? 0)
    const longer = Math.max(Math.hypot(a, b), Math.hypot(c, d))
    const area = Math.abs(a * d - b * c)
    return { scale: longer === 0 ? 0 : Math.min(longer, area / longer), isOutside: isOutside(e) || isOutside(f) }
  }
  const turn = (degrees: number): Moved => ({
    ...still,
    scale: isBackHidden ? Math.max(0, cosine(degrees)) : Math.abs(cosine(degrees)),
  })
  if (name === 'rotatex' || name === 'rotatey') return turn(given[0] ?? 0)
  if (name === 'rotate3d') return given[0] === 0 && given[1] === 0 ? still : turn(given[3] ?? 0)
  if (name.startsWith('skew')) return { ...still, scale: Math.min(...given.map((angle) => Math.abs(cosine(angle)))) }
  return /^(?:rotate|rotatez|scalez|translatez|perspective)$/.test(name) ? still : undefined
}

const NOT_MOVED: Moved = { scale: 1, isOutside: false }

const movedBy = (style: Style): Moved => {
  const { measure } = style
  const isBackHidden = style.word('backface-visibility') === 'hidden'
  const moves: (Moved | undefined)[] = [
    ...(style.read(['transform'], (pieces) => {
      if (isWord(/./)(pieces[0] ?? { kind: 'unread' })) return []
      const steps = pieces.map((piece) => moveBy(piece, measure, isBackHidden))
      return steps.includes(undefined) ? undefined : steps
    }) ?? []),
    style.read(['scale'], (pieces) => {
      const scales = numbersOf(pieces, { ...measure, whole: 1 }).map(Math.abs)
      return { ...NOT_MOVED, scale: Math.min(1, ...scales.slice(0, 2)) }
    }),
    style.read(['translate'], (pieces) => ({
      ...NOT_MOVED,
      isOutside: numbersOf(pieces, measure).slice(0, 2).some(isOutside),
    })),
    style.read(['rotate'], (pieces) => {
      const [axis] = pieces
      const numbers = numbersOf(pieces, measure)
      const isFlat = axis?.kind === 'word' ? axis.name === 'z' || axis.name === 'none' : numbers.length < 4
      const name = isFlat ? 'rotate' : 'rotatex'
      const within: Pieces = [{ kind: 'number', value: numbers.at(-1) ?? 0, unit: '' }]
      return moveBy({ kind: 'function', name, within }, measure, isBackHidden)
    }),
    style.read(['zoom'], ([piece]) => {
      const factor = piece?.kind === 'word' ? 1 : numberOf(piece, { ...measure, whole: 1 })
      return factor === null ? undefined : { ...NOT_MOVED, scale: factor }
    }),
  ]
  return moves.reduce<Moved>(
    (all, move) => ({
      scale: all.scale * (move?.scale ?? 1),
      isOutside: all.isOutside || move?.isOutside === true,
    }),
    NOT_MOVED,
  )
}

/** What a line of text has to be seen in, in pixels: half of one, and half of what a line is wide. */
const CUT_OFF = { lines: 20, words: 300 } as const

/** Twice the area of a polygon. */
const areaOf = (points: readonly (readonly number[])[]): number =>
  Math.abs(
    points.reduce((sum, [x = 0, y = 0], index) => {
      const [nextX = 0, nextY = 0] = points[(index + 1) % points.length] ?? []
      return sum + x * nextY - nextX * y
    }, 0),
  )

/** Whether a shape that an element is cut to leaves nothing of it. */
const cutsAll = (pieces: Pieces, measure: Measure): boolean =>
  pieces.some((piece) => {
    if (piece.kind !== 'function') return false
    const at = piece.within.findIndex(isWord(/^at$/))
    const place = at < 0 ? [] : numbersOf(piece.within.slice(at), measure)
    const given = numbersOf(at < 0 ? piece.within : piece.within.slice(0, at), measure)
    const isThin = (...sides: (number | undefined)[]): boolean => sides.some((side) => side !== undefined && side <= 1)
    if (place.some(isOutside)) return true
    if (piece.name === 'circle' || piece.name === 'ellipse') return isThin(...given)
    const [first = 0, second = first, third = first, fourth = second] = given
    if (piece.name === 'inset') {
      const isShare = piece.within.every((each) => each.kind !== 'number' || each.unit === '%' || each.value === 0)
      const most = isShare ? { lines: 99, words: 99 } : CUT_OFF
      return first + third >= most.lines || second + fourth >= most.words
    }
    // Sides from above and from the left, or a corner and two sides.
    if (piece.name === 'rect' && !piece.within.some(isWord(/^auto$/))) return third - first <= 1 || second - fourth <= 1
    if (piece.name === 'xywh') return isThin(third, fourth)
    if (piece.name === 'polygon') {
      const points = layersOf(piece.within)
        .map((layer) => numbersOf(layer, measure))
        .filter(({ length }) => length === 2)
      const isAway = [0, 1].some((axis) => points.every((point) => (point[axis] ?? 0) <= 0))
      return isAway || areaOf(points) <= 2
    }
    if (piece.name === 'path' || piece.name === 'shape') {
      const drawn = piece.within.flatMap((each) =>
        each.kind === 'text' ? [...each.name.matchAll(/-?\d*\.?\d+/g)].map(Number) : (numberOf(each, measure) ?? []),
      )
      return drawn.every((number) => number <= 1)
    }
    return false
  })

/** Ways of mixing by which dark words on white stay dark. */
const BLENDS = /^(?:normal|multiply|darken|color-burn|hard-light|luminosity|plus-darker|inherit|initial|unset|revert)$/

const isWithoutRoom = (style: Style): boolean => {
  const room = (side: string, inText: string): number => {
    const size = style.number(side, inText) ?? Infinity
    return Math.max(size, style.number(`min-${side}`, `min-${inText}`) ?? 0)
  }
  const most = Math.min(
    style.number('max-height', 'max-block-size') ?? Infinity,
    style.number('max-width', 'max-inline-size') ?? Infinity,
  )
  if (most <= 1) return true
  const isCut =
    ['overflow', 'overflow-x', 'overflow-y'].some((name) =>
      style.has(name, isWord(/^(?:hidden|clip|scroll|auto|overlay)$/)),
    ) || style.has('contain', isWord(/^(?:paint|strict|content)$/))
  if (!isCut) return false
  const lineHeight = style.read(
    ['line-height'],
    ([piece]) => numberOf(piece, { ...style.measure, whole: 1 }) ?? undefined,
  )
  return (
    Math.min(most, room('height', 'block-size'), room('width', 'inline-size')) < LEAST_ROOM ||
    (lineHeight !== undefined && lineHeight < 0.2) ||
    (style.number('text-indent') ?? 0) >= 100 ||
    [style.side('left', 'padding'), style.side('top', 'padding')].some((side) => (side ?? 0) >= 1_000)
  )
}

/** Whether an element is put where nobody gets. */
const isPutAway = (style: Style): boolean => {
  if (isOutside(style.number('text-indent') ?? 0)) return true
  const isFar = (side: number | undefined): boolean => side !== undefined && side <= OUTSIDE.before
  if (isFar(style.side('left', 'margin')) || isFar(style.side('top', 'margin'))) return true
  if ((style.side('left', 'margin') ?? 0) >= OUTSIDE.after) return true
  const position = style.word('position')
  if (!/^(?:absolute|relative|fixed|sticky)$/.test(position)) return false
  const sides = (['top', 'right', 'bottom', 'left'] as const).map((side) => style.side(side, 'inset'))
  const [top = 0, ...others] = sides
  if (sides.some(isFar) || top >= OUTSIDE.below || others.some((side) => (side ?? 0) >= OUTSIDE.after)) return true
  // Nothing scrolls to it.
  return position === 'fixed' && sides.some((side) => (side ?? 0) >= OUTSIDE.window)
}

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
const sizeOf = (style: Style, element: Element, around: number): number => {
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

/** What attributes say that were there before styles were. */
const attributeColor = (element: Element, name: string): ScreenColor | undefined => {
  const written = element.getAttribute(name)
  const color = written === null ? null : legacyColor(written)
  return (color === null ? null : readColor(color)) ?? undefined
}

/** Variables that an element may have of its own. */
const MOST_VARIABLES = 200

const within = (around: Surroundings, declared: Declared, element: Element): Surroundings | null => {
  if (element.matches(UNSHOWN)) return null
  const own = [...declared].filter(([property]) => property.startsWith('--')).slice(0, MOST_VARIABLES)
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
    around.color
  const current = color === 'unknown' ? BLACK : color
  const ofBackground = ['background', 'background-image', 'background-color'].map((property) =>
    style.read([property], (pieces) => {
      const ground = groundOf(pieces, current, around.ground)
      return ground === undefined ? 'none' : ground
    }),
  )
  const ofAttribute = attributeColor(element, 'bgcolor')
  const grounds = ofBackground.flatMap((ground) => (ground === undefined || ground === 'none' ? [] : [ground]))
  const laid: Ground | undefined =
    element.hasAttribute('background') || grounds.includes(null)
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
  }
}

const areWordsUnseen = ({
  size,
  scale,
  isInvisible,
  isIllegible,
  color,
  fill,
  ground,
  filters,
}: Surroundings): boolean => {
  if (size * scale < SMALLEST || isInvisible || isIllegible) return true
  const words = fill ?? color
  return (
    words !== 'unknown' &&
    isDrawnAway(
      filters.reduce((seen, filter) => filter(seen), words),
      ground,
    )
  )
}

/**
 * Takes the words and pictures away that mail and web pages have in the text and show nobody: they would be seen, or sent
 * in the person's name, where the style is gone. What a browser makes of the styles is computed as far as that can be done
 * without a layout; where it cannot be told, words go rather than stay. Style sheets go as well.
 */
export const removeUnseen = (root: Element | DocumentFragment): void => {
  const styleOf = readStyles(root)
  if (styleOf === null) return root.replaceChildren()
  for (const sheet of root.querySelectorAll('style')) sheet.remove()
  const walk = (parent: Element | DocumentFragment, around: Surroundings): void => {
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 3) {
        if (areWordsUnseen(around) && (node.nodeValue ?? '').trim() !== '') node.remove()
        continue
      }
      if (node.nodeType !== 1) continue
      const element = node as Element
      const declared = styleOf(element)
      const inner = declared === null ? null : within(around, declared, element)
      if (inner === null || (element.localName === 'img' && inner.isInvisible)) element.remove()
      else walk(element, inner)
    }
  }
  walk(root, PAGE)
}
