import type { Problem, Result } from '../../shared/result.ts'

/** State of a component's request, for its button and its error message. */
export class Attempt {
  isBusy = $state(false)
  /** Why the latest run failed, or null. */
  problem = $state.raw<Problem | null>(null)

  /** @returns null if an earlier run is still pending; the new request is then skipped */
  async run<Data>(request: () => Promise<Result<Data>>): Promise<Result<Data> | null> {
    if (this.isBusy) return null
    this.isBusy = true
    const result = await request()
    this.isBusy = false
    this.problem = result.ok ? null : result.error
    return result
  }
}
