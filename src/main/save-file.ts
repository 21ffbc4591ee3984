import { randomUUID } from 'node:crypto'
import { open, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { App, BaseWindow, Dialog } from 'electron'
import type { ChooseFolder } from '../host/host-options.ts'
import { numberedFilename } from '../host/numbered-filename.ts'
import type { SavedFile } from '../shared/contract.ts'
import type { RawEmail } from '../shared/engine-link.ts'
import { ProblemError, toProblem } from '../shared/result.ts'

/** More files of one name than a folder ever has. */
const MOST_OF_A_NAME = 10_000

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown'

const adviceOf = (code: string): string => {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk is full. Free some space, or choose another disk.'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'You have no permission to write there. Choose another folder.'
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'This folder is gone. Choose another one.'
  return 'Choose another folder, or free some space.'
}

const notWritten = (path: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'storage_failed',
      message: `The file could not be written to ${path}. ${adviceOf(codeOf(cause))}`,
      details: { reason: codeOf(cause) },
    },
    { cause },
  )

/** Removing what was begun is tried, and what happened before is what is told. */
const removeQuietly = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined)

/**
 * Writes a file in the place of one that may be there, which stays as it was where this cannot be written whole: a disk
 * may be full in the middle.
 */
const replaceFile = async (path: string, content: Uint8Array): Promise<void> => {
  // What a link leads to is meant, not the link.
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

/** Writes a file where none is, whole or not at all. @throws `EEXIST` where one is */
const createFile = async (path: string, content: Uint8Array): Promise<void> => {
  // From here on the file is this one's own, to be removed where it cannot be filled.
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
      await replaceFile(chosen.filePath, file.content)
    } catch (cause) {
      throw notWritten(chosen.filePath, cause)
    }
    return { kind: 'saved', path: chosen.filePath }
  }

/** Writes a file beside those that are there. @returns the name that it got */
const writeBeside = async (folder: string, { filename, content }: RawEmail): Promise<string> => {
  for (let count = 1; count <= MOST_OF_A_NAME; count += 1) {
    const name = numberedFilename(filename, count)
    try {
      await createFile(join(folder, name), content)
      return name
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw notWritten(join(folder, name), cause)
    }
  }
  throw notWritten(join(folder, filename), new Error('Every name is taken.'))
}

/**
 * Asks for a folder and writes files there, none in the place of another.
 * @throws ProblemError `storage_failed` where one cannot be written, or why one cannot be had: those before it stay
 */
export const createSaveFiles =
  (app: Pick<App, 'getPath'>, dialog: Pick<Dialog, 'showOpenDialog'>, windowOf: () => BaseWindow | null) =>
  async (_name: string, files: AsyncIterable<RawEmail>): Promise<SavedFile> => {
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
        await writeBeside(folder, file)
        saved += 1
      }
    } catch (thrown) {
      if (saved === 0) throw thrown
      const problem = toProblem(thrown)
      const count = saved === 1 ? '1 file was' : `${saved} files were`
      throw new ProblemError({ ...problem, message: `${problem.message} ${count} saved already.` }, { cause: thrown })
    }
    return { kind: 'saved', path: folder }
  }

const FOLDER_WORDS = {
  backups: { title: 'Folder for backups', buttonLabel: 'Back up here', properties: ['createDirectory'] },
  backup: { title: 'Backup to restore', buttonLabel: 'Restore', properties: [] },
} as const

/** Asks for a folder with the desktop's dialog. */
export const createChooseFolder =
  (dialog: Pick<Dialog, 'showOpenDialog'>, windowOf: () => BaseWindow | null): ChooseFolder =>
  async (of, at) => {
    const { title, buttonLabel, properties } = FOLDER_WORDS[of]
    const options = {
      ...{ title, buttonLabel, properties: ['openDirectory' as const, ...properties] },
      ...(at !== undefined && { defaultPath: at }),
    }
    const window = windowOf()
    const chosen = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
    return chosen.canceled ? null : (chosen.filePaths[0] ?? null)
  }
