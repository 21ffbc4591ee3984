import { formatHex, formatRgb, modeLrgb, modeOklab, useMode } from 'culori/fn'
import { luminance, parseCssColor } from '../../../shared/css/rgba-color.ts'

export type ColorRole = 'ink' | 'ground' | 'line'

const toOklab = useMode(modeOklab)
const toLinear = useMode(modeLrgb)

/**
 * CIE lightness (L*, 0 to 100), which alone determines contrast. Ink is at least as light as `ink`, backgrounds at most
 * as light as `ground`, so any text on any background has a contrast of at least 4.6 : 1 (WCAG 2.2, 1.4.3). `paper` is
 * the dark theme's background and `letters` its text colour.
 */
const LIGHTNESS = { paper: 9.65, ground: 25.8, ink: 70.3, letters: 91.95 } as const
/** `ground` and `ink` with a margin for rounding to 256 steps per channel. */
const SAFE = { ground: LIGHTNESS.ground - 0.6, ink: LIGHTNESS.ink + 0.6 } as const

/** Oklab offsets. The dark theme's greys are warm, and white must become exactly the theme's paper colour. */
const WARMTH: Readonly<Record<ColorRole, readonly [a: number, b: number]>> = {
  ink: [0.0039, 0.0096],
  ground: [0.0049, 0.0055],
  line: [0.0064, 0.0094],
}
/** Colours below this chroma (Oklab) count as grey. */
const GREY = 0.025
const SATURATED_CHROMA = 0.12

const luminanceAt = (lightness: number): number =>
  lightness > 8 ? ((lightness + 16) / 116) ** 3 : lightness / (24389 / 27)

const lightnessAt = (light: number): number =>
  light > 216 / 24389 ? 116 * Math.cbrt(light) - 16 : (light * 24389) / 27

type Channels = readonly [red: number, green: number, blue: number]

const interpolate = (from: number, to: number, share: number): number =>
  from + (to - from) * Math.min(1, Math.max(0, share))

/** The replacement lightness, or null when the original is fine. */
const lightnessFor = (paint: ColorRole, lightness: number, chroma: number): number | null => {
  if (paint === 'ink') {
    if (lightness >= LIGHTNESS.ink) return null
    const grey = interpolate(LIGHTNESS.letters, SAFE.ink, lightness / LIGHTNESS.ink)
    // Lighter colours are paler, so saturated ink gets the minimum lightness: a link stays blue.
    return interpolate(grey, SAFE.ink, chroma / SATURATED_CHROMA)
  }
  if (paint === 'ground') {
    if (lightness <= LIGHTNESS.ground) return null
    // Preserve differences near white: the bands of an e-mail's background differ only slightly.
    if (lightness > 88) return LIGHTNESS.paper + (100 - lightness)
    return interpolate(SAFE.ground, LIGHTNESS.paper + 12, (lightness - LIGHTNESS.ground) / (88 - LIGHTNESS.ground))
  }
  if (lightness < 20) return 55
  return lightness > 65 ? interpolate(45, 22, (lightness - 65) / 35) : null
}

/** Linear RGB with this lightness that keeps the hue and as much chroma as the gamut allows. @param color in Oklab */
const colorWithLightness = (
  lightness: number,
  color: { readonly l: number; readonly a: number; readonly b: number },
  [warmA, warmB]: readonly [number, number],
): Channels => {
  const wanted = luminanceAt(lightness)
  const l = Math.cbrt(wanted)
  // Scale all axes down for darker colours. Scaling up would soon leave the gamut.
  const strength = Math.min(1, l / Math.max(color.l, 1e-6))
  const linear = toLinear({ mode: 'oklab', l, a: color.a * strength + warmA, b: color.b * strength + warmB })
  const raw: Channels = [linear.r, linear.g, linear.b]
  const found = 0.2126 * linear.r + 0.7152 * linear.g + 0.0722 * linear.b
  const scaled =
    found <= 0
      ? ([wanted, wanted, wanted] as const)
      : (raw.map((each) => (each * wanted) / found) as unknown as Channels)
  // Blend towards the grey of the same luminance until all channels are in gamut.
  const share = Math.min(
    1,
    ...scaled.map((each) => (each > 1 ? (1 - wanted) / (each - wanted) : each < 0 ? wanted / (wanted - each) : 1)),
  )
  return scaled.map((each) => wanted + share * (each - wanted)) as unknown as Channels
}

const write = ([r, g, b]: Channels, alpha: number): string => {
  const color = { mode: 'lrgb', r, g, b, alpha } as const
  return alpha >= 1 ? formatHex(color) : formatRgb(color)
}

/** Colours with this alpha or less are meant to be invisible, so they stay unchanged. */
const HIDDEN = 0.05

/** Cache: mail repeats the same few colours. */
const colorCache = new Map<string, string | null>()
const MAX_KNOWN = 4000

const compute = (source: string, paint: ColorRole): string | null => {
  const color = parseCssColor(source)
  if (color === null) return null
  const { alpha } = color
  const { l, a, b } = toOklab({ mode: 'rgb', r: color.red, g: color.green, b: color.blue })
  if (![l, a, b, alpha].every((each) => Number.isFinite(each))) return null
  if (alpha <= HIDDEN) return source
  const light = luminance(color)
  // Treat translucent text as it appears on screen: dark text over white, light text over black.
  const isFaint = paint === 'ink' && alpha < 1
  const through = isFaint ? (light < 0.18 ? light * alpha + 1 - alpha : light * alpha) : light
  const lightness = lightnessAt(Math.min(1, Math.max(0, through)))
  const chroma = Math.hypot(a, b)
  const wanted = lightnessFor(paint, lightness, chroma)
  if (wanted === null && !isFaint) return source
  const warmth = Math.max(0, 1 - chroma / GREY)
  const [warmA, warmB] = WARMTH[paint]
  const channels = colorWithLightness(wanted ?? lightness, { l, a, b }, [warmA * warmth, warmB * warmth])
  return write(channels, isFaint ? 1 : alpha)
}

/** Dark replacement for a non-system CSS colour: the colour itself if it is fine, null if it can't be computed. */
export const darkenColor = (source: string, paint: ColorRole): string | null => {
  const key = `${paint} ${source}`
  const kept = colorCache.get(key)
  if (kept !== undefined) return kept
  if (colorCache.size >= MAX_KNOWN) colorCache.clear()
  const darkened = compute(source, paint)
  colorCache.set(key, darkened)
  return darkened
}
