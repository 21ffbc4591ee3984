import { isTyping } from '../../kernel/is-typing.ts'
import { isPlain } from '../../kernel/name-key.ts'
import { typeInto } from '../../kernel/type-into.ts'

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
