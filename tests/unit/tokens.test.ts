import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contrast, PANES, tokenColour } from '../support/token-colours.ts'

const RENDERER = join(import.meta.dirname, '../../src/renderer')

/** Every component's declarations, such as `Button.svelte: color: var(--ink)`. */
const DECLARATIONS = globSync('**/*.{svelte,css}', { cwd: RENDERER })
  .filter((file) => !file.endsWith('tokens.css'))
  .flatMap((file) => {
    const text = readFileSync(join(RENDERER, file), 'utf8')
    const styles = file.endsWith('.css') ? text : (/<style>(.*)<\/style>/s.exec(text)?.[1] ?? '')
    return [...styles.matchAll(/^\s*([-a-z]+): ([^;{]+);/gm)].map(([, name, value]) => ({
      name: name ?? '',
      value: value ?? '',
      line: `${file}: ${name}: ${value}`,
    }))
  })

describe('design tokens', () => {
  it('use crimson only for the main action and the unread dot', () => {
    const crimson = DECLARATIONS.filter(({ value }) => value.includes('var(--accent'))
    expect(crimson.map(({ line }) => line).toSorted()).toEqual([
      'features/reader/EmailArticle.svelte: background: var(--accent)',
      'features/thread-list/ThreadRow.svelte: background: var(--accent)',
      'ui/Button.svelte: background: var(--accent)',
      'ui/Button.svelte: background: var(--accent-hover)',
      'ui/Button.svelte: color: var(--accent-ink)',
      // The logo.
      'ui/LinnetBird.svelte: fill: var(--accent)',
    ])
  })

  it('are the only source of colours', () => {
    const own = DECLARATIONS.filter(({ value }) => /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i.test(value))
    // Only the hue picker may define colours of its own.
    expect(own.map(({ line }) => line.split(':')[0])).toEqual(['features/labels/ColorChoice.svelte'])
  })

  it('define all radii, font sizes, weights and spacing', () => {
    const isOnScale = ({ name, value }: { readonly name: string; readonly value: string }): boolean => {
      if (name === 'border-radius') return /^(?:0|var\(--radius[-a-z]*\)|\s)+$/.test(value)
      if (name === 'font-size') return /^(?:var\(--text-[a-z]+\)|inherit|revert|[\d.]+em)$/.test(value)
      if (name === 'font-weight') return /^(?:400|500|600|inherit|revert)$/.test(value)
      // Hairlines are exempt.
      if (/^(?:gap|row-gap|column-gap|padding|margin)/.test(name)) return !/(?<![\w.-])-?(?:[2-9]|\d\d)px/.test(value)
      return true
    }
    const odd = DECLARATIONS.filter((each) => !isOnScale(each) && !each.value.includes('lh'))
    expect(odd.map(({ line }) => line).toSorted()).toEqual([
      // The app's name on the welcome screen.
      'features/onboarding/Onboarding.svelte: font-size: 1.7rem',
    ])
  })

  it('avoid repeated styles: no five lines appear in three components', () => {
    const uses = new Map<string, Set<string>>()
    for (const file of globSync('**/*.svelte', { cwd: RENDERER })) {
      const styles = /<style>(.*)<\/style>/s.exec(readFileSync(join(RENDERER, file), 'utf8'))?.[1] ?? ''
      for (const [, body = ''] of styles.replace(/\/\*.*?\*\//gs, '').matchAll(/\{([^{}]+)\}/g)) {
        const lines = body.split(';').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
        if (lines.length < 5) continue
        const style = lines.toSorted().join('; ')
        uses.set(style, (uses.get(style) ?? new Set()).add(file))
      }
    }
    expect([...uses].flatMap(([style, files]) => (files.size < 3 ? [] : [{ style, files: [...files] }]))).toEqual([])
  })

  it('keep focus and selection visible on every pane in both themes', () => {
    for (const theme of ['light', 'dark'] as const) {
      for (const pane of PANES) {
        for (const name of ['ring', 'on']) {
          expect(contrast(tokenColour(name)[theme], pane[theme]), `${name}, ${theme}`).toBeGreaterThanOrEqual(3)
        }
        for (const name of ['ink', 'soft', 'link']) {
          expect(contrast(tokenColour(name)[theme], pane[theme]), `${name}, ${theme}`).toBeGreaterThanOrEqual(4.5)
        }
      }
      for (const color of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const [picture, ink] = [tokenColour(`person-${color}`), tokenColour(`person-ink-${color}`)]
        expect(contrast(ink[theme], picture[theme]), `person ${color}, ${theme}`).toBeGreaterThanOrEqual(4.5)
      }
      expect(contrast(tokenColour('on-ink')[theme], tokenColour('on')[theme])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(tokenColour('toast-ink')[theme], tokenColour('toast')[theme])).toBeGreaterThanOrEqual(7)
    }
  })
})
