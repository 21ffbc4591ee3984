/** Colours from the window's style sheet, and their contrast. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const TOKENS = readFileSync(join(import.meta.dirname, '../../src/renderer/app/tokens.css'), 'utf8')

interface TokenColour {
  readonly light: string
  readonly dark: string
}

/** A colour in both themes, by its name without dashes. */
export const tokenColour = (name: string): TokenColour => {
  const [, light, dark] = new RegExp(String.raw`--${name}: light-dark\((#\w{6}), (#\w{6})\)`).exec(TOKENS) ?? []
  if (light === undefined || dark === undefined) throw new Error(`There is no colour --${name}.`)
  return { light, dark }
}

/** Backgrounds on which everything else is drawn. */
export const PANES = ['paper', 'panel', 'sunken', 'raised', 'hover', 'selected', 'selected-quiet'].map(tokenColour)

/** Contrast ratio of two colours (WCAG 2.2), from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const luminance = (hex: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05)
}
