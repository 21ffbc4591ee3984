/** Zoom levels of a window, in per cent. */
export const ZOOMS = [50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200] as const
export const ACTUAL_SIZE = 100
export type ZoomStep = 'in' | 'out' | 'reset'

/** The next zoom level in per cent. Unchanged at the first or last level. */
export const stepZoom = (zoom: number, step: ZoomStep): number => {
  if (step === 'reset') return ACTUAL_SIZE
  const next = step === 'in' ? ZOOMS.find((each) => each > zoom) : ZOOMS.findLast((each) => each < zoom)
  return next ?? zoom
}
