import { MAX_CALLS_PER_PAGE, type AssistantCall } from '../../../shared/assistants.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'

const PAGE_SIZE = 10

export class CallsManager {
  readonly #backend: Pick<Backend, 'call'>
  #calls = $state.raw<readonly AssistantCall[] | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #hasMore = $state(false)
  #isBusy = $state(false)
  /** Number of the newest load. Responses to older ones are ignored. */
  #loadCount = 0

  constructor(backend: Pick<Backend, 'call' | 'on'>) {
    this.#backend = backend
    backend.on(
      'assistants.changed',
      coalesceCalls(() => void this.load()),
    )
  }

  /** Newest first; null until loaded. */
  get calls(): readonly AssistantCall[] | null {
    return this.#calls
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  async load(): Promise<void> {
    const shown = Math.min(Math.max(this.#calls?.length ?? 0, PAGE_SIZE), MAX_CALLS_PER_PAGE)
    await this.#read(null, shown, [])
  }

  async showMore(): Promise<void> {
    const before = this.#calls ?? []
    await this.#read(before.at(-1)?.id ?? null, PAGE_SIZE, before)
  }

  /** @returns true if the log was cleared */
  async clear(): Promise<boolean> {
    if (this.#isBusy) return false
    this.#isBusy = true
    const result = await this.#backend.call('assistant.clearCalls', {})
    this.#isBusy = false
    this.#problem = result.ok ? null : result.error
    if (result.ok) await this.load()
    return result.ok
  }

  async #read(before: number | null, limit: number, newer: readonly AssistantCall[]): Promise<void> {
    this.#loadCount += 1
    const look = this.#loadCount
    const result = await this.#backend.call('assistant.calls', { before, limit })
    if (look !== this.#loadCount) return
    this.#problem = result.ok ? null : result.error
    if (!result.ok) return
    this.#calls = [...newer, ...result.data]
    this.#hasMore = result.data.length === limit
  }
}
