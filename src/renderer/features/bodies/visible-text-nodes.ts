import type { FieldFragment } from '../../../shared/search/highlight-terms.ts'
import { INLINE_ELEMENTS } from '../../../shared/search/inline-elements.ts'

/** Elements that Linnet inserted. Their text is not the sender's. */
const INSERTED_ELEMENTS = '.linnet-image, .linnet-quote > summary, style, [data-own]'

export interface VisibleTextNode extends FieldFragment {
  readonly node: Text
}

/** The text nodes of an e-mail in order, split the way search splits HTML: inline elements don't separate words. */
export const findVisibleTextNodes = (mail: Element): readonly VisibleTextNode[] => {
  const texts: VisibleTextNode[] = []
  let isApart = true
  const parts = (node: Node): boolean => node.nodeType === 1 && !INLINE_ELEMENTS.has(node.nodeName.toLowerCase())
  const leave = (from: Node): Node | null => {
    for (let node: Node | null = from; node !== null && node !== mail; node = node.parentNode) {
      isApart ||= parts(node)
      if (node.nextSibling !== null) return node.nextSibling
    }
    return null
  }
  for (let node: Node | null = mail.firstChild; node !== null;) {
    isApart ||= parts(node)
    if (node.nodeType === 3) {
      texts.push({ node: node as Text, text: node.nodeValue ?? '', isApart })
      isApart = false
    }
    const isOwn = node.nodeType === 1 && (node as Element).matches(INSERTED_ELEMENTS)
    isApart ||= isOwn
    node = isOwn ? leave(node) : (node.firstChild ?? leave(node))
  }
  return texts
}
