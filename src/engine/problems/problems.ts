import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type StandingProblem } from '../../shared/result.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'
import { systemClock } from '../timing/clock.ts'

/** More than a person reads; the oldest ones make room. */
const MOST = 20

/** What a person should know until they put it away: state that a window reads whenever it is there to read it. */
export interface Problems {
  /** Oldest first. */
  readonly list: () => readonly StandingProblem[]
  /**
   * Keeps a problem until it is dismissed or over. One of the same ID takes the place of the one before. It is raised
   * when it begins, not each time it is met again: a dismissed one would come back.
   */
  readonly raise: (problem: Problem & { readonly id: string }) => void
  /** The problem is over: nobody needs to know any more. */
  readonly clear: (id: string) => void
}

const kept: z.ZodType<StandingProblem> = z.object({
  id: z.string().min(1),
  code: z.enum(PROBLEM_CODES),
  message: z.string().min(1),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  at: z.number(),
})

/**
 * The standing problems of an account, kept so that a restart does not end them. Nothing that is told here may stand in the
 * way of the mail itself.
 * @param changed called after each change
 * @param report is given what was thrown where the list cannot be written; it goes on in memory
 */
export const openProblems = (
  own: OwnLists,
  changed: () => void,
  report: (thrown: unknown) => void,
  now: () => number = systemClock.now,
): Problems => {
  const list = new OwnList(own, 'problems', kept)
  let problems: readonly StandingProblem[] = list.read().slice(-MOST)

  const keep = (next: readonly StandingProblem[]): void => {
    problems = next
    try {
      list.write(next)
    } catch (thrown) {
      report(thrown)
    }
    changed()
  }
  const without = (id: string): readonly StandingProblem[] => problems.filter((problem) => problem.id !== id)

  return {
    list: () => problems,
    raise: (problem) => keep([...without(problem.id), { ...problem, at: now() }].slice(-MOST)),
    clear: (id) => {
      if (problems.some((problem) => problem.id === id)) keep(without(id))
    },
  }
}
