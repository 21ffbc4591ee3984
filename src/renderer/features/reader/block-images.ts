import { isEmbeddedImage } from './embedded-image.ts'

/** What was kept out of an e-mail, as it would have been fetched from elsewhere. */
export interface BlockedImages {
  /** Images that would have been fetched from elsewhere. */
  readonly blockedImages: number
  /** Those among them that nobody could have seen: they exist to tell the sender that the e-mail was read. */
  readonly trackingPixels: number
}

const sizeOf = (image: Element, side: 'width' | 'height'): number | null => {
  const styled = new RegExp(`(?:^|[;\\s])${side}\\s*:\\s*(\\d+(?:\\.\\d+)?)px`, 'i').exec(
    image.getAttribute('style') ?? '',
  )
  const given = styled?.[1] ?? image.getAttribute(side)
  return given === null || !/^\d+(?:\.\d+)?(?:px)?$/.test(given) ? null : Number.parseFloat(given)
}

const isInvisible = (image: Element): boolean => {
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  const isTiny = (width !== null && width <= 2) || (height !== null && height <= 2)
  return isTiny || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(image.getAttribute('style') ?? '')
}

/** What stands where an image would have been: its alternative text, in a box of its size. */
const placeholderFor = (image: Element): HTMLElement => {
  const box = image.ownerDocument.createElement('span')
  const words = image.getAttribute('alt')?.trim() ?? ''
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  box.className = 'linnet-image'
  box.setAttribute('role', 'img')
  box.setAttribute('aria-label', words === '' ? 'Image, not shown' : words)
  box.textContent = words
  // A missing side is left to the words; a wide banner must not push the text off the first screen.
  const sides = [
    width === null ? '' : `width:${width}px`,
    height === null ? '' : `min-height:${Math.min(height, 160)}px`,
  ]
  box.setAttribute('style', sides.filter((side) => side !== '').join(';'))
  return box
}

/** Puts a place holder where an image is that does not come with the e-mail, or nothing where nobody could have seen it. */
export const blockImages = (root: Element): BlockedImages => {
  let blockedImages = 0
  let trackingPixels = 0
  for (const image of root.querySelectorAll('img')) {
    const source = image.getAttribute('src')?.trim() ?? ''
    if (isEmbeddedImage(source)) continue
    // `cid:` names a part of the e-mail itself: not remote, yet the platform does not hand it out.
    const isRemote = source !== '' && !/^(?:cid|data):/i.test(source)
    if (isRemote) blockedImages += 1
    const isPixel = isInvisible(image)
    if (isRemote && isPixel) trackingPixels += 1
    // Without words and without a size there is nothing to hold a place for.
    const isBlank = (image.getAttribute('alt') ?? '').trim() === '' && sizeOf(image, 'height') === null
    if (isPixel || isBlank) {
      image.remove()
    } else {
      image.replaceWith(placeholderFor(image))
    }
  }
  for (const element of root.querySelectorAll('[background]')) {
    element.removeAttribute('background')
    blockedImages += 1
  }
  return { blockedImages, trackingPixels }
}
