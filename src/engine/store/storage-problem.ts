import { ProblemError } from '../../shared/result.ts'
import { codeOfThrown, storageProblem } from '../../shared/storage-problem.ts'

/** True if the file itself is damaged. It is then moved aside and rebuilt from the platform. */
export const isCorrupt = (thrown: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOfThrown(thrown))

/** Converts file errors to user-facing errors. Returns other errors unchanged. */
export const toStorageError = (thrown: unknown): unknown => {
  const problem = thrown instanceof ProblemError ? null : storageProblem(thrown)
  return problem === null ? thrown : new ProblemError(problem, { cause: thrown })
}
