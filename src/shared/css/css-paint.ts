import { readColor, type ScreenColor } from './screen-color.ts'
import { layersOf, numberOf, type Measure, type CssToken, type CssTokens } from './css-values.ts'

/** Colours with a lower alpha are invisible on any background. */
const FAINTEST = 0.05
/** Differences per colour channel below this are invisible. */
const ALIKE = 0.06

export const BLACK: ScreenColor = { red: 0, green: 0, blue: 0, alpha: 1 }
export const WHITE: ScreenColor = { red: 1, green: 1, blue: 1, alpha: 1 }
const CLEAR: ScreenColor = { ...BLACK, alpha: 0 }

/** System colours as they appear in a light window. */
const OF_SYSTEM: Readonly<Record<string, ScreenColor>> = {
  ...{ canvas: WHITE, field: WHITE, window: WHITE, base: WHITE },
  ...{ canvastext: BLACK, fieldtext: BLACK, windowtext: BLACK, buttontext: BLACK, text: BLACK },
}

const COLOR_FUNCTION = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/
const MIXED = /^(?:color-mix|light-dark|contrast-color)$/

const UNSCALED: Measure = { em: 16, whole: 100 }

const written = (piece: CssToken): string => {
  if (piece.kind === 'number') return `${piece.value}${piece.unit}`
  if (piece.kind === 'function') return String(numberOf(piece, UNSCALED) ?? 'none')
  return 'name' in piece ? piece.name : 'none'
}

const isClear = ({ alpha }: ScreenColor): boolean => alpha < FAINTEST

/**
 * Parses a colour; `currentcolor` becomes `current`.
 * @returns 'unknown' for a colour that can't be computed here, null for anything that isn't a colour
 */
export const colorOf = (piece: CssToken | undefined, current: ScreenColor): ScreenColor | 'unknown' | null => {
  if (piece?.kind === 'hash') return readColor(`#${piece.name}`)
  if (piece?.kind === 'word') {
    if (piece.name === 'currentcolor') return current
    return piece.name === 'transparent' ? CLEAR : (OF_SYSTEM[piece.name] ?? readColor(piece.name))
  }
  if (piece?.kind !== 'function') return null
  if (MIXED.test(piece.name)) {
    const colors = piece.within.flatMap((each) => colorOf(each, current) ?? [])
    // A light window uses the first colour of `light-dark`. A mix of invisible colours is invisible.
    if (piece.name === 'light-dark') return colors[0] ?? null
    return colors.length > 0 && colors.every((each) => each !== 'unknown' && isClear(each)) ? CLEAR : 'unknown'
  }
  if (!COLOR_FUNCTION.test(piece.name)) return null
  return readColor(`${piece.name}(${piece.within.map(written).join(' ').replaceAll(' , ', ',')})`) ?? 'unknown'
}

/** Possible background colours of an element, or null for a picture, on which any text may be readable. */
export type Background = readonly ScreenColor[] | null

const over = (top: ScreenColor, below: ScreenColor): ScreenColor => {
  const mixed = (part: 'red' | 'green' | 'blue'): number => top[part] * top.alpha + below[part] * (1 - top.alpha)
  return { red: mixed('red'), green: mixed('green'), blue: mixed('blue'), alpha: 1 }
}

/** Relative luminance (WCAG 2.2). */
const brightnessOf = ({ red, green, blue }: ScreenColor): number => {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast of two colours, from 1 to 21 (WCAG 2.2, 1.4.3). */
const contrastOf = (one: ScreenColor, other: ScreenColor): number => {
  const [first, second] = [brightnessOf(one), brightnessOf(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

/**
 * True if text can't be told apart from its background. @param leastContrast text with a lower contrast counts as
 * unreadable too
 */
export const isDrawnAway = (words: ScreenColor, background: Background, leastContrast = 1): boolean => {
  if (isClear(words)) return true
  return (
    background?.every((below) => {
      const seen = over(words, below)
      return (
        contrastOf(seen, below) < leastContrast ||
        (['red', 'green', 'blue'] as const).every((part) => Math.abs(seen[part] - below[part]) < ALIKE)
      )
    }) === true
  )
}

/** Colours of a gradient, or null if some are unknown. */
const colorsOfGradient = (within: CssTokens, current: ScreenColor): readonly ScreenColor[] | null => {
  const colors = within.flatMap((piece) => colorOf(piece, current) ?? [])
  const known = colors.flatMap((color) => (color === 'unknown' ? [] : color))
  return colors.length === 0 || known.length < colors.length ? null : known
}

/**
 * The background that a CSS value puts behind an element's text, or undefined if it adds none.
 * @param hasPictures true if pictures are drawn
 */
export const backgroundOf = (
  pieces: CssTokens,
  current: ScreenColor,
  below: Background,
  hasPictures: boolean,
): Background | undefined => {
  const colors: ScreenColor[] = []
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
    const color = colorOf(piece, current)
    const isPicture = color === null && piece.kind === 'function' && /image|fade|element|paint/.test(piece.name)
    if (color === 'unknown' || (isPicture && hasPictures)) return null
    if (color !== null) colors.push(color)
  }
  const seen = colors.filter((color) => !isClear(color))
  if (seen.length === 0) return undefined
  return below === null && seen.some(({ alpha }) => alpha < 1)
    ? null
    : seen.flatMap((color) => (color.alpha < 1 ? (below ?? []).map((each) => over(color, each)) : [color]))
}

const luminanceOf = ({ red, green, blue }: ScreenColor): number => 0.21 * red + 0.72 * green + 0.07 * blue

/**
 * True if a mask hides everything. Remote pictures are not loaded in mail, and a mask that isn't loaded hides
 * everything.
 */
export const masksAll = (pieces: CssTokens): boolean => {
  const isLuminance = pieces.some((piece) => piece.kind === 'word' && piece.name === 'luminance')
  const leaves = (layer: CssTokens): boolean =>
    layer.some((piece) => {
      if (piece.kind === 'word') return piece.name === 'none'
      if (piece.kind !== 'function' || !piece.name.endsWith('gradient'))
        return piece.kind === 'function' && piece.name === 'cross-fade'
      const stops = colorsOfGradient(piece.within, BLACK)
      return stops?.some((color) => color.alpha * (isLuminance ? luminanceOf(color) : 1) >= FAINTEST) !== false
    })
  const isPicture = ({ kind }: CssToken): boolean => kind === 'address' || kind === 'function'
  return pieces.some(isPicture) && !layersOf(pieces).some(leaves)
}

/**
 * Colour change caused by a filter. Ignores filters that don't change colours or can't make two different colours look
 * the same.
 */
export const filterOf = (pieces: CssTokens): ((color: ScreenColor) => ScreenColor) | null => {
  const steps = pieces.flatMap((piece) => {
    if (piece.kind !== 'function') return []
    const [given] = piece.within
    const share = given?.kind === 'number' && given.unit === '%' ? given.value / 100 : (numberOf(given, UNSCALED) ?? 1)
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
