import type { SyncStatus } from '../../shared/model.ts'
import type { Reach } from '../api/http-client.ts'
import { SignInWanted } from '../api/sign-in.ts'
import { proxyThatAsks, type ProxyInUse } from '../../shared/proxy.ts'
import type { Problem, ProblemCode } from '../../shared/result.ts'

const KEY_TROUBLE: ReadonlySet<ProblemCode> = new Set([
  'key_rejected',
  'key_restricted',
  'key_of_another_account',
] as const)

/** How all work of the sync goes together. */
export interface SyncHealth {
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
