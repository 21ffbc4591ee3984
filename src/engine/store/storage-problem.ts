import { ProblemError } from '../../shared/result.ts'
import { codeOfThrown, storageProblem } from '../../shared/storage-words.ts'

/** Whether the file itself is broken: it is then moved aside and rebuilt from the platform. */
export const isCorrupt = (thrown: unknown): boolean => /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOfThrown(thrown))

/** The same error in a person's words where it is about files, else as it was. */
export const inStorageWords = (thrown: unknown): unknown => {
  const problem = thrown instanceof ProblemError ? null : storageProblem(thrown)
  return problem === null ? thrown : new ProblemError(problem, { cause: thrown })
}
