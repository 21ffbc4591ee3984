import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { ProblemError } from '../shared/result.ts'

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown'

/** True for a full disk, which can still be read. */
export const isDiskFullError = (thrown: unknown): boolean => /^(?:ENOSPC|EDQUOT)$/.test(codeOf(thrown))

export const toDirectoryError = (path: string, cause: unknown): ProblemError => {
  const remedy = isDiskFullError(cause) ? 'The disk is full. Free up some space' : 'Check the folder’s permissions'
  const message = `Linnet cannot store mail in ${path}. ${remedy}, then try again.`
  return new ProblemError({ code: 'storage_failed', message, details: { reason: codeOf(cause) } }, { cause })
}

/** Creates a private folder, or checks that it is writable. @throws ProblemError `storage_failed` */
export const ensureDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw toDirectoryError(path, cause)
  }
}
