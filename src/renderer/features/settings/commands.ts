import Settings from '@lucide/svelte/icons/settings'
import type { Command } from '../../kernel/commands.ts'

export const SETTINGS_COMMANDS: readonly Command[] = [
  {
    id: 'go.settings',
    name: 'Go to settings',
    words: 'preferences options theme density account',
    group: 'Go to',
    icon: Settings,
    keys: ['Mod+,'],
    inText: true,
    run: ({ shell }) => shell.route.go({ view: 'settings' }),
  },
]
