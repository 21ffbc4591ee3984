import type { ServedHost } from '../host/host.ts'
import type { AddressedEvent, CallContext } from '../shared/contract.ts'
import { isStartupCommand } from '../shared/startup-responses.ts'
import type { Result } from '../shared/result.ts'

/** A host for a window that opens before the real host exists. Requests wait for the real one, in order. */
export class DeferredHost implements Omit<ServedHost, 'preferences'> {
  readonly #onNeeded: () => void
  readonly #waiting = Promise.withResolvers<ServedHost>()
  readonly #listeners = new Set<(event: AddressedEvent) => void>()
  #host: ServedHost | null = null

  /** @param needed called once the window waits for the host */
  constructor(needed: () => void) {
    this.#onNeeded = needed
  }

  now(): ServedHost | null {
    return this.#host
  }

  resolve(host: ServedHost): void {
    this.#host = host
    host.subscribe((event) => this.#listeners.forEach((listener) => listener(event)))
    this.#waiting.resolve(host)
  }

  async call(name: string, input: unknown, context: CallContext): Promise<Result<unknown>> {
    if (this.#host === null && isStartupCommand(name)) this.#onNeeded()
    return (await this.#waiting.promise).call(name, input, context)
  }

  subscribe(listener: (event: AddressedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  leave(caller: string): void {
    // Before the real host exists, it has no requests from the window.
    this.#host?.leave(caller)
  }
}
