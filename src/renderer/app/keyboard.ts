import { nameKey, NO_KEYS, readKey, type KeyMemory } from './key-sequence.ts'
import { SHORTCUTS, type ShortcutCommand } from './shortcuts.ts'

const NOT_TYPED = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'color', 'file'])

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

const PRESSED = 'button, summary, input, [role="switch"], [role="separator"]'

/** Enter and Space belong to the button that has the focus, Enter to a link as well. */
const isPressed = (key: string, target: EventTarget | null): boolean => {
  if (!(target instanceof Element)) return false
  if (key === 'Enter') return target.closest(`a[href], ${PRESSED}`) !== null
  return key === ' ' && target.closest(PRESSED) !== null
}

/** What has keys of its own while it is open. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]'

/**
 * Listens for shortcuts until the signal. Keys do nothing while a text field has the focus, `Escape` aside, and nothing
 * while a dialog or a menu is open (ui.md, "Keys").
 */
export const listenForShortcuts = (run: (command: ShortcutCommand) => void, signal: AbortSignal): void => {
  let memory: KeyMemory = NO_KEYS
  const onKeydown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || document.querySelector(OVERLAYS) !== null) return
    if (isTyping(event.target) && event.key !== 'Escape') return
    if (isPressed(event.key, event.target)) return
    // A modifier on its own is the beginning of `Shift I`, not a key that ends a sequence.
    if (['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'].includes(event.key)) return
    // Where a sign such as # is typed with AltGr, Windows says that Control and Alt are held.
    const modified = event.metaKey || ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph'))
    const read = readKey(SHORTCUTS, memory, { key: nameKey(event), modified, at: event.timeStamp })
    memory = read.memory
    if (read.command === null) return
    event.preventDefault()
    run(read.command)
  }
  addEventListener('keydown', onKeydown, { signal })
}
