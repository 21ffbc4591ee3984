import { contrastOf as contrastOfColors, type RgbaColor } from '../../../shared/css/rgba-color.ts'

type Channels = readonly [red: number, green: number, blue: number]

const WHITE: Channels = [255, 255, 255]
const BLACK: Channels = [0, 0, 0]

const COLOR = /^(?:#([\da-f]{6})|rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\))$/i

/** Channels from 0 to 255 of a colour as browsers compute it, or of a hex colour; null if it is mostly transparent. */
const channelsOf = (color: string): Channels | null => {
  const [, hex, red, green, blue, alpha = '1'] = COLOR.exec(color) ?? []
  if (hex !== undefined) {
    const value = Number.parseInt(hex, 16)
    return [value >> 16, (value >> 8) & 255, value & 255]
  }
  return red === undefined || Number(alpha) < 0.5 ? null : [Number(red), Number(green), Number(blue)]
}

const toHex = (channels: Channels): string =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`

const rgbaOf = ([red, green, blue]: Channels): RgbaColor => ({
  red: red / 255,
  green: green / 255,
  blue: blue / 255,
  alpha: 1,
})

const contrastOf = (one: Channels, other: Channels): number => contrastOfColors(rgbaOf(one), rgbaOf(other))

/** Lowest contrast of kept text. Pure red on white, the usual colour of warnings, has 4. */
const MIN_CONTRAST = 3
/** Steps from a colour to black or white. */
const STEPS = 10

/** The ink itself, or the nearest mix with black or white that is readable on the ground. */
const readableOn = (ground: Channels, ink: Channels): Channels => {
  const end = contrastOf(BLACK, ground) > contrastOf(WHITE, ground) ? BLACK : WHITE
  const mixes = Array.from({ length: STEPS + 1 }, (_, step): Channels => {
    const mix = (from: number, to: number): number => Math.round(from + ((to - from) * step) / STEPS)
    return [mix(ink[0], end[0]), mix(ink[1], end[1]), mix(ink[2], end[2])]
  })
  return mixes.find((mixed) => contrastOf(mixed, ground) >= MIN_CONTRAST) ?? end
}

/** Smallest difference between two channels of a colour that isn't grey. */
const HUE = 40

/** True for a text colour that carries meaning: anything but black, white and grey. @param color as computed */
export const hasHue = (color: string): boolean => {
  const channels = channelsOf(color)
  return channels !== null && Math.max(...channels) - Math.min(...channels) >= HUE
}

/** True for a background that is visible on white. @param color as computed */
export const isHighlight = (color: string): boolean => {
  const channels = channelsOf(color)
  return channels !== null && contrastOf(channels, WHITE) > 1.05
}

/**
 * Style with the colours of words, readable on white or on their highlight; '' if there are none. A highlight always
 * has an ink, so it stays readable in dark themes.
 */
export const toColorStyle = (ink: string, highlight: string): string => {
  const [letters, ground] = [channelsOf(ink), channelsOf(highlight)]
  if (letters === null && ground === null) return ''
  const color = `color:${toHex(readableOn(ground ?? WHITE, letters ?? BLACK))}`
  return ground === null ? color : `background-color:${toHex(ground)};${color}`
}
