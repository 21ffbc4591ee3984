import type { ModKey } from '../../kernel/name-key.ts'

type Pressed = Pick<KeyboardEvent, 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

/** True for the formatting keys of `FormatBar`. */
export const isFormatKey = ({ code, shiftKey, ctrlKey, altKey, metaKey }: Pressed, modKey: ModKey): boolean => {
  if (!(modKey === 'Meta' ? metaKey : ctrlKey)) return false
  if (altKey) return !shiftKey && code === 'KeyC'
  return (shiftKey ? /^(?:Key[SK]|Digit[789])$/ : /^Key[BIE]$/).test(code)
}
