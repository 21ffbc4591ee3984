import { isTextField, typeText } from '../../kernel/text-field.ts'
import { isPlainKeyPress } from '../../kernel/name-key.ts'

/**
 * Buffers what the user types after asking for a composer and before it has its caret. The text belongs in the message;
 * as shortcuts, its letters would archive and move mail. The first text field that gets focus receives the text. Esc,
 * the pointer or the returned function discards it. Call the function if no composer opens.
 */
export const bufferTypedText = (signal: AbortSignal): (() => void) => {
  const ending = new AbortController()
  const until = { capture: true, signal: AbortSignal.any([signal, ending.signal]) }
  const end = (): void => ending.abort()
  let buffer = ''

  addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || isTextField(event.target)) {
        end()
        return
      }
      if (!isPlainKeyPress(event)) return
      if (event.key.length === 1) buffer += event.key
      else if (event.key === 'Enter') buffer += '\n'
      else if (event.key === 'Backspace') buffer = buffer.slice(0, -1)
      // Tab would move focus from the old element to an unrelated field.
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
      if (!isTextField(target)) return
      end()
      // The editor sets its selection only after it has focus.
      queueMicrotask(() => typeText(buffer))
    },
    until,
  )
  return end
}
