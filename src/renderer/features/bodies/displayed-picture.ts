import { toVisibleText } from '../../../shared/visible-text.ts'
import { PICTURE_ATTRIBUTE } from './block-images.ts'
import { isImageDataUrl } from './embedded-image.ts'

export interface DisplayedPicture {
  /** Address in the message (the engine's key for it), or the picture itself (`data:`). */
  readonly url: string
  readonly src: string
  /** Alternative text from the sender, or empty. */
  readonly name: string
}

/** More than the number of pictures a message may load. */
const MAX_PICTURES = 200
/** Pixels. Smaller images are spacers. */
const MIN_SIDE_PX = 3

const displayedPicture = (image: HTMLImageElement, addresses: readonly string[]): DisplayedPicture | null => {
  const src = image.getAttribute('src') ?? ''
  if (image.naturalWidth < MIN_SIDE_PX || image.naturalHeight < MIN_SIDE_PX) return null
  const name = toVisibleText(image.alt.trim().slice(0, 200))
  if (isImageDataUrl(src)) return { url: src, src, name }
  const url = addresses[Number(image.getAttribute(PICTURE_ATTRIBUTE) ?? -1)]
  return url === undefined || !src.startsWith('blob:') ? null : { url, src, name }
}

/** Loaded pictures without duplicates, in document order. @param addresses indexed by picture number */
export const findDisplayedPictures = (content: Document, addresses: readonly string[]): readonly DisplayedPicture[] => {
  const found = new Map<string, DisplayedPicture>()
  for (const image of content.images) {
    const picture = displayedPicture(image, addresses)
    if (picture !== null && !found.has(picture.url)) found.set(picture.url, picture)
    if (found.size === MAX_PICTURES) break
  }
  return [...found.values()]
}
