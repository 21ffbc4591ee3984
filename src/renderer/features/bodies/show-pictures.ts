import type { ProblemCode } from '../../../shared/result.ts'
import { PICTURE_ATTRIBUTE, PLACE_ATTRIBUTE, pictureProperty } from './block-images.ts'

/** What stands in the place of a picture that did not come: the note above the e-mail says more. */
const reasonFor = (problem: ProblemCode): string => {
  if (problem === 'unreachable' || problem === 'platform_failed') return 'Not on this computer'
  return problem === 'not_found' ? 'Not in this message' : 'Cannot be shown'
}

/** On a place holder that says why: its own words, before what is said. */
const WORDS_ATTRIBUTE = 'data-linnet-words'

const sayWhy = (holder: HTMLElement, problem: ProblemCode): void => {
  const words = holder.getAttribute(WORDS_ATTRIBUTE) ?? holder.textContent
  const said = words === '' ? reasonFor(problem) : `${words} (${reasonFor(problem).toLowerCase()})`
  holder.setAttribute(WORDS_ATTRIBUTE, words)
  holder.setAttribute('aria-label', words === '' ? `Image. ${said}` : said)
  holder.textContent = said
  // As wide as what it says: a small picture has no room for it.
  holder.style.width = ''
}

/**
 * Puts pictures that have come into the document of a mail, where they were waited for, and says where one did not come.
 * @param pictures addresses that the frame may load, by the numbers of their places; null for what is not here
 * @param problems why a picture did not come, by the same numbers
 */
export const showPictures = (
  document: Document,
  pictures: readonly (string | null)[],
  problems: readonly (ProblemCode | null)[] = [],
): void => {
  for (const image of document.querySelectorAll<HTMLImageElement>(`img[${PICTURE_ATTRIBUTE}]:not([src])`)) {
    const number = image.getAttribute(PICTURE_ATTRIBUTE) ?? ''
    const [address, problem] = [pictures[Number(number)] ?? null, problems[Number(number)] ?? null]
    const next = image.nextElementSibling
    const holder = next?.getAttribute(PLACE_ATTRIBUTE) === number ? (next as HTMLElement) : null
    if (address !== null) {
      image.src = address
      holder?.remove()
    } else if (problem !== null && holder !== null) sayWhy(holder, problem)
  }
  // A frame that goes on to its next document has an empty one for a moment: that one is drawn again once it has loaded.
  const root = document.documentElement as HTMLElement | null
  if (root === null) return
  for (const [number, address] of pictures.entries()) {
    if (address !== null) root.style.setProperty(pictureProperty(number), `url("${address}")`)
  }
}
