import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type PersistentProblem } from '../../shared/result.ts'
import { LocalList, type LocalLists } from './local-list.ts'
import { systemClock } from '../timing/clock.ts'

/** Maximum number of problems, more than anyone reads; the oldest are dropped. */
const MAX = 20

const kept: z.ZodType<PersistentProblem> = z.object({
  id: z.string().min(1),
  code: z.enum(PROBLEM_CODES),
  message: z.string().min(1),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  at: z.number(),
})

/** Problems shown until dismissed, even after a restart. A failure here must never affect the mail itself. */
export class Problems {
  readonly #list: LocalList<PersistentProblem>
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number

  /** @param report called if the list can't be written; it then exists only in memory */
  constructor(
    own: LocalLists,
    changed: () => void,
    report: (thrown: unknown) => void,
    now: () => number = systemClock.now,
  ) {
    this.#list = new LocalList(own, 'problems', kept, changed)
    this.#report = report
    this.#now = now
  }

  /** Oldest first. */
  list(): readonly PersistentProblem[] {
    return this.#list.entries
  }

  /** Replaces a problem with the same ID. Call only when it starts, or a dismissed problem would reappear. */
  raise(problem: Problem & { readonly id: string }): void {
    this.#persist([...this.#without(problem.id), { ...problem, at: this.#now() }].slice(-MAX))
  }

  clear(id: string): void {
    if (this.list().some((problem) => problem.id === id)) this.#persist(this.#without(id))
  }

  #without(id: string): readonly PersistentProblem[] {
    return this.list().filter((problem) => problem.id !== id)
  }

  #persist(next: readonly PersistentProblem[]): void {
    this.#list.setAnyway(next, this.#report)
  }
}
