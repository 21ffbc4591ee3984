import { toProblem, type Problem, type ProblemCode } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import { healthOf, type SyncHealth } from './sync-health.ts'

const PASSING: ReadonlySet<ProblemCode> = new Set(['unreachable', 'platform_failed', 'rate_limited'] as const)

/** Whether a trouble ends by itself: then it is worth asking again soon. */
export const isPassing = (thrown: unknown): boolean => PASSING.has(toProblem(thrown).code)

/** How the way to the platform is, by how requests and pieces of work went. */
export interface Connection {
  readonly health: () => SyncHealth
  /** A piece of work failed: that is told until the same work succeeds. @returns what it is to a person */
  readonly fail: (work: string, thrown: unknown) => Problem
  /** A piece of work came to its end. */
  readonly succeed: (work: string) => void
  /** How a single request went. */
  readonly reach: (reach: Reach) => void
}

/** @param parts `changed` is called whenever something else is to be told; `onOnline` when the platform is reached again */
export const createConnection = (parts: {
  readonly changed: () => void
  readonly onOnline: () => void
  /** Something went wrong that is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}): Connection => {
  const { changed, onOnline, report } = parts
  /** Whether the platform could be reached when that was last tried. */
  let isReached = true
  const failures = new Map<string, Problem>()

  return {
    health: () => healthOf(isReached, failures),
    fail: (work, thrown) => {
      const failure = toProblem(inStorageWords(thrown))
      if (failure.code === 'internal') report(thrown)
      if (failure.code === 'unreachable') isReached = false
      failures.set(work, failure)
      changed()
      return failure
    },
    succeed: (work) => {
      if (failures.delete(work)) changed()
    },
    reach: (reach) => {
      const wasReached = isReached
      isReached = reach !== 'unreachable'
      if (isReached === wasReached) return
      changed()
      if (isReached) onOnline()
    },
  }
}
