import { ProblemError } from '../../shared/result.ts'
import { getErrorCode, toStorageProblem } from '../../shared/storage-problem.ts'

/** True if the file itself is damaged, and not only the search index. It is then moved aside and rebuilt. */
export const isCorruptionError = (thrown: unknown): boolean =>
  /^SQLITE_(?:CORRUPT(?!_VTAB)|NOTADB)/.test(getErrorCode(thrown))

/** Converts file errors to user-facing errors. Returns other errors unchanged. */
export const toStorageError = (thrown: unknown): unknown => {
  const problem = thrown instanceof ProblemError ? null : toStorageProblem(thrown)
  return problem === null ? thrown : new ProblemError(problem, { cause: thrown })
}

/** @throws `toStorageError` */
export const withStorageErrors = <Value>(work: () => Value): Value => {
  try {
    return work()
  } catch (thrown) {
    throw toStorageError(thrown)
  }
}

/** Does work that may fail without consequences, such as a write that the next one repeats. */
export const attempt = (work: () => void, report: (thrown: unknown) => void = () => undefined): void => {
  try {
    work()
  } catch (thrown) {
    report(thrown)
  }
}
