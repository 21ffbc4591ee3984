import type { MenuItemConstructorOptions, Tray } from 'electron'

type ShownTray = Pick<Tray, 'setToolTip' | 'destroy' | 'on'> & {
  readonly setMenu: (items: MenuItemConstructorOptions[]) => void
}

interface TrayDoors {
  /** Puts the sign there. @throws where the system has no place for it */
  readonly make: () => ShownTray
  readonly open: () => void
  readonly newMessage: () => void
  readonly quit: () => void
  readonly failed: (thrown: unknown) => void
}

/** What stands beside the sign, in its tooltip and its menu. */
const unreadWords = (count: number): string => (count === 1 ? '1 unread thread' : `${count} unread threads`)

/**
 * Linnet's sign in the system's tray, where the person wants one: with it there, Linnet goes on when its last window is closed.
 */
export const createTray = ({ make, open, newMessage, quit, failed }: TrayDoors) => {
  let shown: ShownTray | null = null
  let unread = 0
  const draw = (): void => {
    if (shown === null) return
    const words = unread === 0 ? null : unreadWords(unread)
    shown.setToolTip(words === null ? 'Linnet' : `Linnet: ${words}`)
    shown.setMenu([
      ...(words === null ? [] : [{ label: words, enabled: false }, { type: 'separator' as const }]),
      { label: 'Open Linnet', click: open },
      { label: 'New message', click: newMessage },
      { type: 'separator' },
      { label: 'Quit', click: quit },
    ])
  }
  return {
    isShown: (): boolean => shown !== null,
    /** Shows the sign, or takes it away. */
    follow: (isWanted: boolean): void => {
      if (isWanted === (shown !== null)) return
      if (!isWanted) {
        shown?.destroy()
        shown = null
        return
      }
      try {
        shown = make()
        shown.on('click', open)
        draw()
      } catch (thrown) {
        shown = null
        failed(thrown)
      }
    },
    showUnread: (count: number): void => {
      if (count === unread) return
      unread = count
      draw()
    },
  }
}
