import type { Editor } from '@tiptap/core'
import { LINE_STYLE } from './paragraph-lines.ts'

const LINES = 'address,article,blockquote,br,dd,div,dt,h1,h2,h3,h4,h5,h6,hr,li,ol,p,section,table,td,th,tr,ul'

/** Non-breaking spaces that replace a tab: HTML has no tabs outside `pre`. */
const TAB = '\u00a0'.repeat(4)

const keepSpaces = (line: string, isAtStart: boolean): string => {
  const spaced = line.replaceAll('\t', TAB)
  return (isAtStart ? spaced.replace(/^ /, '\u00a0') : spaced).replace(/ (?= )/g, '\u00a0')
}

/** Whitespace that matters in a text: all of it, only line breaks, or none. */
export type Whitespace = 'kept' | 'lines' | 'collapsed'

/** Preserves whitespace that HTML would collapse: line breaks, leading spaces, and all but the last in a run of spaces. */
export const preserveWhitespace = (root: Element, whitespaceOf: (text: Text) => Whitespace): void => {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const broken: Text[] = []
  let isAtStart = true
  let last: Text | null = null
  while (walker.nextNode() !== null) {
    const node = walker.currentNode
    if (node.nodeType === 1) {
      if ((node as Element).matches(LINES)) [isAtStart, last] = [true, null]
      continue
    }
    const text = node as Text
    const whitespace = whitespaceOf(text)
    if (text.parentElement?.closest('pre')) {
      if (whitespace !== 'kept') text.data = text.data.replace(whitespace === 'lines' ? /[ \t]+/g : /\s+/g, ' ')
      continue
    }
    // Spaces on both sides of a boundary would collapse into one.
    if (last !== null && /^\s/.test(text.data)) last.data = last.data.replace(/ $/, '\u00a0')
    last = whitespace === 'kept' ? text : null
    if (whitespace !== 'collapsed') {
      const lines = text.data.split(/\r\n?|\n/)
      const shown =
        whitespace === 'lines' ? lines : lines.map((line, index) => keepSpaces(line, index > 0 || isAtStart))
      text.data = shown.join('\n')
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

/** Editor content as HTML that preserves its whitespace, in which each paragraph has the direction of its own text. */
export const serializeEditor = (editor: Editor): string => {
  const { body } = new DOMParser().parseFromString(editor.getHTML(), 'text/html')
  for (const block of body.querySelectorAll(':is(p, h1, h2, h3, pre):not(li *)')) block.setAttribute('dir', 'auto')
  for (const paragraph of body.querySelectorAll('p')) {
    if (!paragraph.hasAttribute('data-spaced')) paragraph.setAttribute('style', LINE_STYLE)
    paragraph.removeAttribute('data-spaced')
  }
  preserveWhitespace(body, () => 'kept')
  return body.innerHTML
}
