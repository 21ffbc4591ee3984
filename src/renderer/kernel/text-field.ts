const NOT_TYPED = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'color', 'file'])

/** True if typing into the target produces text. */
export const isTextField = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

/** Types into the focused field as the keyboard would, so that the field's own undo can revert it. */
export const typeText = (text: string): void => {
  for (const [index, line] of text.split('\n').entries()) {
    /* eslint-disable @typescript-eslint/no-deprecated -- it has no replacement */
    if (index > 0) document.execCommand('insertParagraph')
    if (line !== '') document.execCommand('insertText', false, line)
    /* eslint-enable @typescript-eslint/no-deprecated */
  }
}
