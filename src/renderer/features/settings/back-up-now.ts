import Save from '@lucide/svelte/icons/hard-drive-download'
import type { Command } from '../../kernel/commands.ts'

/** Where no folder is chosen yet, the settings are where that is done. */
export const backUpNow: Command = {
  id: 'backup.now',
  name: 'Back up now',
  words: 'copy save restore mail account folder',
  group: 'Linnet',
  icon: Save,
  keys: [],
  when: ({ shell }) => shell.account.shown?.kind === 'platform',
  run: ({ shell }) => {
    const { backend, route, toasts } = shell
    void backend.call('backup.state', {}).then(async (state) => {
      if (state.ok && state.data.folder === null) {
        route.go({ view: 'settings' })
        toasts.say('Choose a folder for backups first.')
        return
      }
      toasts.say('Backing up…')
      const result = await backend.call('backup.now', {})
      if (result.ok) toasts.say('Backup complete.')
      else if (result.error.code !== 'cancelled') toasts.problem(result.error)
    })
  },
}
