import ArrowLeft from '@lucide/svelte/icons/arrow-left'
import ArrowRight from '@lucide/svelte/icons/arrow-right'
import type { Command, Commands } from './commands.ts'
import { isOverlayOpen } from './listen-for-keys.ts'

/** The window's own history (`RouteManager`), with the keys that browsers use. */
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

/** Commands for the mouse's side buttons, by `MouseEvent.button`. */
const BUTTONS: Readonly<Partial<Record<number, Command>>> = { 3: goBack, 4: goForward }

/** Navigates on the mouse's side buttons until aborted. A browser does this itself; Electron's window doesn't. */
export const listenForMouseButtons = (commands: Commands, signal: AbortSignal): void =>
  addEventListener(
    'mouseup',
    ({ button }) => {
      const command = BUTTONS[button]
      if (command !== undefined && !isOverlayOpen()) commands.run(command)
    },
    { signal },
  )
