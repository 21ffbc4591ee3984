import { numberOf, readValue } from '../../shared/css/css-values.ts'
import type { Declared } from '../../shared/css/style-rules.ts'

/** The screen that mail is taken to be read on, in pixels. */
const SCREEN_WIDTH = 1000

/** Parts of the letters' size: how wide one is at least, and how high a line. */
const LETTER = { width: 0.35, height: 1 } as const

const CUTS = /^\s*(?:hidden|clip)\b/i

/**
 * How many letters can be seen at most of an element that cuts off what is too much for it: by its height, or the number
 * of its lines, and its width.
 * @param size of its letters, in pixels
 * @returns null where nothing is cut off
 */
export const roomFor = (declared: Declared, size: number): number | null => {
  const lengthOf = (...properties: readonly string[]): number =>
    Math.min(
      ...properties.map((property) => {
        const [first] = readValue(declared.get(property)?.[0] ?? '')
        if (first === undefined || (first.kind === 'number' && first.unit === '%')) return Infinity
        return numberOf(first, { em: size, whole: 100 }) ?? Infinity
      }),
    )
  const isCut = ['overflow', 'overflow-y', 'overflow-x'].some((name) => CUTS.test(declared.get(name)?.[0] ?? ''))
  if (!isCut) return null
  const width = Math.min(SCREEN_WIDTH, lengthOf('width', 'max-width'))
  const isOneLine = /^\s*(?:nowrap|pre)\s*$/i.test(declared.get('white-space')?.[0] ?? '')
  const lines = isOneLine
    ? 1
    : Math.min(lengthOf('line-clamp'), lengthOf('height', 'max-height') / (size * LETTER.height))
  return lines === Infinity ? null : Math.ceil(lines) * Math.ceil(width / (size * LETTER.width))
}
