/** Exports an account's stored mail to a file, even while another process has the account open. */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import type { ExportTarget } from '../../shared/engine-api.ts'
import { formatNumberedFilename } from '../../shared/numbered-filename.ts'
import { createProblem, ProblemError } from '../../shared/result.ts'
import { getErrorCode } from '../../shared/storage-problem.ts'
import { partsWorkerFile } from '../mail/attachments/parse-in-worker.ts'
import { CACHE_NAME } from '../own/account-files.ts'
import { openCacheReadOnly } from '../store/cache.ts'
import { flush } from '../store/durable-file.ts'
import { attempt, toStorageError } from '../store/storage-problem.ts'
import { serializeContactTable } from './export/contact-table.ts'
import { toExportProblem, type ExportHost, type ExportProgress, type ExportTask } from './export/write-export.ts'
import { filesWorkerFile, runFileTask } from './run-file-task.ts'

/** Highest number tried in `name (2).mbox` before giving up. */
const MAX_NAME_NUMBER = 10_000

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return getErrorCode(thrown) !== 'ESRCH'
  }
}

/** Removes what exports to this path left behind when their process was killed. */
const removeLeftovers = (path: string): void => {
  const name = basename(path)
  for (const each of readdirSync(dirname(path))) {
    const pid = each.startsWith(`${name}.`) && /^\.(\d+)-[\da-f]{8}\.part$/.exec(each.slice(name.length))?.[1]
    if (pid && !isRunning(Number(pid))) rmSync(join(dirname(path), each), { force: true })
  }
}

/**
 * Creates the file that is written until the export is complete, which proves that the folder is writable.
 * @returns its path, next to the target @throws ProblemError `invalid_input` (path), `storage_failed`
 */
export const createPartFile = ({ path, mayReplace }: ExportTarget): string => {
  if (!isAbsolute(path)) throw createProblem('invalid_input', 'Type the full path of the file.')
  const there = statSync(path, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) {
    throw createProblem('invalid_input', 'A folder with this name already exists. Choose another name.')
  }
  if (there !== undefined && !mayReplace) {
    throw createProblem('invalid_input', 'This file already exists; nothing was replaced. Choose another name.')
  }
  const part = `${path}.${process.pid}-${randomUUID().slice(0, 8)}.part`
  // A folder may be writable but not readable.
  attempt(() => removeLeftovers(path))
  try {
    closeSync(openSync(part, 'wx', 0o600))
  } catch (thrown) {
    if (toExportProblem(thrown, path) === null) throw thrown
    const message = `The file ${path} could not be created. Choose another folder, or free up some space.`
    throw createProblem('storage_failed', message, thrown)
  }
  return part
}

/** @returns false if the name is taken */
const claimName = (part: string, path: string): boolean => {
  try {
    linkSync(part, path)
  } catch (thrown) {
    if (getErrorCode(thrown) === 'EEXIST' || existsSync(path)) return false
    // For disks without hard links: a file created between this check and the rename is overwritten.
    renameSync(part, path)
  }
  rmSync(part, { force: true })
  return true
}

/** Renames the complete file, replacing another only if allowed. Returns its path. */
const finishPartFile = (part: string, { path, mayReplace }: ExportTarget): string => {
  const folder = dirname(path)
  for (let count = 1; count <= MAX_NAME_NUMBER; count += 1) {
    const name = join(folder, formatNumberedFilename(basename(path), count))
    if (mayReplace) renameSync(part, name)
    else if (!claimName(part, name)) continue
    attempt(() => flush(folder))
    return name
  }
  throw new Error('All numbered file names are taken.')
}

/**
 * Writes an export to its part file and gives it its name. A failure leaves no file.
 * @returns the counts and the path of the file @throws the signal's reason; ProblemError `storage_failed` if the mail
 * can't be read or the file can't be written
 */
export const exportToFile = async (
  task: Omit<ExportTask, 'path'>,
  target: ExportTarget,
  filesWorker: string,
  host: ExportHost,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly progress: ExportProgress }> => {
  try {
    const progress = await runFileTask(
      filesWorker,
      host,
      (files) => files.export({ ...task, path: target.path }),
      signal,
    )
    return { path: finishPartFile(task.part, target), progress }
  } catch (thrown) {
    rmSync(task.part, { force: true })
    signal.throwIfAborted()
    const problem = toExportProblem(thrown, target.path)
    throw problem === null ? thrown : new ProblemError(problem, { cause: thrown })
  }
}

/**
 * Exports the mail of an account's folder as it is stored, without requests.
 * @throws the same errors as `createPartFile` and `exportToFile`
 */
export const exportStoredMail = (
  directory: string,
  { mail, format }: Pick<ExportTask, 'mail' | 'format'>,
  target: ExportTarget,
  signal: AbortSignal,
  onExported: ExportHost['onExported'],
): ReturnType<typeof exportToFile> => {
  const task = {
    ...{ directory, mail, format, isFetching: false, searched: { ids: [], isWhole: false } },
    partsWorker: partsWorkerFile(import.meta.filename),
    part: createPartFile(target),
  }
  const host = { onExported, fetchThread: () => Promise.resolve(), fetchEmail: () => Promise.resolve(false) }
  return exportToFile(task, target, filesWorkerFile(import.meta.filename), host, signal)
}

/** The contacts of an account's folder as CSV. */
export const exportContactsCsv = async (directory: string): Promise<Uint8Array> => {
  try {
    const opened = openCacheReadOnly(join(directory, CACHE_NAME))
    try {
      return (await serializeContactTable(opened.cache.contacts)).content
    } finally {
      opened.close()
    }
  } catch (thrown) {
    throw toStorageError(thrown)
  }
}
