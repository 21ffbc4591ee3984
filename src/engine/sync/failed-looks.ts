import type { ListFailures } from '../../shared/model.ts'
import { toProblem, type Problem } from '../../shared/result.ts'
import { inStorageWords } from '../store/storage-problem.ts'

type AccountListName = Exclude<keyof ListFailures, 'threads'>
/** A list of the account, or the threads of an inbox. */
export type LookedAt = AccountListName | { readonly inboxId: string }

/** @returns whether that is another than before */
const set = <Key>(problems: Map<Key, Problem>, key: Key, problem: Problem | null): boolean => {
  if (problem === null) return problems.delete(key)
  const before = problems.get(key)
  problems.set(key, problem)
  return before?.code !== problem.code || before.message !== problem.message
}

/** Which lists could not be looked at last time, and why. */
export class FailedLooks {
  readonly #changed: () => void
  readonly #signal: AbortSignal
  readonly #lists = new Map<AccountListName, Problem>()
  readonly #inboxes = new Map<string, Problem>()

  /**
   * @param changed called whenever a list fails, or does no more
   * @param signal a look that it has ended says nothing
   */
  constructor(changed: () => void, signal: AbortSignal) {
    this.#changed = changed
    this.#signal = signal
  }

  /** Looks at a list, and keeps how that ended. @throws what the look throws */
  async look<Value>(list: LookedAt, work: () => Promise<Value>): Promise<Value> {
    try {
      const value = await work()
      this.#keep(list, null)
      return value
    } catch (thrown) {
      const problem = toProblem(inStorageWords(thrown))
      // That nothing is current without the platform is said by the connection, and is over with it.
      if (!this.#signal.aborted && problem.code !== 'unreachable') this.#keep(list, problem)
      throw thrown
    }
  }

  /** Undefined where the last look at every list came to its end. */
  all(): ListFailures | undefined {
    if (this.#lists.size + this.#inboxes.size === 0) return undefined
    return { ...Object.fromEntries(this.#lists), threads: Object.fromEntries(this.#inboxes) }
  }

  #keep(list: LookedAt, problem: Problem | null): void {
    const isOther =
      typeof list === 'string' ? set(this.#lists, list, problem) : set(this.#inboxes, list.inboxId, problem)
    if (isOther) this.#changed()
  }
}
