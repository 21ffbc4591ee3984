import { areWordsUnseen, PAGE, within, type Surroundings } from '../../../shared/css/unseen-style.ts'
import { readStyles } from './css-cascade.ts'

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
