// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { carryOverChoices } from '../../../src/renderer/kernel/carry-over-choices.ts'
import { AppearanceManager } from '../../../src/renderer/kernel/appearance-manager.svelte.ts'
import { servedPreferences } from '../../../src/renderer/kernel/preferences-manager.svelte.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { createPreferences } from './support/preferences.ts'
import { until } from './support/until.ts'

describe('what a person has chosen', () => {
  it('is read from the page that the host served, and is the default where it says nothing', () => {
    const root = document.createElement('html')
    expect(servedPreferences(root)).toEqual(DEFAULT_PREFERENCES)
    root.dataset.preferences = JSON.stringify({ theme: 'dark', density: 'roomy' })
    expect(servedPreferences(root)).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark', density: 'roomy' })
  })

  it('is drawn before the host has answered, and again as it was, with a word, where it cannot be kept', async () => {
    let refuse = (): void => undefined
    const { preferences, said } = createPreferences(
      { theme: 'light' },
      {
        'preferences.set': () =>
          new Promise((_, reject) => {
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

  it('is the same in every window, and stays while what another one tells is older', async () => {
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

  it('is asked for anew when the line to the host is there again, with what is wrong with its file', async () => {
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

describe('the look of the window', () => {
  it('has the theme of the desktop until a person chooses', async () => {
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

  it('has rows that grow with the density and with the size of the text', async () => {
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

describe('what was chosen in an earlier version', () => {
  const FORMER = {
    'linnet.appearance': JSON.stringify({ theme: 'dark', density: 'cosy', listWidth: 380, areLabelsShown: false }),
    'linnet.keys': JSON.stringify({ 'thread.archive': ['y'], 'thread.spam': 'no list', 'go.inbox': [] }),
    'linnet.command-use': JSON.stringify({ 'go.archive': 12, 'go.spam': 'often', 'go.trash': -1 }),
    'linnet.inbox': 'inbox-7',
  }
  const keep = (kept: Readonly<Record<string, string>>): Storage => {
    localStorage.clear()
    for (const [name, value] of Object.entries({ ...kept, 'linnet-window-key': 'secret' })) {
      localStorage.setItem(name, value)
    }
    return localStorage
  }
  const setTimes = (calls: readonly { readonly name: string }[]): number =>
    calls.filter(({ name }) => name === 'preferences.set').length

  it('is kept by the host once, at the next start, and then nowhere else', async () => {
    const { preferences, transport } = createPreferences()
    await preferences.choose({ textSize: 'large' })
    const storage = keep(FORMER)
    const carrying = carryOverChoices(storage, preferences)
    // In the first frame.
    expect(preferences.values.theme).toBe('dark')
    await carrying
    expect(preferences.values).toEqual({
      ...DEFAULT_PREFERENCES,
      textSize: 'large',
      theme: 'dark',
      listWidth: 380,
      areLabelsShown: false,
      keys: { 'thread.archive': ['y'], 'go.inbox': [] },
      commandUse: { 'go.archive': 12 },
      lastInbox: 'inbox-7',
    })
    expect(Object.keys(storage)).toEqual(['linnet-window-key'])
    await carryOverChoices(storage, preferences)
    expect(setTimes(transport.calls)).toBe(2)
  })

  it('gives way to what was chosen since, and what cannot be read takes nothing else with it', async () => {
    const { preferences, transport } = createPreferences()
    await preferences.choose({ theme: 'light', lastInbox: 'inbox-1' })
    await carryOverChoices(keep({ ...FORMER, 'linnet.keys': '{', 'linnet.command-use': '[1]' }), preferences)
    expect(preferences.values).toMatchObject({ theme: 'light', lastInbox: 'inbox-1', listWidth: 380, keys: {} })
    // There is nothing in it that would have to be kept.
    await carryOverChoices(keep({ 'linnet.appearance': '"dark"' }), preferences)
    expect(Object.keys(localStorage)).toEqual(['linnet-window-key'])
    expect(setTimes(transport.calls)).toBe(2)
  })

  it('stays where it is while the host cannot keep it', async () => {
    const { preferences, said } = createPreferences(
      {},
      {
        'preferences.set': () => {
          throw new ProblemError({ code: 'storage_failed', message: 'The disk is full.' })
        },
      },
    )
    const storage = keep(FORMER)
    await carryOverChoices(storage, preferences)
    expect(said).toEqual(['The disk is full.'])
    expect(storage.getItem('linnet.appearance')).toBe(FORMER['linnet.appearance'])
  })
})
