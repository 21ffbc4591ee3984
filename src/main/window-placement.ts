import type { Rectangle } from 'electron'

export interface WindowPlacement {
  /** Bounds when neither maximised nor full screen. */
  readonly bounds: Rectangle
  readonly maximized: boolean
  readonly fullScreen: boolean
}

export interface PlacedWindow extends Omit<WindowPlacement, 'bounds'> {
  /** The system chooses missing values. */
  readonly bounds: Partial<Rectangle>
}

/** Hand-written validation: zod loads more slowly than the window's file, and this runs before the window opens. */
const parsePlace = (kept: unknown): WindowPlacement | null => {
  const { bounds, maximized, fullScreen } = (kept ?? {}) as Partial<Record<keyof WindowPlacement, unknown>>
  const sides = (bounds ?? {}) as Partial<Record<keyof Rectangle, unknown>>
  const whole = (side: unknown): number | null =>
    typeof side === 'number' && Number.isFinite(side) ? Math.round(side) : null
  const [x, y, width, height] = [whole(sides.x), whole(sides.y), whole(sides.width), whole(sides.height)]
  if (x === null || y === null || width === null || height === null) return null
  return { bounds: { x, y, width, height }, maximized: maximized === true, fullScreen: fullScreen === true }
}

/** More windows than anyone has. If the file lists more, it is ignored. */
export const MAX_WINDOWS = 20

const MAX_ADDRESS_LENGTH = 4_000

/** A window of the last session. Its place is unvalidated. */
export interface SavedWindow {
  /** The part of the URL after `#`. */
  readonly address: string
}

/** Last session's windows, frontmost last. Settings of older versions hold one window instead of a list. */
export const parseSavedWindows = (settings: Readonly<Record<string, unknown>>): readonly SavedWindow[] => {
  const { windows, window } = settings
  const kept: unknown[] = Array.isArray(windows) ? windows : []
  const isSound = kept.length <= MAX_WINDOWS && kept.every((each) => typeof each === 'object' && each !== null)
  if (!isSound || kept.length === 0) return [{ ...(window as object | undefined), address: '' }]
  return kept.map((each) => {
    const { address } = each as { readonly address?: unknown }
    return {
      ...each,
      address: typeof address === 'string' && address.length <= MAX_ADDRESS_LENGTH ? address : '',
    }
  })
}
export const MIN_WINDOW_SIZE = { width: 720, height: 480 } as const
/** Part of a window that must be on a screen to be seen and dragged. */
const VISIBLE = { width: 120, height: 60 } as const

const overlap = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart)

const isInReach = (bounds: Rectangle, screen: Rectangle): boolean =>
  overlap(bounds.x, bounds.width, screen.x, screen.width) >= VISIBLE.width &&
  overlap(bounds.y, bounds.height, screen.y, screen.height) >= VISIBLE.height &&
  // A window whose title bar is above the screen couldn't be dragged back.
  bounds.y >= screen.y - VISIBLE.height / 2

/**
 * Restores a window's place if the current screens still include it. Otherwise the window keeps its size and the system
 * positions it. No window exceeds the largest screen.
 * @param kept unvalidated settings
 * @param screens work areas of the current screens
 */
export const placeWindow = (kept: unknown, screens: readonly Rectangle[]): PlacedWindow => {
  const place = parsePlace(kept)
  if (place === null) return { bounds: {}, maximized: false, fullScreen: false }
  const { bounds, ...states } = place
  const fit = (wanted: number, smallest: number, room: readonly number[]): number =>
    Math.max(smallest, Math.min(wanted, Math.max(smallest, ...room)))
  const size = {
    width: fit(
      bounds.width,
      MIN_WINDOW_SIZE.width,
      screens.map(({ width }) => width),
    ),
    height: fit(
      bounds.height,
      MIN_WINDOW_SIZE.height,
      screens.map(({ height }) => height),
    ),
  }
  const placed = { x: bounds.x, y: bounds.y, ...size }
  return { ...states, bounds: screens.some((screen) => isInReach(placed, screen)) ? placed : size }
}
