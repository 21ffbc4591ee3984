import { followedTarget, fragmentOf } from './safe-link.ts'

/**
 * Leaves of an e-mail's links those that open a web page or a new e-mail, call a number or jump within it. Where they lead is said by the window
 * (`LinkLine`): a tooltip is the sender's as much as the words are, so that a mail has none, but for abbreviations.
 */
export const guardLinks = (root: Element): void => {
  for (const element of root.querySelectorAll('[title]')) {
    const isAbbreviation =
      element.matches('abbr, acronym') && element.closest('a') === null && !element.querySelector('a')
    if (!isAbbreviation) element.removeAttribute('title')
  }
  // Only a picture has areas that lead somewhere, and only of a map of the same e-mail.
  for (const mapped of root.querySelectorAll('[usemap]:not(img[usemap^="#"])')) mapped.removeAttribute('usemap')
  for (const link of root.querySelectorAll('a[href], area[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (fragmentOf(href) !== null) continue
    const target = followedTarget(href)
    if (target === null) {
      link.removeAttribute('href')
      continue
    }
    link.setAttribute('href', target)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
  }
}
