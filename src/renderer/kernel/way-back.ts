import ArrowLeft from '@lucide/svelte/icons/arrow-left'
import ArrowRight from '@lucide/svelte/icons/arrow-right'
import type { Command, Commands } from './commands.ts'
import { isOverlayOpen } from './listen-for-keys.ts'

/** The window's own history (`RouteManager`): a browser goes through it by the same keys. */
export const goBack: Command = {
  id: 'go.back',
  name: 'Go back',
  words: 'previous before history return',
  group: 'Go to',
  icon: ArrowLeft,
  keys: ['Mod+[', 'Alt+ArrowLeft'],
  run: ({ shell }) => shell.route.back(),
}

export const goForward: Command = {
  id: 'go.forward',
  name: 'Go forward',
  words: 'next after history',
  group: 'Go to',
  icon: ArrowRight,
  keys: ['Mod+]', 'Alt+ArrowRight'],
  run: () => history.forward(),
}

/** The buttons at the side of a mouse, as a `MouseEvent` counts them. */
const BUTTONS: Readonly<Partial<Record<number, Command>>> = { 3: goBack, 4: goForward }

/**
 * Goes back and forward by the buttons of a mouse, until the signal. A browser does it by itself; the desktop's window has nobody
 * else who would.
 */
export const listenForMouseButtons = (commands: Commands, signal: AbortSignal): void =>
  addEventListener(
    'mouseup',
    ({ button }) => {
      const command = BUTTONS[button]
      if (command !== undefined && !isOverlayOpen()) commands.run(command)
    },
    { signal },
  )
