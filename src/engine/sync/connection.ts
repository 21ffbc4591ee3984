import { isDeepStrictEqual } from 'node:util'
import { type Problem, type ProblemCode, toProblem } from '../../shared/result.ts'
import type { Reach } from '../platform/http-client.ts'
import { UnreachableError } from '../platform/platform-problem.ts'
import { toStorageError } from '../store/storage-problem.ts'
import type { SyncStatus } from '../../shared/model.ts'
import { CaptivePortalError } from '../platform/captive-portal.ts'
import { type ProxyInUse, findProxyNeedingLogin } from '../../shared/proxy.ts'

const TEMPORARY_CODES: ReadonlySet<ProblemCode> = new Set(['unreachable', 'platform_failed', 'rate_limited'] as const)

/** Returns true for temporary errors, which are worth retrying soon. */
export const isTemporaryError = (thrown: unknown): boolean => TEMPORARY_CODES.has(toProblem(thrown).code)

interface ConnectionParts {
  readonly changed: () => void
  readonly onOnline: () => void
  /** Called with unexpected errors, as opposed to network or platform errors. */
  readonly report: (thrown: unknown) => void
}

const KEY_TROUBLE: ReadonlySet<ProblemCode> = new Set([
  'key_rejected',
  'key_restricted',
  'key_of_another_account',
] as const)

interface SyncHealth {
  readonly connection: Exclude<SyncStatus['connection'], 'needsKey'>
  readonly problem: Problem | null
  /** Sign-in page of a captive portal, if the network requires one. */
  readonly signInPage?: string
  /** Proxy that requires other credentials, if any. */
  readonly proxyNeedingLogin?: ProxyInUse
}

/** Sort key of a problem: problems that the user must solve come before temporary ones. */
const urgencyOf = ({ code }: Problem): number => {
  if (KEY_TROUBLE.has(code)) return 0
  if (code === 'storage_failed') return 1
  return code === 'internal' ? 2 : 3
}

/**
 * Overall health. The success of one task doesn't clear another's failure. @param failures problems of tasks whose last
 * run failed, by task name
 */
export const deriveSyncHealth = (reach: Reach, failures: ReadonlyMap<string, Problem>): SyncHealth => {
  const cut = reach === 'reached' ? null : reach
  // `connection` already shows that the account is offline. Only add a problem if the user has to act.
  const told = [...failures.values()].filter(({ code }) => code !== 'unreachable')
  const all = cut?.needsPerson === true ? [cut.problem, ...told] : told
  const [problem = null] = all.toSorted((a, b) => urgencyOf(a) - urgencyOf(b))
  const isRefused = told.some(({ code }) => KEY_TROUBLE.has(code))
  const proxyNeedingLogin = cut === null ? null : findProxyNeedingLogin(cut.problem)
  return {
    connection: cut !== null ? 'offline' : isRefused ? 'refused' : 'online',
    problem,
    ...(cut instanceof CaptivePortalError && { signInPage: cut.page }),
    ...(proxyNeedingLogin !== null && { proxyNeedingLogin }),
  }
}

/** The state of the connection to the platform, judged by the outcomes of requests and tasks. */
export class Connection {
  readonly #parts: ConnectionParts
  #reach: Reach = 'reached'
  readonly #failures = new Map<string, Problem>()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  health(): SyncHealth {
    return deriveSyncHealth(this.#reach, this.#failures)
  }

  /** Records a task's failure, which lasts until the same task succeeds. */
  fail(work: string, thrown: unknown): void {
    const failure = toProblem(toStorageError(thrown))
    if (failure.code === 'internal') this.#parts.report(thrown)
    if (thrown instanceof UnreachableError) this.#reach = thrown
    // A rejection is an answer. No request follows one, so an older failure that comes late would count forever.
    else if (KEY_TROUBLE.has(failure.code)) this.#reach = 'reached'
    this.#failures.set(work, failure)
    this.#parts.changed()
  }

  succeed(work: string): void {
    if (this.#failures.delete(work)) this.#parts.changed()
  }

  /** Records the outcome of a single request. */
  reach(reach: Reach): void {
    const before = this.#reach
    if (before === reach) return
    const said = this.health()
    this.#reach = reach
    if (!isDeepStrictEqual(said, this.health())) this.#parts.changed()
    if (reach === 'reached') this.#parts.onOnline()
  }
}
