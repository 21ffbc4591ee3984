import type { Problem, Result } from '../../shared/result.ts'

/** A request that a component makes, with what its button and its message show. */
export class Attempt {
  isBusy = $state(false)
  /** Why the latest run failed, or null. */
  problem = $state.raw<Problem | null>(null)

  /** @returns null while an earlier run has not ended, when nothing is requested */
  async run<Data>(request: () => Promise<Result<Data>>): Promise<Result<Data> | null> {
    if (this.isBusy) return null
    this.isBusy = true
    const result = await request()
    this.isBusy = false
    this.problem = result.ok ? null : result.error
    return result
  }
}
