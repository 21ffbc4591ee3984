import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App, BaseWindow, Dialog } from 'electron'
import type { SavedFile } from '../shared/contract.ts'
import type { RawEmail } from '../shared/engine-link.ts'
import { ProblemError } from '../shared/result.ts'

/** Asks where a file shall go and writes it there. @throws ProblemError `storage_failed` where it cannot be written */
export const createSaveFile =
  (app: Pick<App, 'getPath'>, dialog: Pick<Dialog, 'showSaveDialog'>, windowOf: () => BaseWindow | null) =>
  async (file: RawEmail): Promise<SavedFile> => {
    const options = {
      defaultPath: join(app.getPath('downloads'), file.filename),
      ...(file.filename.endsWith('.eml') && { filters: [{ name: 'E-mail', extensions: ['eml'] }] }),
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options))
    if (chosen.canceled || chosen.filePath === '') return { kind: 'cancelled' }
    try {
      await writeFile(chosen.filePath, file.content)
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
      throw new ProblemError(
        {
          code: 'storage_failed',
          message: `The file could not be written to ${chosen.filePath}. Choose another folder, or free some space.`,
          details: { reason },
        },
        { cause },
      )
    }
    return { kind: 'saved', path: chosen.filePath }
  }
