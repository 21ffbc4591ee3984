import { ProblemError, type ProblemCode } from '../../shared/result.ts'

/** Replaces the message with one that fits the user's action, if there is one for the code. */
export const withMessage = (thrown: unknown, sentences: Partial<Record<ProblemCode, string>>): unknown => {
  if (!(thrown instanceof ProblemError)) return thrown
  const message = sentences[thrown.problem.code]
  return message === undefined ? thrown : new ProblemError({ ...thrown.problem, message }, { cause: thrown })
}

/** Waits for a response. @throws `withMessage` */
export const withMessages = async <Value>(
  response: Promise<Value>,
  sentences: Parameters<typeof withMessage>[1],
): Promise<Value> => {
  try {
    return await response
  } catch (thrown) {
    throw withMessage(thrown, sentences)
  }
}

export const INBOX_GONE_MESSAGE = 'This inbox is no longer on the platform. Linnet keeps its mail.'
