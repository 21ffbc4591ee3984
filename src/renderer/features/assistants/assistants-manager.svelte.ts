import type { Proposal } from '../../../shared/assistants.ts'
import type { Backend } from '../../kernel/backend.ts'
import { soon } from '../../ui/soon.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly assistants: AssistantsManager
  }
}

/** What assistants propose for the account that is shown, and whether the person is reviewing it. */
export class AssistantsManager {
  readonly #backend: Pick<Backend, 'call'>
  #proposals = $state.raw<readonly Proposal[]>([])
  #isReviewing = $state(false)
  /** The newest look: answers of those before it are late. */
  #looks = 0

  constructor(backend: Pick<Backend, 'call' | 'on'>) {
    this.#backend = backend
    backend.on(
      'assistants.changed',
      soon(() => void this.load()),
    )
  }

  /** Oldest first. */
  get proposals(): readonly Proposal[] {
    return this.#proposals
  }

  get isReviewing(): boolean {
    return this.#isReviewing
  }

  async load(): Promise<void> {
    this.#looks += 1
    const look = this.#looks
    const result = await this.#backend.call('assistant.proposals', {})
    if (result.ok && look === this.#looks) this.#proposals = result.data
  }

  review(): void {
    this.#isReviewing = true
  }

  endReview(): void {
    this.#isReviewing = false
  }
}
