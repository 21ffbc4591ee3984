import {
  isTextHidden,
  DEFAULT_PAGE_STYLE,
  computeElementStyle,
  type InheritedStyle,
} from '../../../shared/css/hidden-style.ts'
import {
  type DeclaredValues,
  mergeDeclarations,
  type MatchedRule,
  parseStyleRules,
  computeListSpecificity,
} from '../../../shared/css/style-rules.ts'

/** Assumes that unknown conditions hold, so text counts as hidden: better to drop text than to send what nobody saw. */
const holds = (name: string, query: string): boolean =>
  name !== 'media' || typeof matchMedia === 'undefined' || matchMedia(query).matches

/** Limit on declarations applied by style sheets to all elements: far above any real page, yet quick to process. */
const MAX_DECLARATIONS = 2_000_000

/**
 * Reads style sheets and style attributes.
 * @returns a function that returns an element's declarations, or null if they can't be read. Null instead of the
 * function if there is too much CSS.
 */
const readStyles = (root: Element | DocumentFragment): ((element: Element) => DeclaredValues | null) | null => {
  const bySheets = new Map<Element, MatchedRule[]>()
  let count = 0
  for (const sheet of root.querySelectorAll('style')) {
    const rules = parseStyleRules(sheet.textContent, holds)
    if (rules === null) return null
    for (const { selector, declarations, isLayered } of rules) {
      if (declarations.length === 0) continue
      const holding = { declarations, isLayered, specificity: computeListSpecificity(selector) }
      try {
        for (const element of root.querySelectorAll(selector)) {
          const said = bySheets.get(element)
          if (said === undefined) bySheets.set(element, [holding])
          else said.push(holding)
          count += declarations.length
        }
      } catch {
        // Browsers skip a rule with an unknown selector.
      }
      if (count > MAX_DECLARATIONS) return null
    }
  }
  return (element) => mergeDeclarations(bySheets.get(element) ?? [], element.getAttribute('style') ?? '')
}

/**
 * Removes text and images that mail and web pages hide with styles. Once the styles are gone, this content would become
 * visible, or be sent in the user's name. Computes the styles as far as possible without layout; in doubt, content is
 * removed. Also removes the style sheets.
 */
export const removeHidden = (root: Element | DocumentFragment): void => {
  const styleOf = readStyles(root)
  if (styleOf === null) return root.replaceChildren()
  for (const sheet of root.querySelectorAll('style')) sheet.remove()
  const walk = (parent: Element | DocumentFragment, around: InheritedStyle): void => {
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === 3) {
        if (isTextHidden(around) && (node.nodeValue ?? '').trim() !== '') node.remove()
        continue
      }
      if (node.nodeType !== 1) continue
      const element = node as Element
      const declared = styleOf(element)
      const inner = declared === null ? null : computeElementStyle(around, declared, element)
      if (inner === null || (element.localName === 'img' && inner.isInvisible)) element.remove()
      else walk(element, inner)
    }
  }
  walk(root, DEFAULT_PAGE_STYLE)
}
