import type { ListFailures } from '../../shared/model.ts'
import { toProblem, type Problem } from '../../shared/result.ts'
import { inStorageWords } from '../store/storage-problem.ts'

type AccountListName = Exclude<keyof ListFailures, 'threads'>
/** A list of the account, or the threads of an inbox. */
export type LookedAt = AccountListName | { readonly inboxId: string }

/** Which lists could not be looked at last time, and why. */
export interface FailedLooks {
  /** Looks at a list, and keeps how that ended. @throws what the look throws */
  readonly look: <Value>(list: LookedAt, work: () => Promise<Value>) => Promise<Value>
  /** Undefined where the last look at every list came to its end. */
  readonly all: () => ListFailures | undefined
}

/** @returns whether that is another than before */
const set = <Key>(problems: Map<Key, Problem>, key: Key, problem: Problem | null): boolean => {
  if (problem === null) return problems.delete(key)
  const before = problems.get(key)
  problems.set(key, problem)
  return before?.code !== problem.code || before.message !== problem.message
}

/**
 * @param parts `changed` is called whenever something else is to be told; a look that `signal` has ended says nothing
 */
export const createFailedLooks = (parts: {
  readonly changed: () => void
  readonly signal: AbortSignal
}): FailedLooks => {
  const { changed, signal } = parts
  const lists = new Map<AccountListName, Problem>()
  const inboxes = new Map<string, Problem>()

  const keep = (list: LookedAt, problem: Problem | null): void => {
    const isOther = typeof list === 'string' ? set(lists, list, problem) : set(inboxes, list.inboxId, problem)
    if (isOther) changed()
  }

  return {
    look: async (list, work) => {
      try {
        const value = await work()
        keep(list, null)
        return value
      } catch (thrown) {
        const problem = toProblem(inStorageWords(thrown))
        // That nothing is current without the platform is said by the connection, and is over with it.
        if (!signal.aborted && problem.code !== 'unreachable') keep(list, problem)
        throw thrown
      }
    },
    all: () =>
      lists.size + inboxes.size === 0
        ? undefined
        : { ...Object.fromEntries(lists), threads: Object.fromEntries(inboxes) },
  }
}
