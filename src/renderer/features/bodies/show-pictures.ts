import type { ProblemCode } from '../../../shared/result.ts'
import { PICTURE_ATTRIBUTE, PLACEHOLDER_ATTRIBUTE, pictureProperty } from './block-images.ts'

/** Label for a picture that failed to load. The note above the e-mail has the details. */
const reasonFor = (problem: ProblemCode): string => {
  if (problem === 'unreachable' || problem === 'platform_failed') return 'Not on this computer'
  return problem === 'not_found' ? 'Not in this message' : 'Cannot be shown'
}

/** Original text of a placeholder, before the reason was added. */
const ORIGINAL_TEXT_ATTRIBUTE = 'data-linnet-words'

const showReason = (holder: HTMLElement, problem: ProblemCode): void => {
  const words = holder.getAttribute(ORIGINAL_TEXT_ATTRIBUTE) ?? holder.textContent
  const said = words === '' ? reasonFor(problem) : `${words} (${reasonFor(problem).toLowerCase()})`
  holder.setAttribute(ORIGINAL_TEXT_ATTRIBUTE, words)
  holder.setAttribute('aria-label', words === '' ? `Image. ${said}` : said)
  holder.textContent = said
  // Let the width fit the text: a small picture has no room for it.
  holder.style.width = ''
}

/** Inserts loaded pictures, and labels those that failed. Both arrays are indexed by picture number. */
export const showPictures = (
  document: Document,
  pictures: readonly (string | null)[],
  problems: readonly (ProblemCode | null)[] = [],
): void => {
  for (const image of document.querySelectorAll<HTMLImageElement>(`img[${PICTURE_ATTRIBUTE}]:not([src])`)) {
    const number = image.getAttribute(PICTURE_ATTRIBUTE) ?? ''
    const [address, problem] = [pictures[Number(number)] ?? null, problems[Number(number)] ?? null]
    const next = image.nextElementSibling
    const holder = next?.getAttribute(PLACEHOLDER_ATTRIBUTE) === number ? (next as HTMLElement) : null
    if (address !== null) {
      image.src = address
      holder?.remove()
    } else if (problem !== null && holder !== null) showReason(holder, problem)
  }
  // While a frame navigates it is briefly empty. It is drawn again once loaded.
  const root = document.documentElement as HTMLElement | null
  if (root === null) return
  for (const [number, address] of pictures.entries()) {
    if (address !== null) root.style.setProperty(pictureProperty(number), `url("${address}")`)
  }
}
