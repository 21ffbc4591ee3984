import type { Attachment } from 'svelte/attachments'

/** Asks for a menu by the pointer, the menu key or Shift and F10. @param open gets the place in the window in pixels */
export const asksForMenu =
  (open: (x: number, y: number) => void): Attachment<HTMLElement> =>
  (element) => {
    const atPointer = (event: MouseEvent): void => {
      // Something inside of it has a menu of its own.
      if (event.defaultPrevented) return
      event.preventDefault()
      open(event.clientX, event.clientY)
    }
    const byKey = (event: KeyboardEvent): void => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      event.preventDefault()
      event.stopPropagation()
      const { left, top, height } = element.getBoundingClientRect()
      open(left + height, top + height / 2)
    }
    element.addEventListener('contextmenu', atPointer)
    element.addEventListener('keydown', byKey)
    return () => {
      element.removeEventListener('contextmenu', atPointer)
      element.removeEventListener('keydown', byKey)
    }
  }
