import type { Rectangle } from 'electron'

export interface WindowPlace {
  /** In its usual state: where it goes back to from the two below. */
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

export interface PlacedWindow extends Omit<WindowPlace, 'bounds'> {
  /** What is missing is the system's to choose. */
  readonly bounds: Partial<Rectangle>
}

/** By hand: it is read before the window is there, and zod would take longer than the window's file. */
const readPlace = (kept: unknown): WindowPlace | null => {
  const { bounds, maximized, fullScreen } = (kept ?? {}) as Partial<Record<keyof WindowPlace, unknown>>
  const sides = (bounds ?? {}) as Partial<Record<keyof Rectangle, unknown>>
  const whole = (side: unknown): number | null =>
    typeof side === 'number' && Number.isFinite(side) ? Math.round(side) : null
  const [x, y, width, height] = [whole(sides.x), whole(sides.y), whole(sides.width), whole(sides.height)]
  if (x === null || y === null || width === null || height === null) return null
  return { bounds: { x, y, width, height }, maximized: maximized === true, fullScreen: fullScreen === true }
}

/** More of them than anybody has open; what a file says beyond that is left. */
export const MOST_WINDOWS = 20

const LONGEST_ADDRESS = 4_000

/** A window that was open at the end; its place may be anything. */
export interface KeptWindow {
  /** What it showed: the part of its URL behind `#`. */
  readonly address: string
}

/**
 * What was kept of the windows that were open at the end, the one in front last; one of a Linnet that had one window has no list.
 * @param settings what the file of the settings holds
 */
export const readKeptWindows = (settings: Readonly<Record<string, unknown>>): readonly KeptWindow[] => {
  const { windows, window } = settings
  const kept: unknown[] = Array.isArray(windows) ? windows : []
  const isSound = kept.length <= MOST_WINDOWS && kept.every((each) => typeof each === 'object' && each !== null)
  if (!isSound || kept.length === 0) return [{ ...(window as object | undefined), address: '' }]
  return kept.map((each) => {
    const { address } = each as { readonly address?: unknown }
    return {
      ...each,
      address: typeof address === 'string' && address.length <= LONGEST_ADDRESS ? address : '',
    }
  })
}
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
  const place = readPlace(kept)
  if (place === null) return { bounds: {}, maximized: false, fullScreen: false }
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
