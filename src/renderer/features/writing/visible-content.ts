import { parseCidUrl } from '../../../shared/embedded-picture.ts'
import { unwrap } from '../../ui/child-nodes.ts'
import { isEmailPicture, isImageDataUrl, PICTURE_ATTRIBUTE, PLACEHOLDER_ATTRIBUTE } from '../bodies/block-images.ts'
import type { SafeHtml } from '../bodies/sanitize-html.ts'
import { convertStyles } from './convert-styles.ts'

/** Width in pixels if no mail is open. */
const USUAL_WIDTH = 800

/** The reader's placeholders of pictures show their text in any surroundings. */
const STYLE = '<style>.linnet-image { font-size: 12px }</style>'

/** Width of the open mail, so that its media queries apply as they do in the reader. */
const widthOfMail = (): number => {
  const width = document.querySelector('iframe[srcdoc]')?.clientWidth ?? 0
  return width > 0 ? width : USUAL_WIDTH
}

/**
 * Calls `use` with HTML drawn in an invisible frame, where the browser computes its styles as in the reader. The frame
 * runs no scripts, and the window's policy blocks all loading.
 * @param markup from `sanitizeHtml`
 */
const useDrawnHtml = <T>(
  markup: string,
  use: (body: HTMLElement, styleOf: (element: Element) => CSSStyleDeclaration) => T,
): T => {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-same-origin')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  Object.assign(frame.style, { position: 'fixed', visibility: 'hidden', width: `${widthOfMail()}px` })
  document.body.append(frame)
  try {
    const [page, view] = [frame.contentDocument, frame.contentWindow]
    if (page === null || view === null) throw new Error('The frame has no document.')
    // Only a written document has a doctype; without one, browsers lay out HTML differently.
    page.open()
    // oxlint-disable-next-line typescript/no-deprecated -- the only synchronous way to draw a document
    page.write(`<!doctype html>${STYLE}${markup}`)
    page.close()
    return use(page.body, (element) => view.getComputedStyle(element))
  } finally {
    frame.remove()
  }
}

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
