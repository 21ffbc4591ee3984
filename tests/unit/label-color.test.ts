import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDrawnColor, suggestLabelColor } from '../../src/renderer/features/labels/label-color.ts'
import { PALETTE } from '../../src/shared/palette.ts'
import { contrast, PANES } from '../support/token-colours.ts'

const colors = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`)

describe('a label’s colour', () => {
  it('is a hex code or a platform name, and nothing else reaches the style sheet', () => {
    expect(toDrawnColor('#e93d82').fill).toBe('#E93D82')
    expect(toDrawnColor('crimson').fill).toBe('#E93D82')
    // Not a CSS colour name.
    expect(toDrawnColor('iris').fill).toBe('#5B5BD6')
    for (const odd of ['red;background:url(https://evil.example)', 'chartreuse', '', '#fff']) {
      expect(toDrawnColor(odd).fill).toBe(toDrawnColor('mauve').fill)
    }
  })

  it('has an edge that stands out from every pane in both themes', () => {
    expect(PANES).toHaveLength(7)
    fc.assert(
      fc.property(fc.oneof(colors, fc.constantFrom('#000000', '#ffffff', '#fffffe', '#777777')), (color) => {
        const { edge } = toDrawnColor(color)
        for (const pane of PANES) {
          expect(contrast(edge.light, pane.light)).toBeGreaterThanOrEqual(3)
          expect(contrast(edge.dark, pane.dark)).toBeGreaterThanOrEqual(3)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is its own edge if it stands out', () => {
    expect(toDrawnColor('#1F1B18').edge.light).toBe('#1F1B18')
    expect(toDrawnColor('#FFE629').edge.dark).toBe('#FFE629')
  })

  it('is the least used palette colour for a new label', () => {
    expect(suggestLabelColor([])).toBe(PALETTE[0].color)
    expect(suggestLabelColor(PALETTE.slice(0, 3))).toBe(PALETTE[3].color)
    expect(suggestLabelColor([...PALETTE, { color: 'crimson' }])).toBe(PALETTE[1].color)
  })
})
