import type { Label } from '../../../shared/model.ts'
import { pickLeastUsedColor, PALETTE } from '../../../shared/palette.ts'

/** Replaces unknown colours. */
const FALLBACK_COLOR = '#8E8C99'

/** `#RRGGBB` for hex values and names such as `crimson` (platform.md 15.6). Anything else is replaced. */
const hexOf = (color: string): string => {
  if (/^#[\da-f]{6}$/i.test(color)) return color.toUpperCase()
  return PALETTE.find(({ name }) => name.toLowerCase() === color.toLowerCase())?.color ?? FALLBACK_COLOR
}

type Channels = readonly [number, number, number]

const channelsOf = (hex: string): Channels => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const hexOfChannels = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/** Relative luminance (WCAG 2.2), 0 for black to 1 for white. */
const luminance = (channels: Channels): number => {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Minimum contrast of meaningful graphics (WCAG 2.2, 1.4.11). */
const MIN_CONTRAST = 3
/** Luminance of the light theme's darkest and the dark theme's lightest pane, with a margin. */
const PANES = { light: 0.79, dark: 0.026 } as const
const EDGE_LUMINANCE = {
  light: (PANES.light + 0.05) / MIN_CONTRAST - 0.05,
  dark: (PANES.dark + 0.05) * MIN_CONTRAST - 0.05,
} as const

/** The colour, mixed with the least black or white that makes it stand out from every pane of the theme. */
const edgeIn = (theme: 'light' | 'dark', fill: Channels): string => {
  const towards = theme === 'light' ? 0 : 255
  for (let share = 0; share <= 1; share += 0.02) {
    const edge = fill.map((channel) => channel + (towards - channel) * share) as unknown as Channels
    const found = luminance(edge)
    if (theme === 'light' ? found <= EDGE_LUMINANCE.light : found >= EDGE_LUMINANCE.dark) return hexOfChannels(edge)
  }
  return theme === 'light' ? '#000000' : '#FFFFFF'
}

export interface DrawnColor {
  readonly fill: string
  /** Edge colour with a contrast of 3 : 1 to every pane of the theme. */
  readonly edge: { readonly light: string; readonly dark: string }
}

/** @param color as sent by the platform: `#RRGGBB`, a colour name, or anything else */
export const toDrawnColor = (color: string): DrawnColor => {
  const fill = hexOf(color)
  const channels = channelsOf(fill)
  return { fill, edge: { light: edgeIn('light', channels), dark: edgeIn('dark', channels) } }
}

/** The least used palette colour. */
export const suggestLabelColor = (labels: readonly Pick<Label, 'color'>[]): string =>
  pickLeastUsedColor(labels.map(({ color }) => hexOf(color)))
