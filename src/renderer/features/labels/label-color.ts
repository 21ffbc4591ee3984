import type { Label } from '../../../shared/model.ts'
import { leastUsedColor, PALETTE } from '../../../shared/palette.ts'

/** What stands for a colour that Linnet does not know. */
const UNKNOWN = '#8E8C99'

/** As `#RRGGBB`, also of a word such as `crimson` (platform facts 0.1). The platform decides it, so nothing else is let through. */
const hexOf = (color: string): string => {
  if (/^#[\da-f]{6}$/i.test(color)) return color.toUpperCase()
  return PALETTE.find(({ name }) => name.toLowerCase() === color.toLowerCase())?.color ?? UNKNOWN
}

type Channels = readonly [number, number, number]

const channelsOf = (hex: string): Channels => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
]

const hexOfChannels = (channels: Channels): string =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/** Relative luminance (WCAG 2.2), from 0 for black to 1 for white. */
const luminance = (channels: Channels): number => {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of a sign that carries meaning with what lies around it (WCAG 2.2, 1.4.11). */
const SIGN = 3
/** Luminances of the darkest pane of the light theme, and of the lightest of the dark one, with a little to spare. */
const PANES = { light: 0.79, dark: 0.026 } as const
const ENOUGH = {
  light: (PANES.light + 0.05) / SIGN - 0.05,
  dark: (PANES.dark + 0.05) * SIGN - 0.05,
} as const

/** The colour, mixed with as little black or white as makes it stand out from every pane of a theme. */
const edgeIn = (theme: 'light' | 'dark', fill: Channels): string => {
  const towards = theme === 'light' ? 0 : 255
  for (let share = 0; share <= 1; share += 0.02) {
    const edge = fill.map((channel) => channel + (towards - channel) * share) as unknown as Channels
    const found = luminance(edge)
    if (theme === 'light' ? found <= ENOUGH.light : found >= ENOUGH.dark) return hexOfChannels(edge)
  }
  return theme === 'light' ? '#000000' : '#FFFFFF'
}

export interface DrawnColor {
  readonly fill: string
  /** Of its edge: stands out from every pane of the theme by 3 : 1, whatever the colour. */
  readonly edge: { readonly light: string; readonly dark: string }
}

/** @param color as the platform has it: `#RRGGBB`, one of its words, or anything at all */
export const labelColor = (color: string): DrawnColor => {
  const fill = hexOf(color)
  const channels = channelsOf(fill)
  return { fill, edge: { light: edgeIn('light', channels), dark: edgeIn('dark', channels) } }
}

/** For a label that is new: the colour of the palette that the fewest have. */
export const nextLabelColor = (labels: readonly Pick<Label, 'color'>[]): string =>
  leastUsedColor(labels.map(({ color }) => hexOf(color)))
