const LINES = 'address,article,blockquote,br,dd,div,dt,h1,h2,h3,h4,h5,h6,hr,li,ol,p,section,table,td,th,tr,ul'

/** Non-breaking spaces that replace a tab: HTML has no tabs outside `pre`. */
const TAB = '\u00a0'.repeat(4)

/**
 * Preserves whitespace that HTML would collapse: leading spaces, and all but the last in a run. `pre` stays as it is.
 * @param isMeant true if a text's spaces and line breaks matter
 */
export const preserveWhitespace = (root: Element | DocumentFragment, isMeant: (text: Text) => boolean): void => {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const broken: Text[] = []
  let isAtStart = true
  while (walker.nextNode() !== null) {
    const node = walker.currentNode
    if (node.nodeType === 1) {
      if ((node as Element).matches(LINES)) isAtStart = true
      continue
    }
    const text = node as Text
    if (text.parentElement?.closest('pre') !== null && text.parentElement !== null) continue
    if (isMeant(text)) {
      const lines = text.data.replaceAll('\t', TAB).split(/\r\n?|\n/)
      text.data = lines
        .map((line, index) =>
          (index > 0 || isAtStart ? line.replace(/^ /, '\u00a0') : line).replace(/ (?= )/g, '\u00a0'),
        )
        .join('\n')
      if (lines.length > 1) broken.push(text)
    }
    if (/[^ \t\n]/.test(text.data)) isAtStart = false
  }
  for (const text of broken) {
    text.data.split('\n').forEach((line, index) => {
      if (index > 0) text.before(text.ownerDocument.createElement('br'))
      text.before(line)
    })
    text.remove()
  }
}
