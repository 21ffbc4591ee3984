/** Zoom levels of a window, in per cent. */
export const ZOOM_LEVELS = [50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200] as const
export const DEFAULT_ZOOM = 100
export type ZoomStep = 'in' | 'out' | 'reset'

/** The next zoom level in per cent. Unchanged at the first or last level. */
export const stepZoom = (zoom: number, step: ZoomStep): number => {
  if (step === 'reset') return DEFAULT_ZOOM
  const next = step === 'in' ? ZOOM_LEVELS.find((each) => each > zoom) : ZOOM_LEVELS.findLast((each) => each < zoom)
  return next ?? zoom
}
