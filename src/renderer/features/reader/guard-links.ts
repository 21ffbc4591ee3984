import { promisedHost, safeLinkTarget } from './safe-link.ts'

/** Leaves of an e-mail's links those that open a web page or a new e-mail, and says where they lead. */
export const guardLinks = (root: Element): void => {
  for (const link of root.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (href.startsWith('#')) continue
    const target = safeLinkTarget(href)
    if (target === null) {
      link.removeAttribute('href')
      continue
    }
    const promised = promisedHost(link.textContent, target)
    link.setAttribute('href', target)
    link.setAttribute('target', '_blank')
    link.setAttribute('rel', 'noopener noreferrer')
    link.setAttribute('title', promised === null ? target : `${target}\nBeware: the words say ${promised}.`)
  }
}
