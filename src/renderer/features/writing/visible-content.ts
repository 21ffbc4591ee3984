import { parseCidUrl } from '../../../shared/embedded-picture.ts'
import { unwrap } from '../../ui/child-nodes.ts'
import { isEmailPicture, isImageDataUrl, PICTURE_ATTRIBUTE, PLACEHOLDER_ATTRIBUTE } from '../bodies/block-images.ts'
import type { SafeHtml } from '../bodies/sanitize-html.ts'
import { convertStyles } from './convert-styles.ts'
import { useDrawnHtml } from './drawn-html.ts'

/**
 * Content ID of a picture in the message that is being written; null to replace the picture with its alt text.
 * @param address `data:` or `cid:` URL, or file name
 */
export type ContentIdOf = (address: string) => string | null

/** Placeholders with the alt text of pictures that aren't loaded. */
const findPlaceholders = (root: Element): ReadonlyMap<Element, Element> => {
  const found = new Map<Element, Element>()
  for (const picture of root.querySelectorAll(`img[${PICTURE_ATTRIBUTE}]`)) {
    const next = picture.nextElementSibling
    if (next?.hasAttribute(PLACEHOLDER_ATTRIBUTE) === true) found.set(picture, next)
  }
  return found
}

const showPictures = (
  root: Element,
  placeholders: ReadonlyMap<Element, Element>,
  addresses: readonly string[],
  contentIdOf: ContentIdOf,
): void => {
  for (const picture of root.querySelectorAll('img')) {
    const number = picture.getAttribute(PICTURE_ATTRIBUTE)
    const address = (number === null ? picture.getAttribute('src') : addresses[Number(number)]) ?? ''
    const contentId = isImageDataUrl(address) || isEmailPicture(address) ? contentIdOf(address) : null
    if (contentId !== null) {
      picture.setAttribute('src', `cid:${contentId}`)
      placeholders.get(picture)?.remove()
    } else if (number !== null) picture.remove()
  }
  for (const place of root.querySelectorAll('.linnet-image')) {
    const words = place.textContent.trim()
    place.replaceWith(words === '' ? '' : `[${words}]`)
  }
}

/**
 * Converts HTML to the content that the reader shows: without hidden parts, and with elements in place of styles.
 * @param keepsColors false to drop the colours of words
 */
export const toVisibleContent = (
  { markup, pictures }: Pick<SafeHtml, 'markup' | 'pictures'>,
  keepsColors: boolean,
  contentIdOf: ContentIdOf,
): HTMLElement =>
  useDrawnHtml(markup, (root, styleOf) => {
    // Folded text is part of the e-mail; the reader's buttons are not.
    for (const fold of root.querySelectorAll('details.linnet-quote')) {
      fold.querySelector(':scope > summary')?.remove()
      unwrap(fold)
    }
    const placeholders = findPlaceholders(root)
    convertStyles(root, styleOf, keepsColors)
    showPictures(root, placeholders, pictures, contentIdOf)
    return root
  })

/** Allows only pictures that the message contains. */
export const keepInlineImages =
  (hasInlineImage: (contentId: string) => boolean): ContentIdOf =>
  (address) => {
    const contentId = parseCidUrl(address)
    return contentId !== null && hasInlineImage(contentId) ? contentId : null
  }
