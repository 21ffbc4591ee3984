import { toLinkTarget, extractFragment } from './safe-link.ts'

/** Keeps only safe links (`toLinkTarget`). Removes tooltips except on abbreviations, since senders write them. */
export const sanitizeLinks = (root: Element): void => {
  for (const element of root.querySelectorAll('[title]')) {
    const isAbbreviation =
      element.matches('abbr, acronym') && element.closest('a') === null && !element.querySelector('a')
    if (!isAbbreviation) element.removeAttribute('title')
  }
  // Only pictures may have an image map, and the map must be in the same e-mail.
  for (const mapped of root.querySelectorAll('[usemap]:not(img[usemap^="#"])')) mapped.removeAttribute('usemap')
  for (const link of root.querySelectorAll('a[href], area[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (extractFragment(href) !== null) continue
    const target = toLinkTarget(href)
    if (target === null) {
      link.removeAttribute('href')
      continue
    }
    link.setAttribute('href', target)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
}
