import type { ListFailures } from '../../shared/model.ts'
import { toProblem, type Problem } from '../../shared/result.ts'
import { toStorageError } from '../store/storage-problem.ts'

/** An account-wide list, or the threads of an inbox. */
export type PolledList = Exclude<keyof ListFailures, 'threads'> | { readonly inboxId: string }

/** Lists whose last poll failed, with the error. */
export class SyncErrors {
  readonly #changed: () => void
  readonly #signal: AbortSignal
  readonly #lists = new Map<string, Problem>()
  readonly #inboxes = new Map<string, Problem>()

  /** @param signal errors after its abort are ignored */
  constructor(changed: () => void, signal: AbortSignal) {
    this.#changed = changed
    this.#signal = signal
  }

  /** Runs a poll of a list and records the outcome. @throws the poll's error */
  async poll<Value>(list: PolledList, work: () => Promise<Value>): Promise<Value> {
    try {
      const value = await work()
      this.#keep(list, null)
      return value
    } catch (thrown) {
      const problem = toProblem(toStorageError(thrown))
      // Being offline is shown by the connection state instead.
      if (!this.#signal.aborted && problem.code !== 'unreachable') this.#keep(list, problem)
      throw thrown
    }
  }

  /** Undefined if every list's last poll succeeded. */
  all(): ListFailures | undefined {
    if (this.#lists.size + this.#inboxes.size === 0) return undefined
    return { ...Object.fromEntries(this.#lists), threads: Object.fromEntries(this.#inboxes) }
  }

  #keep(list: PolledList, problem: Problem | null): void {
    const [problems, key] = typeof list === 'string' ? [this.#lists, list] : [this.#inboxes, list.inboxId]
    const before = problems.get(key)
    if (problem === null) problems.delete(key)
    else problems.set(key, problem)
    if (before?.code !== problem?.code || before?.message !== problem?.message) this.#changed()
  }
}
