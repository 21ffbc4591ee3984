import {
  colorsNamed,
  modeHsl,
  modeHwb,
  modeLab,
  modeLch,
  modeOklab,
  modeOklch,
  modeP3,
  modeRgb,
  modeXyz65,
  parse,
  useMode,
} from 'culori/fn'

/** Each channel ranges from 0 to 1. */
export interface RgbaColor {
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

const toRgb = useMode(modeRgb)
for (const mode of [modeHsl, modeHwb, modeLab, modeLch, modeOklab, modeOklch, modeP3, modeXyz65]) useMode(mode)

/** Parses a CSS colour. Returns null if it can't be computed here, such as a system colour. */
export const parseCssColor = (source: string): RgbaColor | null => {
  const color = parse(source)
  if (color === undefined) return null
  const { r, g, b, alpha = 1 } = toRgb(color)
  return { red: r, green: g, blue: b, alpha }
}

/** Relative luminance (WCAG 2.2), 0 for black to 1 for white. */
export const luminance = ({ red, green, blue }: Omit<RgbaColor, 'alpha'>): number => {
  const linear = (share: number): number => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Contrast of two opaque colours, from 1 to 21 (WCAG 2.2, 1.4.3). */
export const contrastOf = (one: RgbaColor, other: RgbaColor): number => {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

export const isColorName = (name: string): boolean => Object.hasOwn(colorsNamed, name)

/**
 * Parses a legacy `bgcolor` or `color` attribute (HTML, "rules for parsing a legacy color value": any text is a
 * colour).
 */
export const parseLegacyColor = (written: string): string | null => {
  const value = written.trim().toLowerCase()
  if (value === '' || value === 'transparent') return null
  if (isColorName(value)) return value
  if (/^#[\da-f]{3}$/.test(value)) return value
  const digits = value
    .slice(0, 128)
    .replace(/[\u{10000}-\u{10ffff}]/gu, '00')
    .replace(/^#/, '')
    .replace(/[^\da-f]/g, '0')
  const size = Math.max(1, Math.ceil(digits.length / 3))
  const padded = digits.padEnd(size * 3, '0')
  let parts = [0, 1, 2].map((place) => padded.slice(place * size, (place + 1) * size).slice(-8))
  while ((parts[0]?.length ?? 0) > 2 && parts.every((part) => part.startsWith('0')))
    parts = parts.map((part) => part.slice(1))
  return `#${parts.map((part) => part.slice(0, 2).padStart(2, '0')).join('')}`
}
