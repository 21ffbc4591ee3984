import type { Editor } from '@tiptap/core'
import type { BodyEditor } from './draft-editor.svelte.ts'
import { serializeEditor } from './serialize-editor.ts'

/** Longest text that autocompletion looks at, in characters, so that a key costs the same in any paragraph. */
const MAX_BEFORE = 80

/** A message's text field, with what autocompletion needs. */
export interface CaretField extends BodyEditor {
  readonly element: HTMLElement
  /** Inserts text at the caret. */
  readonly insertText: (text: string) => void
  /** Text from the line start to the caret, at most `MAX_BEFORE` characters; null with a selection or in code. */
  readonly before: () => string | null
  /** Position, in the window, of the character `back` characters before the caret. */
  readonly placeOf: (back: number) => { readonly left: number; readonly top: number; readonly bottom: number }
  /** Selects the `count` characters before the caret, so the next insertion replaces them. */
  readonly selectBefore: (count: number) => void
  /** Calls `look` when the text or the caret changes. @returns stops it */
  readonly onMove: (look: () => void) => () => void
}

export const createRichCaretField = (editor: Editor): CaretField => ({
  element: editor.view.dom,
  read: () => serializeEditor(editor),
  insert: (html) => void editor.chain().focus().insertContent(html).run(),
  insertText: (text) => void editor.chain().focus().insertContent({ type: 'text', text }).run(),
  // Focus at the last caret position, initially the start. Synchronous: the next key is already part of the text.
  focus: (at) => {
    if (at !== undefined) editor.commands.setTextSelection(Math.min(at, editor.state.doc.content.size))
    // Focusing again would move the caret back to the position the editor last read, before the text being typed.
    if (!editor.view.hasFocus()) editor.view.focus()
  },
  caret: () => editor.state.selection.head,
  before: () => {
    const { empty, $from } = editor.state.selection
    if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return null
    if ($from.marks().some(({ type }) => type.spec.code === true)) return null
    // An image counts as one character, as in ProseMirror positions; a break starts a new line.
    const start = Math.max(0, $from.parentOffset - MAX_BEFORE)
    const words = $from.parent.textBetween(start, $from.parentOffset, '\n', (leaf) =>
      leaf.type.name === 'hardBreak' ? '\n' : '\uFFFC',
    )
    return words.slice(words.lastIndexOf('\n') + 1)
  },
  placeOf: (back) => editor.view.coordsAtPos(Math.max(0, editor.state.selection.from - back)),
  selectBefore: (count) => {
    const { from } = editor.state.selection
    editor.commands.setTextSelection({ from: from - count, to: from })
  },
  onMove: (look) => {
    editor.on('transaction', look)
    return () => editor.off('transaction', look)
  },
})

/** Types text into the field that has focus. Unlike setting the value, this keeps the field's own undo working. */
const typeInto = (element: HTMLTextAreaElement) => (text: string) => {
  element.focus()
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it has no replacement
  document.execCommand('insertText', false, text)
}

export const createPlainCaretField = (element: HTMLTextAreaElement): CaretField => ({
  element,
  read: () => element.value,
  insert: typeInto(element),
  insertText: typeInto(element),
  focus: (at) => {
    element.focus()
    if (at !== undefined) element.setSelectionRange(at, at)
  },
  caret: () => element.selectionEnd,
  before: () => {
    const { selectionStart, selectionEnd, value } = element
    if (selectionStart !== selectionEnd) return null
    const start = value.lastIndexOf('\n', selectionStart - 1) + 1
    return value.slice(Math.max(start, selectionStart - MAX_BEFORE), selectionStart)
  },
  // A text area doesn't report character positions, so measure a temporary copy of its text.
  placeOf: (back) => {
    const copy = document.createElement('pre')
    copy.className = element.className
    copy.dir = 'auto'
    Object.assign(copy.style, {
      position: 'fixed',
      visibility: 'hidden',
      width: `${element.offsetWidth}px`,
      whiteSpace: 'pre-wrap',
      overflowWrap: 'break-word',
    })
    const at = Math.max(0, element.selectionStart - back)
    const mark = document.createElement('span')
    mark.textContent = element.value.slice(at, at + 1) || '.'
    copy.append(element.value.slice(0, at), mark)
    element.after(copy)
    const [origin, place, field] = [copy, mark, element].map((each) => each.getBoundingClientRect())
    copy.remove()
    const left = (field?.left ?? 0) + (place?.left ?? 0) - (origin?.left ?? 0)
    const top = (field?.top ?? 0) + (place?.top ?? 0) - (origin?.top ?? 0) - element.scrollTop
    return { left, top, bottom: top + (place?.height ?? 0) }
  },
  selectBefore: (count) => element.setSelectionRange(element.selectionStart - count, element.selectionStart),
  onMove: (look) => {
    const ending = new AbortController()
    for (const name of ['input', 'keyup', 'click']) element.addEventListener(name, look, { signal: ending.signal })
    return () => ending.abort()
  },
})
