import type { Attachment } from 'svelte/attachments'

/** Opens a menu by right click, the menu key or Shift+F10. @param open receives window coordinates in pixels */
export const contextMenuTrigger =
  (open: (x: number, y: number) => void): Attachment<HTMLElement> =>
  (element) => {
    const onContextMenu = (event: MouseEvent): void => {
      // An inner element has already opened its own menu.
      if (event.defaultPrevented) return
      event.preventDefault()
      open(event.clientX, event.clientY)
    }
    const onMenuKey = (event: KeyboardEvent): void => {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
      event.preventDefault()
      event.stopPropagation()
      const { left, top, height } = element.getBoundingClientRect()
      open(left + height, top + height / 2)
    }
    element.addEventListener('contextmenu', onContextMenu)
    element.addEventListener('keydown', onMenuKey)
    return () => {
      element.removeEventListener('contextmenu', onContextMenu)
      element.removeEventListener('keydown', onMenuKey)
    }
  }
