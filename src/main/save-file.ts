import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, extname } from 'node:path'
import type { App, BaseWindow, Dialog } from 'electron'
import type { ChooseDirectory } from '../host/host-options.ts'
import { formatNumberedFilename } from '../shared/numbered-filename.ts'
import type { SavedFile } from '../shared/contract.ts'
import type { RequestedFile } from '../shared/engine-api.ts'
import { ProblemError, toProblem } from '../shared/result.ts'
import { classifyDiskError, getErrorCode } from '../shared/storage-problem.ts'
import type { ExportTargets } from '../host/export-handlers.ts'

/** Maximum number of names to try for a file: more than any folder has of one name. */
const MAX_NUMBERED_NAMES = 10_000

const ADVICE = {
  full: 'The disk is full. Free up some space, or choose another disk.',
  forbidden: 'You don’t have permission to write there. Choose another folder.',
  missing: 'This folder no longer exists. Choose another one.',
  broken: 'Choose another folder, or free up some space.',
} as const

const notWritten = (path: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'storage_failed',
      message: `The file could not be written to ${path}. ${ADVICE[classifyDiskError(cause) ?? 'broken']}`,
      details: { reason: getErrorCode(cause) },
    },
    { cause },
  )

/** A failed clean-up must not hide the original error. */
const removeQuietly = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined)

/** Replaces a file, or leaves it unchanged if writing fails, for example on a full disk. */
const replaceFile = async (path: string, content: Uint8Array): Promise<void> => {
  // Write to the target of a symbolic link, not over the link.
  const target = await realpath(path).catch(() => path)
  const part = join(dirname(target), `.${randomUUID()}.part`)
  try {
    await writeFile(part, content, { flag: 'wx' })
    await rename(part, target)
  } catch (thrown) {
    await removeQuietly(part)
    throw thrown
  }
}

/** Creates a complete file or none. @throws `EEXIST` if it exists */
const createFile = async (path: string, content: Uint8Array): Promise<void> => {
  // From here on the file is ours to remove on failure.
  const file = await open(path, 'wx')
  try {
    try {
      await writeFile(file, content)
    } finally {
      await file.close()
    }
  } catch (thrown) {
    await removeQuietly(path)
    throw thrown
  }
}

/** Asks where to save a file and writes it. @throws ProblemError `storage_failed` if it can't be written */
export const createFileSaver =
  (app: Pick<App, 'getPath'>, dialog: Pick<Dialog, 'showSaveDialog'>, windowOf: () => BaseWindow | null) =>
  async (file: RequestedFile): Promise<SavedFile> => {
    const options = {
      defaultPath: join(app.getPath('downloads'), file.filename),
      ...(file.filename.endsWith('.eml') && { filters: [{ name: 'E-mail', extensions: ['eml'] }] }),
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options))
    if (chosen.canceled || chosen.filePath === '') return { kind: 'cancelled' }
    try {
      await replaceFile(chosen.filePath, file.content)
    } catch (cause) {
      throw notWritten(chosen.filePath, cause)
    }
    return { kind: 'saved', path: chosen.filePath }
  }

/** Writes a file without overwriting others. @returns the name it was given */
const writeUnderFreeName = async (folder: string, { filename, content }: RequestedFile): Promise<string> => {
  for (let count = 1; count <= MAX_NUMBERED_NAMES; count += 1) {
    const name = formatNumberedFilename(filename, count)
    try {
      await createFile(join(folder, name), content)
      return name
    } catch (cause) {
      if (getErrorCode(cause) !== 'EEXIST') throw notWritten(join(folder, name), cause)
    }
  }
  throw notWritten(join(folder, filename), new Error('Every numbered filename is taken.'))
}

/**
 * Asks for a folder and writes files there without overwriting any.
 * @throws ProblemError `storage_failed` if one can't be written, or an error from `files`; earlier files stay
 */
export const createMultiFileSaver =
  (app: Pick<App, 'getPath'>, dialog: Pick<Dialog, 'showOpenDialog'>, windowOf: () => BaseWindow | null) =>
  async (_name: string, files: AsyncIterable<RequestedFile>): Promise<SavedFile> => {
    const options = {
      defaultPath: app.getPath('downloads'),
      buttonLabel: 'Save here',
      properties: ['openDirectory' as const, 'createDirectory' as const],
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
    const folder = chosen.filePaths[0]
    if (chosen.canceled || folder === undefined) return { kind: 'cancelled' }
    let saved = 0
    try {
      for await (const file of files) {
        await writeUnderFreeName(folder, file)
        saved += 1
      }
    } catch (thrown) {
      if (saved === 0) throw thrown
      const problem = toProblem(thrown)
      const count = saved === 1 ? '1 file was' : `${saved} files were`
      throw new ProblemError({ ...problem, message: `${problem.message} ${count} already saved.` }, { cause: thrown })
    }
    return { kind: 'saved', path: folder }
  }

const FOLDER_DIALOGS = {
  backups: { title: 'Backup folder', buttonLabel: 'Back up here', properties: ['createDirectory'] },
  backup: { title: 'Backup to restore', buttonLabel: 'Choose backup', properties: [] },
} as const

export const createDirectoryPicker =
  (dialog: Pick<Dialog, 'showOpenDialog'>, windowOf: () => BaseWindow | null): ChooseDirectory =>
  async (of, at) => {
    const { title, buttonLabel, properties } = FOLDER_DIALOGS[of]
    const options = {
      ...{ title, buttonLabel, properties: ['openDirectory' as const, ...properties] },
      ...(at !== undefined && { defaultPath: at }),
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
  }

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
    return { path: chosen.filePath, mayReplace: existsSync(chosen.filePath) }
  },
  deliver: (path) => Promise.resolve({ kind: 'saved', path }),
})
