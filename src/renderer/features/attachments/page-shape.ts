/** Pages that are more than so many times as long as they are wide, or the other way round, are drawn into such a shape. */
const MOST_OBLONG = 20
/** Points of a canvas: more than this no machine draws in time, and longer ones no browser makes. */
const MOST_POINTS = 16_000_000
const LONGEST_SIDE = 16_000

/** How long and wide a page says that it is, in points of print. */
interface PageSize {
  readonly width: number
  readonly height: number
}

/** The width of the place where a page is drawn, in heights: of a page that says something absurd, what can be scrolled by. */
export const placeOf = ({ width, height }: PageSize): number =>
  Math.min(MOST_OBLONG, Math.max(1 / MOST_OBLONG, width / height || 1))

/**
 * By how much a page is drawn larger than it says.
 * @param place pixels of the screen: how wide its place is
 */
export const scaleOf = ({ width, height }: PageSize, place: number): number =>
  Math.min(
    place / width,
    place / placeOf({ width, height }) / height,
    LONGEST_SIDE / width,
    LONGEST_SIDE / height,
    Math.sqrt(MOST_POINTS / (width * height)),
  )
