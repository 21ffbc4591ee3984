import type { Rectangle } from 'electron'
import { z } from 'zod'

/** Where a window was when it was closed. */
export interface WindowPlace {
  /** In its usual state: where it goes back to from the two below. */
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

/** Where a window is to open. */
export interface PlacedWindow extends Omit<WindowPlace, 'bounds'> {
  /** What is missing is the system's to choose. */
  readonly bounds: Partial<Rectangle>
}

const whole = z.number().transform(Math.round)
const placeSchema = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole, height: whole }),
  maximized: z.boolean().catch(false),
  fullScreen: z.boolean().catch(false),
})

export const SMALLEST = { width: 720, height: 480 } as const
/** So much of the window has to be on a screen that it can be seen and taken hold of. */
const VISIBLE = { width: 120, height: 60 } as const

const overlap = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart)

const isInReach = (bounds: Rectangle, screen: Rectangle): boolean =>
  overlap(bounds.x, bounds.width, screen.x, screen.width) >= VISIBLE.width &&
  overlap(bounds.y, bounds.height, screen.y, screen.height) >= VISIBLE.height &&
  // Its title bar is its upper edge: above the screen it cannot be dragged back.
  bounds.y >= screen.y - VISIBLE.height / 2

/**
 * Where a window is to open: where it was, as far as today's screens still have that place. One that would be out of
 * reach keeps its size and goes where the system puts it; none is larger than the largest screen.
 * @param kept what the settings hold, which may be anything
 * @param screens the work areas of today's screens
 */
export const placeWindow = (kept: unknown, screens: readonly Rectangle[]): PlacedWindow => {
  const place = placeSchema.safeParse(kept).data
  if (place === undefined) return { bounds: {}, maximized: false, fullScreen: false }
  const { bounds, ...states } = place
  const fit = (wanted: number, smallest: number, room: readonly number[]): number =>
    Math.max(smallest, Math.min(wanted, Math.max(smallest, ...room)))
  const size = {
    width: fit(
      bounds.width,
      SMALLEST.width,
      screens.map(({ width }) => width),
    ),
    height: fit(
      bounds.height,
      SMALLEST.height,
      screens.map(({ height }) => height),
    ),
  }
  const placed = { x: bounds.x, y: bounds.y, ...size }
  return { ...states, bounds: screens.some((screen) => isInReach(placed, screen)) ? placed : size }
}
