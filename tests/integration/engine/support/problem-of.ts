import { ProblemError } from '../../../../src/shared/result.ts'

/** What a piece of work failed with: the problem where it is told as one, else what was thrown. */
export const problemOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (thrown) {
    return thrown instanceof ProblemError ? thrown.problem : thrown
  }
  return 'no problem'
}
