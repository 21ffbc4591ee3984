/** Maximum aspect ratio. More extreme pages are drawn within an area of this ratio. */
const MAX_OBLONG = 20
/** Maximum canvas size in pixels. Larger ones are too slow to draw, and browsers refuse longer sides. */
const MAX_POINTS = 16_000_000
const LONGEST_SIDE = 16_000

/** A page's declared size in points. */
interface PageSize {
  readonly width: number
  readonly height: number
}

/** Width divided by height of a page's area, limited for pages with absurd sizes. */
export const placeOf = ({ width, height }: PageSize): number =>
  Math.min(MAX_OBLONG, Math.max(1 / MAX_OBLONG, width / height || 1))

/** Scale of a drawn page. @param place width of its area in screen pixels */
export const scaleOf = ({ width, height }: PageSize, place: number): number =>
  Math.min(
    place / width,
    place / placeOf({ width, height }) / height,
    LONGEST_SIDE / width,
    LONGEST_SIDE / height,
    Math.sqrt(MAX_POINTS / (width * height)),
  )
