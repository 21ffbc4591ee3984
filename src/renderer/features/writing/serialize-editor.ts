import type { Editor } from '@tiptap/core'
import { preserveWhitespace } from './preserve-whitespace.ts'
import { LINE_STYLE } from './paragraph-lines.ts'

/** Editor content as HTML that preserves its whitespace. */
export const serializeEditor = (editor: Editor): string => {
  const { body } = new DOMParser().parseFromString(editor.getHTML(), 'text/html')
  for (const paragraph of body.querySelectorAll('p')) {
    if (!paragraph.hasAttribute('data-spaced')) paragraph.setAttribute('style', LINE_STYLE)
    paragraph.removeAttribute('data-spaced')
  }
  preserveWhitespace(body, () => true)
  return body.innerHTML
}
