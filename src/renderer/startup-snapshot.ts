import { escapeHtml } from '../shared/escape-html.ts'
import { VOID_ELEMENTS, isSnapshotAttribute, SNAPSHOT_ELEMENTS } from '../shared/startup-snapshot.ts'

/** An element's child nodes as snapshot markup. Elements that aren't allowed are dropped with their content. */
export const serializeSnapshot = (parent: Element): string => {
  let markup = ''
  for (const node of parent.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) markup += escapeHtml(node.textContent ?? '')
    if (!(node instanceof Element) || !SNAPSHOT_ELEMENTS.has(node.localName)) continue
    const name = node.localName
    markup += `<${name}`
    for (const attribute of node.attributes) {
      const { name: attributeName, value } = attribute
      if (isSnapshotAttribute(attributeName, value)) markup += ` ${attributeName}="${escapeHtml(value)}"`
    }
    markup += VOID_ELEMENTS.has(name) ? '>' : `>${serializeSnapshot(node)}</${name}>`
  }
  return markup
}
