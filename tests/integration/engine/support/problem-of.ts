import { ProblemError } from '../../../../src/shared/result.ts'

/** The problem that an operation failed with, or whatever else it threw. */
export const problemOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (thrown) {
    return thrown instanceof ProblemError ? thrown.problem : thrown
  }
  return 'no problem'
}
