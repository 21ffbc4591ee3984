import { fillVariables, findVariables, type PlaceholderValues } from '../../../shared/placeholders.ts'
import type { Template } from '../../../shared/templates.ts'

type Filled = Pick<Template, 'html' | 'subject' | 'variables'>

/**
 * Fills the variables of a template: what a value has of markup is words. It comes out as hostile as it came in: whoever puts it into
 * a message cleans it as what is pasted is cleaned.
 */
export const fillTemplate = ({ html, variables }: Filled, values: PlaceholderValues): string => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const { body } = page
  const fill = (text: string): string => fillVariables(text, values, variables)
  // The value of an address: as a whole an address, within one a part of it.
  const fillAddress = (address: string): string =>
    fillVariables(address.trim(), values, variables, (value, at) => (at === 0 ? value : encodeURIComponent(value)))
  for (const link of [...body.querySelectorAll('a[href*="{{{"]')]) {
    const address = fillAddress(link.getAttribute('href') ?? '')
    const missing = findVariables(address)
    if (missing.length === 0) link.setAttribute('href', address)
    // A link that leads nowhere says what it lacks, where the person sees it.
    else link.replaceWith(...link.childNodes, ` ${missing.join(' ')}`)
  }
  for (const picture of body.querySelectorAll('img[alt*="{{{"]')) {
    picture.setAttribute('alt', fill(picture.getAttribute('alt') ?? ''))
  }
  const walker = page.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) {
    const { currentNode } = walker
    currentNode.nodeValue = fill(currentNode.nodeValue ?? '')
  }
  // With its style sheets: they may hide words, which are nobody's to send.
  return page.documentElement.outerHTML
}

/** The subject of a template, filled; '' where it has none. */
export const templateSubject = ({ subject, variables }: Filled, values: PlaceholderValues): string =>
  fillVariables(subject ?? '', values, variables)
