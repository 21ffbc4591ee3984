import { access } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { App, BaseWindow, Dialog } from 'electron'
import type { ExportTargets } from '../host/export-handlers.ts'

/** Asks for the export's target with the system's save dialog, which also confirms overwriting. */
export const createExportTargets = (
  app: Pick<App, 'getPath'>,
  dialog: Pick<Dialog, 'showSaveDialog'>,
  windowOf: () => BaseWindow | null,
): ExportTargets => ({
  targetOf: async (filename) => {
    const extension = extname(filename).slice(1)
    const options = {
      defaultPath: join(app.getPath('downloads'), filename),
      filters: [{ name: 'Mail', extensions: [extension] }],
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options))
    if (chosen.canceled || chosen.filePath === '') return null
    const isThere = await access(chosen.filePath).then(
      () => true,
      () => false,
    )
    return { path: chosen.filePath, mayReplace: isThere }
  },
  deliver: (path) => Promise.resolve({ kind: 'saved', path }),
})
