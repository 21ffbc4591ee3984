import { isDeepStrictEqual } from 'node:util'
import { toProblem, type Problem, type ProblemCode } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { Unreachable } from '../api/platform-problem.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import { healthOf, type SyncHealth } from './sync-health.ts'

const PASSING: ReadonlySet<ProblemCode> = new Set(['unreachable', 'platform_failed', 'rate_limited'] as const)

/** Whether a trouble ends by itself: then it is worth asking again soon. */
export const isPassing = (thrown: unknown): boolean => PASSING.has(toProblem(thrown).code)

interface ConnectionParts {
  /** Called whenever the state has changed. */
  readonly changed: () => void
  /** The platform is reached again. */
  readonly onOnline: () => void
  /** Something went wrong that is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}

/** The state of the way to the platform, by how requests and pieces of work went. */
export class Connection {
  readonly #parts: ConnectionParts
  /** How it went when the platform was last asked. */
  #reach: Reach = 'reached'
  readonly #failures = new Map<string, Problem>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  health(): SyncHealth {
    return healthOf(this.#reach, this.#failures)
  }

  /** A piece of work failed: that holds until the same work succeeds. */
  fail(work: string, thrown: unknown): void {
    const failure = toProblem(inStorageWords(thrown))
    if (failure.code === 'internal') this.#parts.report(thrown)
    if (thrown instanceof Unreachable) this.#reach = thrown
    this.#failures.set(work, failure)
    this.#parts.changed()
  }

  /** A piece of work came to its end. */
  succeed(work: string): void {
    if (this.#failures.delete(work)) this.#parts.changed()
  }

  /** How a single request went. */
  reach(reach: Reach): void {
    const before = this.#reach
    if (before === reach) return
    const said = this.health()
    this.#reach = reach
    if (!isDeepStrictEqual(said, this.health())) this.#parts.changed()
    if (reach === 'reached') this.#parts.onOnline()
  }
}
