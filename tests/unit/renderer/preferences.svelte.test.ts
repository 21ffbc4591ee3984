// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { readEmbeddedPreferences, AppearanceManager } from '../../../src/renderer/kernel/preferences-manager.svelte.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createPreferences } from './support/preferences.ts'
import { until } from './support/until.ts'

describe('preferences', () => {
  it('are read from the served page, with defaults for the rest', () => {
    const root = document.createElement('html')
    expect(readEmbeddedPreferences(root)).toEqual(DEFAULT_PREFERENCES)
    root.dataset.preferences = JSON.stringify({ theme: 'dark', density: 'roomy' })
    expect(readEmbeddedPreferences(root)).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark', density: 'roomy' })
  })

  it('apply at once, and revert with a notice if they can’t be saved', async () => {
    let refuse = (): void => undefined
    const { preferences, said } = createPreferences(
      { theme: 'light' },
      {
        'preferences.set': () =>
          new Promise<null>((_, reject) => {
            refuse = () => reject(new ProblemError({ code: 'storage_failed', message: 'The disk is full.' }))
          }),
      },
    )
    const choosing = preferences.choose({ theme: 'dark' })
    expect(preferences.values.theme).toBe('dark')
    await until(() => refuse.name === 'refuse')
    refuse()
    await choosing
    expect(preferences.values.theme).toBe('light')
    expect(said).toEqual(['The disk is full.'])
  })

  it('match in every window, and outlast older events', async () => {
    const { preferences, transport, open } = createPreferences()
    const other = open(preferences.values)
    await preferences.choose({ density: 'compact' })
    await until(() => other.values.density === 'compact')
    const choosing = other.choose({ theme: 'dark' })
    transport.emit({ name: 'preferences.changed', payload: { ...DEFAULT_PREFERENCES, density: 'roomy' } })
    expect(other.values).toMatchObject({ theme: 'dark', density: 'roomy' })
    await choosing
    expect(other.values.theme).toBe('dark')
  })

  it('reload on reconnection, with any problem of their file', async () => {
    const { preferences, said } = createPreferences(
      {},
      {
        'preferences.get': () => ({
          preferences: { ...DEFAULT_PREFERENCES, textSize: 'large' },
          problem: { code: 'storage_failed', message: 'Your settings could not be read.' },
        }),
      },
    )
    await preferences.load()
    expect(preferences.values.textSize).toBe('large')
    expect(said).toEqual(['Your settings could not be read.'])
  })
})

describe('appearance', () => {
  it('follows the desktop theme until the user chooses one', async () => {
    const desktop = { current: true }
    const root = document.createElement('html')
    const { preferences } = createPreferences()
    const appearance = new AppearanceManager(preferences, root, desktop)
    expect(appearance.scheme).toBe('dark')
    desktop.current = false
    expect(appearance.scheme).toBe('light')
    await preferences.choose({ theme: 'dark' })
    expect(appearance.scheme).toBe('dark')
    expect(root.dataset.theme).toBe('dark')
  })

  it('uses the bundled font until the user chooses the system font', async () => {
    const root = document.createElement('html')
    const { preferences } = createPreferences()
    new AppearanceManager(preferences, root, { current: false })
    expect(root.dataset.font).toBe('inter')
    await preferences.choose({ font: 'system' })
    expect(root.dataset.font).toBe('system')
  })

  it('grows rows with density and text size', async () => {
    const { preferences } = createPreferences()
    const appearance = new AppearanceManager(preferences, document.createElement('html'), { current: false })
    const heights: number[] = []
    for (const density of ['compact', 'normal', 'roomy'] as const) {
      for (const textSize of ['small', 'normal', 'large', 'largest'] as const) {
        await preferences.choose({ density, textSize })
        heights.push(appearance.rowHeight(true))
      }
    }
    expect(heights).toEqual(heights.toSorted((a, b) => a - b))
    expect(new Set(heights).size).toBe(heights.length)
  })
})
