import { areWordsUnseen, PAGE, within, type Surroundings } from '../../../shared/css/unseen-style.ts'
import {
  type Declared,
  declaredBy,
  type HoldingRule,
  rulesOf,
  specificityOfList,
} from '../../../shared/css/style-rules.ts'

/** Where it cannot be told, what would be hidden is: rather words too few than words that nobody saw. */
const holds = (name: string, query: string): boolean =>
  name !== 'media' || typeof matchMedia === 'undefined' || matchMedia(query).matches

/** Declarations that style sheets may put on all elements together: many times those of any page, and few for a computer. */
const MOST = 2_000_000

/**
 * Reads what style sheets and style attributes say of each element.
 * @returns what reads an element, which says null where its style cannot be read; null where there is too much to read
 */
const readStyles = (root: Element | DocumentFragment): ((element: Element) => Declared | null) | null => {
  const bySheets = new Map<Element, HoldingRule[]>()
  let count = 0
  for (const sheet of root.querySelectorAll('style')) {
    const rules = rulesOf(sheet.textContent, holds)
    if (rules === null) return null
    for (const { selector, declarations, isLayered } of rules) {
      if (declarations.length === 0) continue
      const holding = { declarations, isLayered, specificity: specificityOfList(selector) }
      try {
        for (const element of root.querySelectorAll(selector)) {
          const said = bySheets.get(element)
          if (said === undefined) bySheets.set(element, [holding])
          else said.push(holding)
          count += declarations.length
        }
      } catch {
        // A browser passes over a selector that it does not know, with its rule.
      }
      if (count > MOST) return null
    }
  }
  return (element) => declaredBy(bySheets.get(element) ?? [], element.getAttribute('style') ?? '')
}

/**
 * Takes the words and pictures away that mail and web pages have in the text and show nobody: they would be seen, or sent
 * in the person's name, where the style is gone. What a browser makes of the styles is computed as far as that can be done
 * without a layout; where it cannot be told, words go rather than stay. Style sheets go as well.
 */
export const removeUnseen = (root: Element | DocumentFragment): void => {
  const styleOf = readStyles(root)
  if (styleOf === null) return root.replaceChildren()
  for (const sheet of root.querySelectorAll('style')) sheet.remove()
  const walk = (parent: Element | DocumentFragment, around: Surroundings): void => {
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 3) {
        if (areWordsUnseen(around) && (node.nodeValue ?? '').trim() !== '') node.remove()
        continue
      }
      if (node.nodeType !== 1) continue
      const element = node as Element
      const declared = styleOf(element)
      const inner = declared === null ? null : within(around, declared, element)
      if (inner === null || (element.localName === 'img' && inner.isInvisible)) element.remove()
      else walk(element, inner)
    }
  }
  walk(root, PAGE)
}
