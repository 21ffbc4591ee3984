import Keyboard from '@lucide/svelte/icons/keyboard'
import SquareTerminal from '@lucide/svelte/icons/square-terminal'
import type { Command } from '../../kernel/commands.ts'

export const openPalette: Command = {
  id: 'commands.palette',
  name: 'Command palette',
  words: 'all commands run',
  group: 'Linnet',
  icon: SquareTerminal,
  keys: ['Mod+k'],
  inText: true,
  run: ({ frame }) => frame.showPalette(),
}

export const COMMAND_COMMANDS: readonly Command[] = [
  openPalette,
  {
    id: 'commands.keys',
    name: 'Keyboard shortcuts',
    words: 'help keys hotkeys bindings cheat sheet',
    group: 'Help',
    icon: Keyboard,
    keys: ['?'],
    run: ({ frame }) => frame.show('shortcuts'),
  },
]
