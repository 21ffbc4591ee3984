/** Maximum aspect ratio. More extreme pages are drawn within an area of this ratio. */
const MAX_ASPECT_RATIO = 20
/** Maximum canvas size in pixels. Larger ones are too slow to draw, and browsers refuse longer sides. */
const MAX_CANVAS_PIXELS = 16_000_000
const MAX_SIDE_PX = 16_000

/** A page's declared size in points. */
interface PageSize {
  readonly width: number
  readonly height: number
}

/** Width divided by height of a page's area, limited for pages with absurd sizes. */
export const computeAspectRatio = ({ width, height }: PageSize): number =>
  Math.min(MAX_ASPECT_RATIO, Math.max(1 / MAX_ASPECT_RATIO, width / height || 1))

/** Scale of a drawn page. @param place width of its area in screen pixels */
export const computePageScale = ({ width, height }: PageSize, place: number): number =>
  Math.min(
    place / width,
    place / computeAspectRatio({ width, height }) / height,
    MAX_SIDE_PX / width,
    MAX_SIDE_PX / height,
    Math.sqrt(MAX_CANVAS_PIXELS / (width * height)),
  )
