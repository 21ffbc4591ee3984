import { NO_KEYS, readKey, type KeyMemory } from './key-sequence.ts'
import { SHORTCUTS, type ShortcutCommand } from './shortcuts.ts'

const NOT_TYPED = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'color', 'file'])

const isTyping = (target: EventTarget | null): boolean => {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !NOT_TYPED.has(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
}

/** Enter belongs to the button or link that has the focus. */
const isPressable = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('a[href], button, summary, [role="switch"], [role="separator"]') !== null

/**
 * Listens for shortcuts until the signal. Keys do nothing while a text field has the focus, `Escape` aside, and nothing
 * while a dialog is open: it has keys of its own (ui.md, "Keys").
 */
export const listenForShortcuts = (run: (command: ShortcutCommand) => void, signal: AbortSignal): void => {
  let memory: KeyMemory = NO_KEYS
  const onKeydown = (event: KeyboardEvent): void => {
    const isDialogOpen = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
    if (event.defaultPrevented || event.isComposing || isDialogOpen) return
    if (isTyping(event.target) && event.key !== 'Escape') return
    if (event.key === 'Enter' && isPressable(event.target)) return
    // A modifier on its own is the beginning of `Shift I`, not a key that ends a sequence.
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    const press = { key: event.key, modified: event.ctrlKey || event.altKey || event.metaKey, at: event.timeStamp }
    const read = readKey(SHORTCUTS, memory, press)
    memory = read.memory
    if (read.command === null) return
    event.preventDefault()
    run(read.command)
  }
  addEventListener('keydown', onKeydown, { signal })
}
