/**
 * Errors as part of the contract: a code for each thing that a person can do about it, and a sentence that says what
 * happened, what was kept and what to do. No stack ever crosses the host's door.
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
  'not_found', // it is gone: look elsewhere
  'query_invalid', // fix the search
  'rate_limited', // wait
  'platform_failed', // wait, or tell the platform
  'conflict', // it was changed elsewhere: look at what is there now
  'refused', // the platform refused: read why
  'storage_failed', // free the disk, check the folder
  'cancelled', // nothing: a newer request took its place
  'internal', // report it
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

export interface Problem {
  readonly code: ProblemCode
  readonly message: string
  /** Facts beside the sentence: the platform's own words, status, a field's name. Never a key. */
  readonly details?: Readonly<Record<string, string | number | boolean>> | undefined
}

/** A problem that a person should know of until they dismiss it, whether or not a window was there when it came. */
export interface StandingProblem extends Problem {
  /** The same trouble keeps its ID. */
  readonly id: string
  /** When it came, milliseconds since the epoch. */
  readonly at: number
}

export type Result<Data> = { readonly ok: true; readonly data: Data } | { readonly ok: false; readonly error: Problem }

export const ok = <Data>(data: Data): Result<Data> => ({ ok: true, data })

export const fail = (code: ProblemCode, message: string, details?: Problem['details']): Result<never> => ({
  ok: false,
  error: details === undefined ? { code, message } : { code, message, details },
})

/** Carries a `Problem` through code that throws; `toProblem` takes it out again at the door. */
export class ProblemError extends Error {
  readonly problem: Problem

  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.message, options)
    this.name = 'ProblemError'
    this.problem = problem
  }
}

/** What was asked for. @throws ProblemError where it was refused */
export const unwrap = <Data>(result: Result<Data>): Data => {
  if (!result.ok) throw new ProblemError(result.error)
  return result.data
}

/** What any thrown value is to a person. What is not a `ProblemError` is ours to mend, so its own text stays inside. */
export const toProblem = (thrown: unknown): Problem =>
  thrown instanceof ProblemError
    ? thrown.problem
    : {
        code: 'internal',
        message: 'Something went wrong in Linnet. Nothing is lost. Try again; if it fails again, report it.',
      }
