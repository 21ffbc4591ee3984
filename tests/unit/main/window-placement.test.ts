import { describe, expect, it } from 'vitest'
import { placeWindow } from '../../../src/main/window-placement.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const beside = { x: 1440, y: 0, width: 2560, height: 1440 }
const kept = (x: number, y: number, width = 1200, height = 800, maximized = false) => ({
  bounds: { x, y, width, height },
  maximized,
  fullScreen: false,
})

describe('the window’s position', () => {
  it('is restored from when it was closed', () => {
    expect(placeWindow(kept(100, 60), [laptop])).toEqual(kept(100, 60))
    expect(placeWindow(kept(1500, 100, 1200, 800, true), [laptop, beside])).toEqual(kept(1500, 100, 1200, 800, true))
  })

  it.each([
    ['on a screen that is gone', kept(1800, 100)],
    ['below every screen', kept(100, 5000)],
    ['above every screen, where its title bar cannot be reached', kept(100, -400)],
    ['left of every screen but for its edge', kept(-1190, 100)],
  ])('is left to the system, keeping its size, if it was %s', (_, place) => {
    expect(placeWindow(place, [laptop])).toEqual({
      bounds: { width: 1200, height: 800 },
      maximized: false,
      fullScreen: false,
    })
  })

  it('may overlap an edge while the window can still be grabbed', () => {
    expect(placeWindow(kept(-300, 60), [laptop]).bounds).toMatchObject({ x: -300, y: 60 })
  })

  it('fits the current screens, and has a minimum size', () => {
    expect(placeWindow(kept(0, 25, 3000, 2000), [laptop]).bounds).toEqual(laptop)
    expect(placeWindow(kept(50, 50, 10, -5), [laptop]).bounds).toMatchObject({ width: 720, height: 480 })
  })

  it.each([undefined, null, 'left', {}, { bounds: { x: 1 } }, { bounds: { x: NaN, y: 0, width: 1, height: 1 } }])(
    'is the system’s choice without valid settings: %j',
    (nothing) => expect(placeWindow(nothing, [laptop])).toEqual({ bounds: {}, maximized: false, fullScreen: false }),
  )
})
