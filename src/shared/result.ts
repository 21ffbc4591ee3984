/**
 * One code for each way to react, and a message that says what happened, what was kept and what to do. Stacks stay in
 * the host.
 */
export const PROBLEM_CODES = [
  'invalid_input', // correct what was typed
  'no_account', // connect an account
  'key_missing', // enter the API key
  'key_rejected', // check the API key
  'key_of_another_account', // enter a key of this account, or connect the other one
  'key_restricted', // use a key with full access
  'unreachable', // go online, or check the base URL
  'not_a_mail_platform', // check the base URL
  'not_found', // look elsewhere: it is gone
  'query_invalid', // fix the search
  'rate_limited', // wait
  'platform_failed', // wait, or tell the platform
  'conflict', // look at the current state: it was changed elsewhere
  'refused', // read why: Linnet or the platform rejected it
  'storage_failed', // free the disk, check the folder
  'cancelled', // nothing: a newer request replaced it
  'internal', // report it
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export interface Problem {
  readonly code: ProblemCode
  readonly message: string
  /** Further details, such as the platform's message, a status, or the name of a field. Never a key. */
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** A problem shown until dismissed, even if no window was open when it occurred. */
export interface PersistentProblem extends Problem {
  /** Stays the same when the problem recurs. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export type Result<Data> = { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly error: Problem }

export const ok = <Data>(data: Data): Result<Data> => ({ ok: true, data })

export const fail = (code: ProblemCode, message: string, details?: Problem['details']): Result<never> => ({
  ok: false,
  error: details === undefined ? { code, message } : { code, message, details },
})

/** Carries a `Problem` through code that throws; `toProblem` extracts it. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.message, options)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

export const createProblem = (code: ProblemCode, message: string, cause?: unknown): ProblemError =>
  new ProblemError({ code, message }, { cause })

/** @throws ProblemError if the result is an error */
export const unwrap = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new ProblemError(result.error)
  return result.data
}

/** User-facing form of a thrown value. Anything but a `ProblemError` is a bug in Linnet, so its message isn't shown. */
export const toProblem = (thrown: unknown): Problem =>
  thrown instanceof ProblemError
    ? thrown.problem
    : {
        code: 'internal',
        message: 'Something went wrong in Linnet. Nothing is lost. Try again. If the problem comes back, report it.',
      }
