import Download from '@lucide/svelte/icons/download'
import RotateCw from '@lucide/svelte/icons/rotate-cw'
import type { Command } from '../../kernel/commands.ts'

const installUpdate: Command = {
  id: 'update.install',
  name: 'Restart to update',
  words: 'install upgrade new version relaunch',
  group: 'Help',
  icon: RotateCw,
  when: ({ shell }) => shell.updates.isReady && shell.preferences.values.looksForUpdates,
  run: ({ shell }) => void shell.updates.install(),
}

export const UPDATE_COMMANDS: readonly Command[] = [
  {
    id: 'update.check',
    name: 'Check for updates',
    words: 'upgrade new version newest release',
    group: 'Help',
    icon: Download,
    // In a browser, the server determines the version.
    when: () => window.linnet !== undefined,
    run: ({ shell }) => {
      shell.route.go({ view: 'settings', section: 'updates' })
      if (shell.preferences.values.looksForUpdates) void shell.updates.check()
    },
  },
  installUpdate,
]
