import type { Editor } from '@tiptap/core'
import { preserveWhitespace } from './preserve-whitespace.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

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
