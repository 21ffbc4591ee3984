import { isDeepStrictEqual } from 'node:util'
import { type Problem, type ProblemCode, toProblem } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { Unreachable } from '../api/platform-problem.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import type { SyncStatus } from '../../shared/model.ts'
import { SignInWanted } from '../api/sign-in.ts'
import { type ProxyInUse, proxyThatAsks } from '../../shared/proxy.ts'

const PASSING: ReadonlySet<ProblemCode> = new Set(['unreachable', 'platform_failed', 'rate_limited'] as const)

/** Whether a trouble ends by itself: then it is worth asking again soon. */
export const isPassing = (thrown: unknown): boolean => PASSING.has(toProblem(thrown).code)

interface ConnectionParts {
  /** Called whenever the state has changed. */
  readonly changed: () => void
  readonly onOnline: () => void
  /** Something went wrong that is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}

const KEY_TROUBLE: ReadonlySet<ProblemCode> = new Set([
  'key_rejected',
  'key_restricted',
  'key_of_another_account',
] as const)

/** How all work of the sync goes together. */
interface SyncHealth {
  readonly connection: Exclude<SyncStatus['connection'], 'needsKey'>
  readonly problem: Problem | null
  /** Where the network wants a person to sign in first; left out where it does not. */
  readonly signInPage?: string
  /** The proxy that wants another name and password; left out where none does. */
  readonly askingProxy?: ProxyInUse
}

/** What a person has to do something about comes before what passes by itself. */
const urgencyOf = ({ code }: Problem): number => {
  if (KEY_TROUBLE.has(code)) return 0
  if (code === 'storage_failed') return 1
  return code === 'internal' ? 2 : 3
}

/**
 * What the status line says, by how each piece of work ended last: what one of them achieved says nothing of another.
 * @param failures of those that failed last time, by name
 */
export const healthOf = (reach: Reach, failures: ReadonlyMap<string, Problem>): SyncHealth => {
  const cut = reach === 'reached' ? null : reach
  // Being offline is said by the connection itself, unless a person has to do something about it.
  const told = [...failures.values()].filter(({ code }) => code !== 'unreachable')
  const all = cut?.needsPerson === true ? [cut.problem, ...told] : told
  const [problem = null] = all.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
  const isRefused = told.some(({ code }) => KEY_TROUBLE.has(code))
  const askingProxy = cut === null ? null : proxyThatAsks(cut.problem)
  return {
    connection: cut !== null ? 'offline' : isRefused ? 'refused' : 'online',
    problem,
    ...(cut instanceof SignInWanted && { signInPage: cut.page }),
    ...(askingProxy !== null && { askingProxy }),
  }
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
