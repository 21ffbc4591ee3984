import {
  splitLayers,
  evaluateNumber,
  evaluateNumbers,
  type LengthBase,
  type CssToken,
  type CssTokens,
} from './css-values.ts'
import { matchesWord, type ElementStyle } from './element-style.ts'

/** Smallest readable size of a box, in pixels. */
const MIN_SIZE_PX = 4
/**
 * Distances in pixels that put content out of reach: left of or above the page; to its right; below its end; below or
 * beside the window for fixed content.
 */
const OUTSIDE = { before: -100, after: 3_000, below: 9_000, window: 1_000 } as const

/** Scale of the smaller side, and whether the element is moved out of reach. */
interface Moved {
  readonly scale: number
  readonly isOutside: boolean
}

const isOutside = (by: number): boolean => by <= OUTSIDE.before || by >= OUTSIDE.after

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180)

const transformOf = (piece: CssToken, measure: LengthBase, isBackHidden: boolean): Moved | undefined => {
  if (piece.kind !== 'function') return undefined
  const { name } = piece
  const given = evaluateNumbers(piece.within, measure)
  // Percentages of a scale are relative to 1.
  const scales = evaluateNumbers(piece.within, { ...measure, whole: 1 }).map(Math.abs)
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

export const computeTransform = (style: ElementStyle): Moved => {
  const { measure } = style
  const isBackHidden = style.word('backface-visibility') === 'hidden'
  const moves: (Moved | undefined)[] = [
    ...(style.read(['transform'], (pieces) => {
      if (matchesWord(/./)(pieces[0] ?? { kind: 'unread' })) return []
      const steps = pieces.map((piece) => transformOf(piece, measure, isBackHidden))
      return steps.includes(undefined) ? undefined : steps
    }) ?? []),
    style.read(['scale'], (pieces) => {
      const scales = evaluateNumbers(pieces, { ...measure, whole: 1 }).map(Math.abs)
      return { ...NOT_MOVED, scale: Math.min(1, ...scales.slice(0, 2)) }
    }),
    style.read(['translate'], (pieces) => ({
      ...NOT_MOVED,
      isOutside: evaluateNumbers(pieces, measure).slice(0, 2).some(isOutside),
    })),
    style.read(['rotate'], (pieces) => {
      const [axis] = pieces
      const numbers = evaluateNumbers(pieces, measure)
      const isFlat = axis?.kind === 'word' ? axis.name === 'z' || axis.name === 'none' : numbers.length < 4
      const name = isFlat ? 'rotate' : 'rotatex'
      const within: CssTokens = [{ kind: 'number', value: numbers.at(-1) ?? 0, unit: '' }]
      return transformOf({ kind: 'function', name, within }, measure, isBackHidden)
    }),
    style.read(['zoom'], ([piece]) => {
      const factor = piece?.kind === 'word' ? 1 : evaluateNumber(piece, { ...measure, whole: 1 })
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

/** Pixels that must be cut off before text counts as hidden: half a line's height, or half a line's width. */
const CUT_OFF = { lines: 20, words: 300 } as const

const doubleAreaOf = (points: readonly (readonly number[])[]): number =>
  Math.abs(
    points.reduce((sum, [x = 0, y = 0], index) => {
      const [nextX = 0, nextY = 0] = points[(index + 1) % points.length] ?? []
      return sum + x * nextY - nextX * y
    }, 0),
  )

/** True if a clipping shape leaves nothing visible. */
export const clipsEverything = (pieces: CssTokens, measure: LengthBase): boolean =>
  pieces.some((piece) => {
    if (piece.kind !== 'function') return false
    const at = piece.within.findIndex(matchesWord(/^at$/))
    const place = at < 0 ? [] : evaluateNumbers(piece.within.slice(at), measure)
    const given = evaluateNumbers(at < 0 ? piece.within : piece.within.slice(0, at), measure)
    const isThin = (...sides: (number | undefined)[]): boolean => sides.some((side) => side !== undefined && side <= 1)
    if (place.some(isOutside)) return true
    if (piece.name === 'circle' || piece.name === 'ellipse') return isThin(...given)
    const [first = 0, second = first, third = first, fourth = second] = given
    if (piece.name === 'inset') {
      const isShare = piece.within.every((each) => each.kind !== 'number' || each.unit === '%' || each.value === 0)
      const most = isShare ? { lines: 99, words: 99 } : CUT_OFF
      return first + third >= most.lines || second + fourth >= most.words
    }
    // `rect` has offsets from the top and left, `xywh` a corner and two sides.
    if (piece.name === 'rect' && !piece.within.some(matchesWord(/^auto$/)))
      return third - first <= 1 || second - fourth <= 1
    if (piece.name === 'xywh') return isThin(third, fourth)
    if (piece.name === 'polygon') {
      const points = splitLayers(piece.within)
        .map((layer) => evaluateNumbers(layer, measure))
        .filter(({ length }) => length === 2)
      const isAway = [0, 1].some((axis) => points.every((point) => (point[axis] ?? 0) <= 0))
      return isAway || doubleAreaOf(points) <= 2
    }
    if (piece.name === 'path' || piece.name === 'shape') {
      const drawn = piece.within.flatMap((each) =>
        each.kind === 'text'
          ? [...each.name.matchAll(/-?\d*\.?\d+/g)].map(Number)
          : (evaluateNumber(each, measure) ?? []),
      )
      return drawn.every((number) => number <= 1)
    }
    return false
  })

export const hasNoArea = (style: ElementStyle): boolean => {
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
      style.has(name, matchesWord(/^(?:hidden|clip|scroll|auto|overlay)$/)),
    ) || style.has('contain', matchesWord(/^(?:paint|strict|content)$/))
  if (!isCut) return false
  const lineHeight = style.read(
    ['line-height'],
    ([piece]) => evaluateNumber(piece, { ...style.measure, whole: 1 }) ?? undefined,
  )
  return (
    Math.min(most, room('height', 'block-size'), room('width', 'inline-size')) < MIN_SIZE_PX ||
    (lineHeight !== undefined && lineHeight < 0.2) ||
    (style.number('text-indent') ?? 0) >= 100 ||
    [style.side('left', 'padding'), style.side('top', 'padding')].some((side) => (side ?? 0) >= 1_000)
  )
}

/** True if an element is positioned out of reach. */
export const isOffPage = (style: ElementStyle): boolean => {
  if (isOutside(style.number('text-indent') ?? 0)) return true
  const isFar = (side: number | undefined): boolean => side !== undefined && side <= OUTSIDE.before
  if (isFar(style.side('left', 'margin')) || isFar(style.side('top', 'margin'))) return true
  if ((style.side('left', 'margin') ?? 0) >= OUTSIDE.after) return true
  const position = style.word('position')
  if (!/^(?:absolute|relative|fixed|sticky)$/.test(position)) return false
  const sides = (['top', 'right', 'bottom', 'left'] as const).map((side) => style.side(side, 'inset'))
  const [top = 0, ...others] = sides
  if (sides.some(isFar) || top >= OUTSIDE.below || others.some((side) => (side ?? 0) >= OUTSIDE.after)) return true
  // A fixed element can't be scrolled into view.
  return position === 'fixed' && sides.some((side) => (side ?? 0) >= OUTSIDE.window)
}
