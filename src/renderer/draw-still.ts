import { escapeHtml } from '../shared/escape-html.ts'
import { EMPTY_ELEMENTS, isStillAttribute, STILL_ELEMENTS } from '../shared/still.ts'

/** An element's child nodes as snapshot markup. Elements that aren't allowed are dropped with their content. */
export const drawStill = (parent: Element): string => {
  let markup = ''
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) markup += escapeHtml(node.textContent ?? '')
    if (!(node instanceof Element) || !STILL_ELEMENTS.has(node.localName)) continue
    const name = node.localName
    markup += `<${name}`
    for (const attribute of node.attributes) {
      const { name: attributeName, value } = attribute
      if (isStillAttribute(attributeName, value)) markup += ` ${attributeName}="${escapeHtml(value)}"`
    }
    markup += EMPTY_ELEMENTS.has(name) ? '>' : `>${drawStill(node)}</${name}>`
  }
  return markup
}
