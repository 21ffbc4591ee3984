import type { ConnectionState, ConnectedTransport } from './backend.ts'
import type { Transport } from '../../shared/contract.ts'

const canBreak = (transport: Transport): transport is ConnectedTransport => 'watchConnection' in transport

export class ConnectionMonitor {
  #state = $state<ConnectionState>('open')
  #movedTo = $state<string | null>(null)
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
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

  /** Port of a restarted host that rejects this window. */
  get movedTo(): string | null {
    return this.#movedTo
  }

  /** Called on reconnection: events were missed, so everything on the screen must be reloaded. */
  onReturn(listener: () => void, until?: AbortSignal): void {
    this.#onReturn.add(listener)
    until?.addEventListener('abort', () => this.#onReturn.delete(listener))
  }
}
