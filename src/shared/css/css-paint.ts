import { parseCssColor, type RgbaColor } from './rgba-color.ts'
import { splitLayers, evaluateNumber, type LengthBase, type CssToken, type CssTokens } from './css-values.ts'

/** Colours with a lower alpha are invisible on any background. */
const MIN_ALPHA = 0.05
/** Differences per colour channel below this are invisible. */
const MIN_DIFFERENCE = 0.06

export const BLACK: RgbaColor = { red: 0, green: 0, blue: 0, alpha: 1 }
export const WHITE: RgbaColor = { red: 1, green: 1, blue: 1, alpha: 1 }
const CLEAR: RgbaColor = { ...BLACK, alpha: 0 }

/** System colours as they appear in a light window. */
const SYSTEM_COLORS: Readonly<Record<string, RgbaColor>> = {
  ...{ canvas: WHITE, field: WHITE, window: WHITE, base: WHITE },
  ...{ canvastext: BLACK, fieldtext: BLACK, windowtext: BLACK, buttontext: BLACK, text: BLACK },
}

const COLOR_FUNCTION = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/
const MIXED = /^(?:color-mix|light-dark|contrast-color)$/

const UNSCALED: LengthBase = { em: 16, whole: 100 }

const formatToken = (piece: CssToken): string => {
  if (piece.kind === 'number') return `${piece.value}${piece.unit}`
  if (piece.kind === 'function') return String(evaluateNumber(piece, UNSCALED) ?? 'none')
  return 'name' in piece ? piece.name : 'none'
}

const isClear = ({ alpha }: RgbaColor): boolean => alpha < MIN_ALPHA

/**
 * Parses a colour; `currentcolor` becomes `current`.
 * @returns 'unknown' for a colour that can't be computed here, null for anything that isn't a colour
 */
export const parseColorToken = (piece: CssToken | undefined, current: RgbaColor): RgbaColor | 'unknown' | null => {
  if (piece?.kind === 'hash') return parseCssColor(`#${piece.name}`)
  if (piece?.kind === 'word') {
    if (piece.name === 'currentcolor') return current
    return piece.name === 'transparent' ? CLEAR : (SYSTEM_COLORS[piece.name] ?? parseCssColor(piece.name))
  }
  if (piece?.kind !== 'function') return null
  if (MIXED.test(piece.name)) {
    const colors = piece.within.flatMap((each) => parseColorToken(each, current) ?? [])
    // A light window uses the first colour of `light-dark`. A mix of invisible colours is invisible.
    if (piece.name === 'light-dark') return colors[0] ?? null
    return colors.length > 0 && colors.every((each) => each !== 'unknown' && isClear(each)) ? CLEAR : 'unknown'
  }
  if (!COLOR_FUNCTION.test(piece.name)) return null
  return parseCssColor(`${piece.name}(${piece.within.map(formatToken).join(' ').replaceAll(' , ', ',')})`) ?? 'unknown'
}

/** Possible background colours of an element, or null for a picture, on which any text may be readable. */
export type BackgroundColors = readonly RgbaColor[] | null

const blendOver = (top: RgbaColor, below: RgbaColor): RgbaColor => {
  const mixed = (part: 'red' | 'green' | 'blue'): number => top[part] * top.alpha + below[part] * (1 - top.alpha)
  return { red: mixed('red'), green: mixed('green'), blue: mixed('blue'), alpha: 1 }
}

/** Relative luminance (WCAG 2.2). */
const brightnessOf = ({ red, green, blue }: RgbaColor): number => {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, 1.4.3). */
const contrastOf = (one: RgbaColor, other: RgbaColor): number => {
  const [first, second] = [brightnessOf(one), brightnessOf(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/**
 * True if text can't be told apart from its background. @param leastContrast text with a lower contrast counts as
 * unreadable too
 */
export const blendsIntoBackground = (words: RgbaColor, background: BackgroundColors, leastContrast = 1): boolean => {
  if (isClear(words)) return true
  return (
    background?.every((below) => {
      const seen = blendOver(words, below)
      return (
        contrastOf(seen, below) < leastContrast ||
        (['red', 'green', 'blue'] as const).every((part) => Math.abs(seen[part] - below[part]) < MIN_DIFFERENCE)
      )
    }) === true
  )
}

/** Colours of a gradient, or null if some are unknown. */
const colorsOfGradient = (within: CssTokens, current: RgbaColor): readonly RgbaColor[] | null => {
  const colors = within.flatMap((piece) => parseColorToken(piece, current) ?? [])
  const known = colors.flatMap((color) => (color === 'unknown' ? [] : color))
  return colors.length === 0 || known.length < colors.length ? null : known
}

/**
 * The background that a CSS value puts behind an element's text, or undefined if it adds none.
 * @param hasPictures true if pictures are drawn
 */
export const resolveBackground = (
  pieces: CssTokens,
  current: RgbaColor,
  below: BackgroundColors,
  hasPictures: boolean,
): BackgroundColors | undefined => {
  const colors: RgbaColor[] = []
  for (const piece of pieces) {
    if (piece.kind === 'address') {
      if (hasPictures) return null
      continue
    }
    if (piece.kind === 'function' && piece.name.endsWith('gradient')) {
      const stops = colorsOfGradient(piece.within, current)
      if (stops === null) return null
      colors.push(...stops)
      continue
    }
    const color = parseColorToken(piece, current)
    const isPicture = color === null && piece.kind === 'function' && /image|fade|element|paint/.test(piece.name)
    if (color === 'unknown' || (isPicture && hasPictures)) return null
    if (color !== null) colors.push(color)
  }
  const seen = colors.filter((color) => !isClear(color))
  if (seen.length === 0) return undefined
  return below === null && seen.some(({ alpha }) => alpha < 1)
    ? null
    : seen.flatMap((color) => (color.alpha < 1 ? (below ?? []).map((each) => blendOver(color, each)) : [color]))
}

const luminanceOf = ({ red, green, blue }: RgbaColor): number => 0.21 * red + 0.72 * green + 0.07 * blue

/**
 * True if a mask hides everything. Remote pictures are not loaded in mail, and a mask that isn't loaded hides
 * everything.
 */
export const masksEverything = (pieces: CssTokens): boolean => {
  const isLuminance = pieces.some((piece) => piece.kind === 'word' && piece.name === 'luminance')
  const leaves = (layer: CssTokens): boolean =>
    layer.some((piece) => {
      if (piece.kind === 'word') return piece.name === 'none'
      if (piece.kind !== 'function' || !piece.name.endsWith('gradient'))
        return piece.kind === 'function' && piece.name === 'cross-fade'
      const stops = colorsOfGradient(piece.within, BLACK)
      return stops?.some((color) => color.alpha * (isLuminance ? luminanceOf(color) : 1) >= MIN_ALPHA) !== false
    })
  const isPicture = ({ kind }: CssToken): boolean => kind === 'address' || kind === 'function'
  return pieces.some(isPicture) && !splitLayers(pieces).some(leaves)
}

/**
 * Colour change caused by a filter. Ignores filters that don't change colours or can't make two different colours look
 * the same.
 */
export const parseColorFilter = (pieces: CssTokens): ((color: RgbaColor) => RgbaColor) | null => {
  const steps = pieces.flatMap((piece) => {
    if (piece.kind !== 'function') return []
    const [given] = piece.within
    const share =
      given?.kind === 'number' && given.unit === '%' ? given.value / 100 : (evaluateNumber(given, UNSCALED) ?? 1)
    if (piece.name === 'invert') return [(part: number): number => part * (1 - share) + (1 - part) * share]
    if (piece.name === 'brightness') return [(part: number): number => Math.min(1, part * share)]
    if (piece.name === 'contrast')
      return [(part: number): number => Math.min(1, Math.max(0, (part - 0.5) * share + 0.5))]
    return []
  })
  if (steps.length === 0) return null
  const changed = (part: number): number => steps.reduce((value, step) => step(value), part)
  return ({ red, green, blue, alpha }) => ({ red: changed(red), green: changed(green), blue: changed(blue), alpha })
}
