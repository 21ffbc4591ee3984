import { luminance } from '../../../shared/css/rgba-color.ts'

export const LOGO_BACKDROP_CLASS = 'linnet-plate'

/** Side of the sample in pixels, enough to tell letters from their surroundings. */
const SIDE = 24
/** Pixels per picture. Logos are smaller; larger pictures are photographs with a background of their own. */
const MAX_PIXELS = 1_500_000
/** Pictures examined per mail. */
const MAX_PICTURES = 100
/** Minimum share of transparent pixels, and maximum luminance (WCAG 2.2) of the others. */
const CLEAR = 0.1
const DARK = 0.15

const checkedImages = new WeakSet<HTMLImageElement>()

/** True if everything drawn in a picture is dark and its background is transparent. */
const isDarkOnTransparent = (pixels: Uint8ClampedArray): boolean => {
  let [clear, drawn, light] = [0, 0, 0]
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    if (alpha < 32) clear += 1
    const weight = alpha / 255
    drawn += weight
    light += weight * luminance({ red: red / 255, green: green / 255, blue: blue / 255 })
  }
  return clear * 4 > pixels.length * CLEAR && drawn > 0 && light / drawn < DARK
}

/** Puts a light plate behind pictures that are invisible on dark paper, such as dark logos made for white. */
export const addLogoBackdrops = (mail: HTMLElement): void => {
  const images = [...mail.querySelectorAll('img')].slice(0, MAX_PICTURES)
  const waiting = images.filter(
    (image) =>
      !checkedImages.has(image) &&
      image.complete &&
      image.naturalWidth > 0 &&
      image.naturalWidth * image.naturalHeight <= MAX_PIXELS,
  )
  if (waiting.length === 0) return
  const pen = new OffscreenCanvas(SIDE, SIDE).getContext('2d', { willReadFrequently: true })
  if (pen === null) return
  for (const image of waiting) {
    checkedImages.add(image)
    pen.clearRect(0, 0, SIDE, SIDE)
    pen.drawImage(image, 0, 0, SIDE, SIDE)
    if (isDarkOnTransparent(pen.getImageData(0, 0, SIDE, SIDE).data)) image.classList.add(LOGO_BACKDROP_CLASS)
  }
}
