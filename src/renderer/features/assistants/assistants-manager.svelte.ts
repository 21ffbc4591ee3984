import type { Proposal } from '../../../shared/assistants.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'

export class AssistantsManager {
  readonly #backend: Pick<Backend, 'call'>
  proposals = $state.raw<readonly Proposal[]>([])
  isReviewing = $state(false)
  #newest: Promise<void> = Promise.resolve()

  constructor(backend: Pick<Backend, 'call' | 'on'>) {
    this.#backend = backend
    backend.on(
      'assistants.changed',
      coalesceCalls(() => void this.load()),
    )
  }

  /** Resolves once the current proposals are loaded, even if a newer load replaces this one. */
  load(): Promise<void> {
    const look: Promise<void> = this.#read(() => look === this.#newest)
    this.#newest = look
    return look
  }

  review(): void {
    this.isReviewing = true
  }

  endReview(): void {
    this.isReviewing = false
  }

  async #read(isNewest: () => boolean): Promise<void> {
    const result = await this.#backend.call('assistant.proposals', {})
    if (!isNewest()) return this.#newest
    if (result.ok) this.proposals = result.data
  }
}
