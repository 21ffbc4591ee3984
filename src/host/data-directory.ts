import { mkdir } from 'node:fs/promises'
import { ProblemError } from '../shared/result.ts'

/**
 * Makes a folder that only this person can read.
 * @throws ProblemError `storage_failed` where the system does not let it
 */
export const makeDirectory = async (path: string): Promise<void> => {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const remedy = reason === 'ENOSPC' ? 'The disk is full: free some space' : 'See that you may write there'
    const message = `Linnet cannot keep mail in ${path}. ${remedy}, then try again.`
    throw new ProblemError({ code: 'storage_failed', message, details: { reason } }, { cause })
  }
}
