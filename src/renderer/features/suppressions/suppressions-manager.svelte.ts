import { type Suppression, MAX_ADDRESSES_PER_REQUEST, type AddressSuppression } from '../../../shared/suppressions.ts'
import type { Backend } from '../../kernel/backend.ts'
import { NO_OPTIMISTIC_CHANGE } from '../threads/pending-changes.svelte.ts'
import {
  type UndoableAction,
  type ThreadActionsManager,
  toSingleChangeResult,
} from '../threads/thread-actions-manager.svelte.ts'

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

/** Suppressions of a message's recipients: the local ones at once, then those from the platform. */
export class RecipientSuppressions {
  readonly #backend: Pick<Backend, 'call'>
  #found = $state.raw<readonly AddressSuppression[]>([])
  #inboxId = ''
  #addresses: readonly string[] = []

  /** @param backend the subscriptions last as long as the backend */
  constructor(backend: Pick<Backend, 'call' | 'on'>) {
    this.#backend = backend
    backend.on('suppressions.changed', () => void this.#read(true))
    backend.on('sentEmails.changed', () => void this.#read(true))
  }

  get suppressed(): readonly AddressSuppression[] {
    return this.#found.filter(({ suppression }) => suppression !== null)
  }

  async show(inboxId: string, addresses: readonly string[]): Promise<void> {
    const isOther = inboxId !== this.#inboxId || addresses.some((address) => !this.#addresses.includes(address))
    this.#inboxId = inboxId
    this.#addresses = addresses.slice(0, MAX_ADDRESSES_PER_REQUEST)
    this.#found = this.#found.filter(({ address }) => addresses.includes(address))
    if (!isOther) return
    await this.#read(true)
    await this.#read(false)
  }

  /** @param cacheOnly read local data only, without a request to the platform */
  async #read(cacheOnly: boolean): Promise<void> {
    const [inboxId, addresses] = [this.#inboxId, this.#addresses]
    if (addresses.length === 0) return
    const asked = { inboxId, addresses: [...addresses] }
    const found = await (cacheOnly
      ? this.#backend.call('suppression.ofAddresses', asked)
      : this.#backend.call('suppression.refresh', asked))
    // The recipients may have changed in the meantime. A failed check must not stop the user from writing.
    if (found.ok && inboxId === this.#inboxId && addresses === this.#addresses) this.#found = found.data
  }
}
