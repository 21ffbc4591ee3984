import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import type { ExportTarget } from '../../../shared/engine-api.ts'
import type { ExportSettings } from '../../../shared/export.ts'
import { toProblem, type Problem, createProblem } from '../../../shared/result.ts'
import { toStorageError } from '../../store/storage-problem.ts'
import type { ExportRequest } from './export-request.ts'
import { createPartFile, partPathOf } from './part-file.ts'

export const toExportProblem = (thrown: unknown, path: string): Problem => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const advice =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL'
      ? 'The disk is full. Free up some space, then start again.'
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? 'Linnet can’t write to this folder. Export to another one.'
        : code === 'ENOENT' || code === 'ENOTDIR'
          ? 'The folder no longer exists. Restore it, then start again.'
          : code === 'EIO' || code === 'EFBIG' || code === 'EMFILE'
            ? 'Linnet could not write to the disk. Check the disk, or export to another one.'
            : null
  if (advice === null) return toProblem(thrown)
  return { code: 'storage_failed', message: `The export to ${path} has stopped. ${advice}`, details: { reason: code } }
}

/** The user-facing error of an export that could not start. */
export const toExportStartError = (thrown: unknown, path: string): unknown => {
  const { code } = toExportProblem(thrown, path)
  return code === 'internal'
    ? toStorageError(thrown)
    : createProblem(code, `The file ${path} could not be created. Choose another folder, or free up some space.`)
}

/**
 * Creates an empty part file, which proves that the folder is writable. @throws ProblemError `invalid_input` (path),
 * `storage_failed`
 */
export const prepareExport = async (
  { mail, format, isFetching }: Pick<ExportSettings, 'mail' | 'format' | 'isFetching'>,
  { path, mayReplace, isLent = false }: ExportTarget,
  now: number,
): Promise<ExportRequest> => {
  if (!isAbsolute(path)) throw createProblem('invalid_input', 'Type the full path of the file.')
  const there = await stat(path).catch(() => null)
  if (there?.isDirectory() === true) {
    throw createProblem('invalid_input', 'A folder with this name already exists. Choose another name.')
  }
  if (there !== null && !mayReplace) {
    throw createProblem('invalid_input', 'This file already exists; nothing was replaced. Choose another name.')
  }
  const id = randomUUID()
  const part = partPathOf(path, id)
  await createPartFile(part).catch((thrown: unknown) => {
    throw toExportStartError(thrown, path)
  })
  return { id, mail, format, isFetching, path, part, mayReplace, isLent, startedAt: now }
}
