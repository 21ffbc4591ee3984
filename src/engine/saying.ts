import { ProblemError, type ProblemCode } from '../shared/result.ts'

export const problem = (code: ProblemCode, message: string, cause?: unknown): ProblemError =>
  new ProblemError({ code, message }, { cause })

/** The same failure with a sentence that fits what the person was doing; others stay as they are. */
export const saying = (thrown: unknown, sentences: Partial<Record<ProblemCode, string>>): unknown => {
  if (!(thrown instanceof ProblemError)) return thrown
  const message = sentences[thrown.problem.code]
  return message === undefined ? thrown : new ProblemError({ ...thrown.problem, message }, { cause: thrown })
}

export const INBOX_GONE = 'This inbox is no longer on the platform. Linnet keeps its mail.'
