import { isTyping } from '../../kernel/listen-for-keys.ts'

/** Whether a key is no chord: AltGr, which Windows reports as Ctrl and Alt, is part of a character. */
const isPlain = (event: KeyboardEvent): boolean =>
  event.getModifierState('AltGraph') || (!event.ctrlKey && !event.metaKey && !event.altKey)

/** Types into the field that has the focus, as a person would: its own undo takes it back. */
const typeInto = (text: string): void => {
  for (const [index, line] of text.split('\n').entries()) {
    /* eslint-disable @typescript-eslint/no-deprecated -- nothing has come in its place */
    if (index > 0) document.execCommand('insertParagraph')
    if (line !== '') document.execCommand('insertText', false, line)
    /* eslint-enable @typescript-eslint/no-deprecated */
  }
}

/**
 * Holds what a person types between asking for a composer and its caret: it is meant for the message, and as commands its
 * letters would archive and move mail. The first text field that has the focus gets it. Esc and the pointer drop it, and so
 * does the function that is given back, for a composer that does not come.
 */
export const typeAhead = (signal: AbortSignal): (() => void) => {
  const ending = new AbortController()
  const until = { capture: true, signal: AbortSignal.any([signal, ending.signal]) }
  const end = (): void => ending.abort()
  let held = ''

  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || isTyping(event.target)) {
        end()
        return
      }
      if (!isPlain(event)) return
      if (event.key.length === 1) held += event.key
      else if (event.key === 'Enter') held += '\n'
      else if (event.key === 'Backspace') held = held.slice(0, -1)
      // It would go on from what had the focus before, to a field that the words are not for.
      else if (event.key !== 'Tab') return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    until,
  )
  addEventListener('pointerdown', end, until)
  addEventListener(
    'focusin',
    ({ target }) => {
      if (!isTyping(target)) return
      end()
      // The editor puts its selection where it belongs once it has the focus.
      queueMicrotask(() => typeInto(held))
    },
    until,
  )
  return end
}
