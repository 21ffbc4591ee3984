import type { Editor } from '@tiptap/core'

/** A text field as autocompletion sees it. */
export interface CaretField {
  readonly element: HTMLElement
  /** Text from the line start to the caret; null with a selection or in code. */
  readonly before: () => string | null
  /** Position, in the window, of the character `back` characters before the caret. */
  readonly placeOf: (back: number) => { readonly left: number; readonly top: number; readonly bottom: number }
  /** Selects the `count` characters before the caret, so the next insertion replaces them. */
  readonly selectBefore: (count: number) => void
}

export const createRichCaretField = (editor: Editor): CaretField => ({
  element: editor.view.dom,
  before: () => {
    const { empty, $from } = editor.state.selection
    if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return null
    // An image counts as one character, as in ProseMirror positions; a break starts a new line.
    const words = $from.parent.textBetween(0, $from.parentOffset, '\n', (leaf) =>
      leaf.type.name === 'hardBreak' ? '\n' : '\uFFFC',
    )
    return words.slice(words.lastIndexOf('\n') + 1)
  },
  placeOf: (back) => editor.view.coordsAtPos(Math.max(0, editor.state.selection.from - back)),
  selectBefore: (count) => {
    const { from } = editor.state.selection
    editor.commands.setTextSelection({ from: from - count, to: from })
  },
})

/** Styles that decide where a text area wraps. */
const LAYOUT_STYLES = [
  'boxSizing',
  'width',
  'paddingTop',
  'paddingRight',
  'paddingBottom',
  'paddingLeft',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'lineHeight',
  'letterSpacing',
  'tabSize',
  'direction',
] as const

export const createPlainCaretField = (element: HTMLTextAreaElement): CaretField => ({
  element,
  before: () => {
    const { selectionStart, selectionEnd, value } = element
    if (selectionStart !== selectionEnd) return null
    return value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
  },
  // A text area doesn't report character positions, so measure a temporary copy of its text.
  placeOf: (back) => {
    const copy = document.createElement('div')
    const style = getComputedStyle(element)
    for (const name of LAYOUT_STYLES) copy.style[name] = style[name]
    Object.assign(copy.style, {
      position: 'fixed',
      visibility: 'hidden',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'break-word',
    })
    const at = Math.max(0, element.selectionStart - back)
    const mark = document.createElement('span')
    mark.textContent = element.value.slice(at, at + 1) || '.'
    copy.append(element.value.slice(0, at), mark)
    document.body.append(copy)
    const [origin, place, field] = [copy, mark, element].map((each) => each.getBoundingClientRect())
    copy.remove()
    const left = (field?.left ?? 0) + (place?.left ?? 0) - (origin?.left ?? 0)
    const top = (field?.top ?? 0) + (place?.top ?? 0) - (origin?.top ?? 0) - element.scrollTop
    return { left, top, bottom: top + (place?.height ?? 0) }
  },
  selectBefore: (count) => element.setSelectionRange(element.selectionStart - count, element.selectionStart),
})
