import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeAspectRatio, computePageScale } from '../../../src/renderer/features/attachments/page-shape.ts'

describe('PDF page', () => {
  it('is drawn as wide as its container', () => {
    expect(computeAspectRatio({ width: 210, height: 297 })).toBeCloseTo(210 / 297)
    expect(computePageScale({ width: 210, height: 297 }, 840)).toBeCloseTo(4)
  })

  it('fits canvas limits and stays scrollable, whatever size it claims', () => {
    const side = fc.double({ min: 1e-6, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(side, side, fc.integer({ min: 100, max: 8_000 }), (width, height, place) => {
        const scale = computePageScale({ width, height }, place)
        expect(width * scale).toBeLessThanOrEqual(place + 1)
        expect(Math.max(width, height) * scale).toBeLessThanOrEqual(16_001)
        expect(width * height * scale * scale).toBeLessThanOrEqual(16_000_100)
        expect(place / computeAspectRatio({ width, height })).toBeLessThanOrEqual(place * 20 + 1)
      }),
    )
    expect(computeAspectRatio({ width: 0, height: 0 })).toBe(1)
  })
})
