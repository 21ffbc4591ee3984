import { PICTURE_ATTRIBUTE, PLACE_ATTRIBUTE, pictureProperty } from './block-images.ts'

/**
 * Puts pictures that have come into the document of a mail, where they were waited for.
 * @param pictures addresses that the frame may load, by the numbers of their places; null for what is not here
 */
export const showPictures = (document: Document, pictures: readonly (string | null)[]): void => {
  for (const image of document.querySelectorAll<HTMLImageElement>(`img[${PICTURE_ATTRIBUTE}]:not([src])`)) {
    const number = image.getAttribute(PICTURE_ATTRIBUTE) ?? ''
    const address = pictures[Number(number)] ?? null
    if (address === null) continue
    image.src = address
    const holder = image.nextElementSibling
    if (holder?.getAttribute(PLACE_ATTRIBUTE) === number) holder.remove()
  }
  const { style } = document.documentElement
  for (const [number, address] of pictures.entries()) {
    if (address !== null) style.setProperty(pictureProperty(number), `url("${address}")`)
  }
}
