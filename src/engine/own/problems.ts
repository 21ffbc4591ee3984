import { z } from 'zod'
import { PROBLEM_CODES, type Problem, type PersistentProblem } from '../../shared/result.ts'
import { LocalList, type LocalLists } from '../store/local-list.ts'
import { systemClock } from '../timing/clock.ts'
import { attempt } from '../store/storage-problem.ts'

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
  readonly #changed: () => void
  readonly #report: (thrown: unknown) => void
  readonly #now: () => number
  #problems: readonly PersistentProblem[]

  /** @param report called if the list can't be written; it then exists only in memory */
  constructor(
    own: LocalLists,
    changed: () => void,
    report: (thrown: unknown) => void,
    now: () => number = systemClock.now,
  ) {
    this.#list = new LocalList(own, 'problems', kept)
    this.#changed = changed
    this.#report = report
    this.#now = now
    this.#problems = this.#list.read().slice(-MAX)
  }

  /** Oldest first. */
  list(): readonly PersistentProblem[] {
    return this.#problems
  }

  /** Replaces a problem with the same ID. Call only when it starts, or a dismissed problem would reappear. */
  raise(problem: Problem & { readonly id: string }): void {
    this.#persist([...this.#without(problem.id), { ...problem, at: this.#now() }].slice(-MAX))
  }

  clear(id: string): void {
    if (this.#problems.some((problem) => problem.id === id)) this.#persist(this.#without(id))
  }

  #without(id: string): readonly PersistentProblem[] {
    return this.#problems.filter((problem) => problem.id !== id)
  }

  #persist(next: readonly PersistentProblem[]): void {
    this.#problems = next
    attempt(() => this.#list.write(next), this.#report)
    this.#changed()
  }
}
