import type { WebContents } from 'electron'
import type { Preferences, PreferencesChange } from '../shared/preferences.ts'
import { stepZoom, type ZoomStep } from '../shared/zoom-steps.ts'

interface ZoomedWindow {
  readonly webContents: Pick<WebContents, 'setZoomFactor'>
}

interface ZoomDependencies {
  readonly preferences: () => Pick<Preferences, 'zoom'>
  readonly choose: (change: PreferencesChange) => void
}

const STEPS: ReadonlyMap<string, ZoomStep> = new Map([
  ['view.zoom.in', 'in'],
  ['view.zoom.out', 'out'],
  ['view.zoom.reset', 'reset'],
])

export const zoomStepOf = (commandId: string): ZoomStep | null => STEPS.get(commandId) ?? null

export const zoomFactor = ({ zoom }: Pick<Preferences, 'zoom'>): number => zoom / 100

export const zoomWindows = (windows: readonly ZoomedWindow[], preferences: Pick<Preferences, 'zoom'>): void => {
  for (const { webContents } of windows) webContents.setZoomFactor(zoomFactor(preferences))
}

/** Zooms for the mouse wheel, and for menu items while a dialog or no account is open. Works without a window. */
export const createZoomHandler =
  ({ preferences, choose }: ZoomDependencies) =>
  (step: ZoomStep): void => {
    const { zoom } = preferences()
    const next = stepZoom(zoom, step)
    if (next !== zoom) choose({ zoom: next })
  }
