import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type StandingProblem } from '../../shared/result.ts'
import { OwnList, type OwnLists } from '../store/own-list.ts'
import { systemClock } from '../timing/clock.ts'

/** More than a person reads; the oldest ones make room. */
const MOST = 20

const kept: z.ZodType<StandingProblem> = z.object({
  id: z.string().min(1),
  code: z.enum(PROBLEM_CODES),
  message: z.string().min(1),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  at: z.number(),
})

/**
 * What a person should know until they put it away, kept so that a restart does not end it: state that a window reads whenever
 * it is there to read it. Nothing that is told here may stand in the way of the mail itself.
 */
export class Problems {
  readonly #list: OwnList<StandingProblem>
  readonly #changed: () => void
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number
  #problems: readonly StandingProblem[]

  /**
   * @param changed called after each change
   * @param report is given what was thrown where the list cannot be written; it goes on in memory
   */
  constructor(
    own: OwnLists,
    changed: () => void,
    report: (thrown: unknown) => void,
    now: () => number = systemClock.now,
  ) {
    this.#list = new OwnList(own, 'problems', kept)
    this.#changed = changed
    this.#report = report
    this.#now = now
    this.#problems = this.#list.read().slice(-MOST)
  }

  /** Oldest first. */
  list(): readonly StandingProblem[] {
    return this.#problems
  }

  /**
   * Keeps a problem until it is dismissed or over. One of the same ID takes the place of the one before. It is raised
   * when it begins, not each time it is met again: a dismissed one would come back.
   */
  raise(problem: Problem & { readonly id: string }): void {
    this.#keep([...this.#without(problem.id), { ...problem, at: this.#now() }].slice(-MOST))
  }

  /** The problem is over: nobody needs to know any more. */
  clear(id: string): void {
    if (this.#problems.some((problem) => problem.id === id)) this.#keep(this.#without(id))
  }

  #without(id: string): readonly StandingProblem[] {
    return this.#problems.filter((problem) => problem.id !== id)
  }

  #keep(next: readonly StandingProblem[]): void {
    this.#problems = next
    try {
      this.#list.write(next)
    } catch (thrown) {
      this.#report(thrown)
    }
    this.#changed()
  }
}
