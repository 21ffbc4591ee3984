// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { AppearanceManager, readAppearance } from '../../../src/renderer/kernel/appearance-manager.svelte.ts'

const defaults = { theme: 'system', density: 'cosy', listWidth: null, areLabelsShown: true }

describe('the appearance that was kept', () => {
  it('is read back', () => {
    const kept = { theme: 'dark', density: 'compact', listWidth: 380, areLabelsShown: false }
    expect(readAppearance(JSON.stringify(kept))).toEqual(kept)
  })

  it('falls back to the defaults, each on its own, whatever was found', () => {
    for (const found of [null, '', '{', '[]', 'null', '7', '{"theme":"pink","density":1,"listWidth":"wide"}']) {
      expect(readAppearance(found), String(found)).toEqual(defaults)
    }
    expect(readAppearance('{"theme":"light","density":"huge"}')).toEqual({ ...defaults, theme: 'light' })
  })
})

describe('the theme as it is drawn', () => {
  it('follows the desktop until a person chooses', () => {
    const desktop = { current: true }
    const appearance = new AppearanceManager(localStorage, document.createElement('html'), desktop)
    expect(appearance.scheme).toBe('dark')
    desktop.current = false
    expect(appearance.scheme).toBe('light')
    appearance.setTheme('dark')
    expect(appearance.scheme).toBe('dark')
    localStorage.clear()
  })
})
