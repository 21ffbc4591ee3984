/** How large the window is drawn, in per cent: what a person steps through. */
export const ZOOMS = [50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200] as const
/** As large as it is meant. */
export const ACTUAL_SIZE = 100
export type ZoomStep = 'in' | 'out' | 'reset'

/** The zoom after a step, in per cent; the same where there is none beyond it. */
export const stepZoom = (zoom: number, step: ZoomStep): number => {
  if (step === 'reset') return ACTUAL_SIZE
  const next = step === 'in' ? ZOOMS.find((each) => each > zoom) : ZOOMS.findLast((each) => each < zoom)
  return next ?? zoom
}
