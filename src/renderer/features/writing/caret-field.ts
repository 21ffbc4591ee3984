import type { Editor } from '@tiptap/core'

/** A field of words, as something that completes what is typed in it needs it. */
export interface CaretField {
  /** What has the focus and the keys. */
  readonly element: HTMLElement
  /** The words between the start of the line and the caret; null where something is selected, or the words are code. */
  readonly before: () => string | null
  /** Where the character so many before the caret stands in the window. */
  readonly placeOf: (back: number) => { readonly left: number; readonly top: number; readonly bottom: number }
  /** Selects as many characters before the caret: what is put in next comes in their place. */
  readonly selectBefore: (count: number) => void
}

export const richCaret = (editor: Editor): CaretField => ({
  element: editor.view.dom,
  before: () => {
    const { empty, $from } = editor.state.selection
    if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return null
    // A picture is one character, as it is one position; after a break begins another line.
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

/** What decides where a text area breaks its lines. */
const LAID_OUT_BY = [
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

export const plainCaret = (element: HTMLTextAreaElement): CaretField => ({
  element,
  before: () => {
    const { selectionStart, selectionEnd, value } = element
    if (selectionStart !== selectionEnd) return null
    return value.slice(value.lastIndexOf('\n', selectionStart - 1) + 1, selectionStart)
  },
  // A text area does not tell where its characters are: the same words are laid out beside it, and taken away.
  placeOf: (back) => {
    const copy = document.createElement('div')
    const style = getComputedStyle(element)
    for (const name of LAID_OUT_BY) copy.style[name] = style[name]
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
