import { describe, expect, it } from 'vitest'
import { parseCssColor, type RgbaColor } from '../../../src/shared/css/rgba-color.ts'
import { readableInk } from '../../../src/renderer/features/bodies/readable-ink.ts'

const color = (css: string): RgbaColor => {
  const parsed = parseCssColor(css)
  if (parsed === null) throw new Error(css)
  return parsed
}
const shown = (ink: string, ...grounds: readonly string[]): readonly number[] => {
  const { red, green, blue } = readableInk(color(ink), grounds.map(color))
  return [red, green, blue].map((channel) => Math.round(channel * 255))
}

describe('ink on a ground', () => {
  it('stays as sent if it can be read', () => {
    expect(shown('#555', '#fff')).toEqual([85, 85, 85])
    expect(shown('#fff', '#000', '#123')).toEqual([255, 255, 255])
  })

  it('moves just far enough, and keeps its hue', () => {
    expect(shown('#999', '#fff')).toEqual([115, 115, 115])
    const [red = 0, green = 0, blue = 0] = shown('#ff8800', '#fff')
    expect(red).toBeGreaterThan(green)
    expect(green).toBeGreaterThan(blue)
  })

  it('is almost black or white if it could hardly be seen', () => {
    expect(shown('#fff', '#fff')).toEqual([25, 25, 25])
    expect(shown('rgb(255 255 255 / 0.2)', '#fefefe')[0]).toBeLessThan(30)
    expect(shown('#000', '#111')[0]).toBeGreaterThan(110)
  })

  it('fits all colours of a gradient', () => {
    expect(shown('#fff', '#999', '#fff')[0]).toBeLessThan(60)
  })
})
