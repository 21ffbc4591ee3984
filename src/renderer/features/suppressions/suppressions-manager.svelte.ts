import type { Suppression } from '../../../shared/suppressions.ts'
import type { Backend } from '../../kernel/backend.ts'
import { toSingleChangeResult } from '../threads/single-change-result.ts'
import { NO_OPTIMISTIC_CHANGE } from '../threads/pending-changes.svelte.ts'
import type { UndoableAction, ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'

interface Suppressed {
  readonly address: string
  readonly suppression: Suppression
  /** ID of the sending account's inbox; undefined for the open account. */
  readonly inboxId: string | undefined
}

/** Removes addresses from the platform's suppression list, after a confirmation. */
export class SuppressionsManager {
  readonly #backend: Pick<Backend, 'call'>
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  #asked = $state.raw<Suppressed | null>(null)

  constructor(backend: Pick<Backend, 'call'>, actions: Pick<ThreadActionsManager, 'make'>) {
    this.#backend = backend
    this.#actions = actions
  }

  get asked(): Suppressed | null {
    return this.#asked
  }

  askToRemove(address: string, suppression: Suppression, inboxId?: string): void {
    this.#asked = { address, suppression, inboxId }
  }

  stopAsking(): void {
    this.#asked = null
  }

  /** Removes the address that the user was asked about, as an undoable step. */
  async remove(): Promise<void> {
    const asked = this.#asked
    if (asked === null) return
    this.#asked = null
    const { address, inboxId } = asked
    const action: UndoableAction = {
      of: 'suppression',
      draw: () => NO_OPTIMISTIC_CHANGE,
      make: async () => toSingleChangeResult(await this.#backend.call('suppression.remove', { address, inboxId })),
    }
    await this.#actions.make(action, {
      done: `Removed ${address} from the suppression list`,
      undone: `Put ${address} back on the suppression list`,
    })
  }
}
