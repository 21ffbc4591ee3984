import { expect, it } from 'vitest'
import { createZoomHandler, zoomStepOf, zoomWindows } from '../../../src/main/zoom.ts'
import type { PreferencesChange } from '../../../src/shared/preferences.ts'
import type { ZoomStep } from '../../../src/shared/zoom-steps.ts'

const walk = (from: number, steps: readonly ZoomStep[]): readonly (number | undefined)[] => {
  let zoom = from
  const chosen: PreferencesChange[] = []
  const step = createZoomHandler({
    preferences: () => ({ zoom }),
    choose: (change) => {
      chosen.push(change)
      zoom = change.zoom ?? zoom
    },
  })
  steps.forEach(step)
  return chosen.map((change) => change.zoom)
}

it('steps zoom from 50 to 200 per cent, never beyond, and back to the actual size', () => {
  expect(walk(100, ['in', 'in', 'out', 'reset'])).toEqual([110, 125, 110, 100])
  expect(walk(60, ['out', 'out', 'in'])).toEqual([50, 60])
  expect(walk(175, ['in', 'in', 'reset', 'reset'])).toEqual([200, 100])
  // A zoom stored by another version.
  expect(walk(133, ['in'])).toEqual([150])
  expect(walk(133, ['out'])).toEqual([125])
})

it('changes zoom only by its commands, in every window', () => {
  expect(['view.zoom.in', 'view.zoom.out', 'view.zoom.reset', 'view.theme.dark', 'toString'].map(zoomStepOf)).toEqual([
    ...['in', 'out', 'reset'],
    ...[null, null],
  ])
  const drawn: number[] = []
  const window = { webContents: { setZoomFactor: (factor: number) => void drawn.push(factor) } }
  zoomWindows([window, window], { zoom: 125 })
  expect(drawn).toEqual([1.25, 1.25])
})
