import type { ConnectionState, ConnectedTransport } from './backend.ts'
import type { Transport } from '../../shared/contract.ts'

const canBreak = (transport: Transport): transport is ConnectedTransport => 'watchConnection' in transport

/** Whether the host can be reached, and who wants to know that it can be reached again. */
export class ConnectionManager {
  #state = $state<ConnectionState>('open')
  #movedTo = $state<string | null>(null)
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing draws the listeners
  readonly #onReturn = new Set<() => void>()

  constructor(transport: Transport) {
    if (!canBreak(transport)) return
    transport.watchConnection((next, movedTo) => {
      this.#movedTo = movedTo
      const returned = this.#state === 'lost' && next === 'open'
      this.#state = next
      if (returned) for (const listener of this.#onReturn) listener()
    })
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** The port of a host that was restarted, where this window is refused for that. */
  get movedTo(): string | null {
    return this.#movedTo
  }

  /** Events were missed while the line was broken: everything on the screen is to be read again. */
  onReturn(listener: () => void, until?: AbortSignal): void {
    this.#onReturn.add(listener)
    until?.addEventListener('abort', () => this.#onReturn.delete(listener))
  }
}
