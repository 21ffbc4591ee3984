import type { BaseWindow, Dialog } from 'electron'
import type { ChooseFolder } from '../host/host-options.ts'

const WORDS = {
  backups: { title: 'Folder for backups', buttonLabel: 'Back up here', properties: ['createDirectory'] },
  backup: { title: 'Backup to restore', buttonLabel: 'Restore', properties: [] },
} as const

/** Asks for a folder with the desktop's dialog. */
export const createChooseFolder =
  (dialog: Pick<Dialog, 'showOpenDialog'>, windowOf: () => BaseWindow | null): ChooseFolder =>
  async (of, at) => {
    const { title, buttonLabel, properties } = WORDS[of]
    const options = {
      ...{ title, buttonLabel, properties: ['openDirectory' as const, ...properties] },
      ...(at !== undefined && { defaultPath: at }),
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
  }
