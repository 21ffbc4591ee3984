import { visibleText } from '../../../shared/visible-text.ts'
import { PICTURE_ATTRIBUTE } from './block-images.ts'
import { isEmbeddedImage } from './embedded-image.ts'

/** A picture that stands in a message on the screen. */
export interface DrawnPicture {
  /** As the message has it: an address that the engine knows it by, or the picture itself (`data:`). */
  readonly url: string
  /** Where its document has it. */
  readonly src: string
  /** What the sender calls it; empty where it has no words. */
  readonly name: string
}

/** More than a message may load. */
const MOST = 200
/** Pixels. What is smaller only parts other things from each other. */
const SMALLEST = 3

const drawnPicture = (image: HTMLImageElement, addresses: readonly string[]): DrawnPicture | null => {
  const src = image.getAttribute('src') ?? ''
  if (image.naturalWidth < SMALLEST || image.naturalHeight < SMALLEST) return null
  const name = visibleText(image.alt.trim().slice(0, 200))
  if (isEmbeddedImage(src)) return { url: src, src, name }
  const url = addresses[Number(image.getAttribute(PICTURE_ATTRIBUTE) ?? -1)]
  return url === undefined || !src.startsWith('blob:') ? null : { url, src, name }
}

/**
 * The pictures of a message's document that have come, each once, in the order of its text. What is blocked or broken is none.
 * @param addresses of the pictures that the message names, by their numbers
 */
export const drawnPictures = (content: Document, addresses: readonly string[]): readonly DrawnPicture[] => {
  const found = new Map<string, DrawnPicture>()
  for (const image of content.images) {
    const picture = drawnPicture(image, addresses)
    if (picture !== null && !found.has(picture.url)) found.set(picture.url, picture)
    if (found.size === MOST) break
  }
  return [...found.values()]
}
