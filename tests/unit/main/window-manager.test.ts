import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { PlacedWindow } from '../../../src/main/window-placement.ts'
import { WINDOW_URL } from '../../../src/main/window-origin.ts'
import { WindowManager } from '../../../src/main/window-manager.ts'

const SCREEN = { x: 0, y: 0, width: 1600, height: 1000 }

const drawWindow = (place: PlacedWindow, shown: string) => {
  const window = Object.assign(new EventEmitter(), {
    place,
    shown,
    bounds: { x: 10, y: 20, width: 1320, height: 860, ...place.bounds },
    isInFront: false,
    getNormalBounds: () => window.bounds,
    isMaximized: () => place.maximized,
    isFullScreen: () => place.fullScreen,
    isMinimized: () => false,
    restore: () => undefined,
    focus: () => window.emit('focus'),
    webContents: { getURL: () => (window.shown === '' ? WINDOW_URL : `${WINDOW_URL}#${window.shown}`) },
    close: () => {
      window.emit('close')
      window.emit('closed')
    },
  })
  return window
}
type Drawn = ReturnType<typeof drawWindow>

const start = (values = new Map<string, unknown>()) => {
  const made: Drawn[] = []
  const turns: (Drawn | null)[] = []
  const windows = new WindowManager<Drawn>({
    settings: {
      get: (key) => values.get(key),
      set: (given) => Object.entries(given).forEach(([key, value]) => values.set(key, structuredClone(value))),
    },
    make: (place, address) => {
      const window = drawWindow(place, address)
      made.push(window)
      return window
    },
    screens: () => [SCREEN],
    turned: (window) => turns.push(window),
  })
  return { windows, made, turns, values }
}
const kept = (x: number, more: object = {}) => ({
  bounds: { x, y: 30, width: 1000, height: 700 },
  maximized: false,
  fullScreen: false,
  address: '',
  ...more,
})

describe('the windows', () => {
  it('start with one, where an earlier Linnet had it', () => {
    const { windows, made } = start(new Map([['window', { bounds: kept(70).bounds, maximized: true }]]))
    windows.openKept()
    expect(made.map(({ place }) => place)).toEqual([{ bounds: kept(70).bounds, maximized: true, fullScreen: false }])
  })

  it('reopen as they were at quit, with position, content and front window', () => {
    const first = start()
    first.windows.openKept()
    first.windows.open('/inboxes/one/inbox/thread')
    const [one, other] = first.made
    expect(other?.bounds).toMatchObject({ x: 38, y: 48 })
    if (one === undefined || other === undefined) throw new Error('two were made')
    one.shown = '/settings'
    one.focus()
    first.windows.quitting()
    one.close()
    other.close()

    const again = start(first.values)
    again.windows.openKept()
    expect(again.made.map(({ shown, bounds }) => [shown, bounds.x])).toEqual([
      ['/inboxes/one/inbox/thread', 38],
      ['/settings', 10],
    ])
    expect(again.windows.current()?.shown).toBe('/settings')
  })

  it('stay closed if closed one by one, and the next start opens at the last one', () => {
    const { windows, made, values } = start()
    windows.openKept()
    windows.open('')
    made[0]?.close()
    made[1]?.close()
    // Closing the last window quits, with none open any more.
    windows.quitting()
    const again = start(values)
    again.windows.openKept()
    expect(again.made.map(({ bounds }) => bounds.x)).toEqual([38])
  })

  it('open a single one at the start page, whatever it showed', () => {
    const { windows, made } = start(new Map([['windows', [kept(5, { address: '/settings' })]]]))
    windows.openKept()
    expect(made.map(({ shown }) => shown)).toEqual([''])
  })

  it.each([
    ['none', []],
    ['words', 'left'],
    ['more than anybody has', Array.from({ length: 30 }, () => kept(5))],
    ['one without an end', [{ ...kept(5), address: 'x'.repeat(5_000) }]],
    ['one out of reach', [kept(90_000)]],
  ])('tolerate settings with %s', (_, given) => {
    const { windows, made } = start(new Map<string, unknown>([['windows', given]]))
    windows.openKept()
    expect(made).toHaveLength(1)
    expect(made[0]?.shown).toBe('')
    expect(made[0]?.place.bounds.x ?? 0).toBeLessThan(SCREEN.width)
  })

  it('take turns: menus, dialogs and links go to the last focused one', () => {
    const { windows, made, turns } = start()
    windows.openKept()
    windows.open('')
    const [one, other] = made
    expect(windows.current()).toBe(other)
    one?.focus()
    expect(windows.all()).toEqual([one, other])
    one?.close()
    expect(windows.current()).toBe(other)
    other?.close()
    expect(turns).toEqual([one, other, one, other, null])
    windows.bringToFront()
    expect(made).toHaveLength(3)
  })
})
