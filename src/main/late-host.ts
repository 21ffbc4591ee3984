import type { ServedHost } from '../host/host.ts'
import type { AddressedEvent, Asking } from '../shared/contract.ts'
import { isFirstCommand } from '../shared/first-answers.ts'
import type { Result } from '../shared/result.ts'

/** A host for a window that opens before the host exists: questions wait for it, in their order. */
export class LateHost implements Omit<ServedHost, 'preferences'> {
  readonly #needed: () => void
  readonly #waiting = Promise.withResolvers<ServedHost>()
  readonly #listeners = new Set<(event: AddressedEvent) => void>()
  #host: ServedHost | null = null

  /** @param needed called once what a window shows waits for the host */
  constructor(needed: () => void) {
    this.#needed = needed
  }

  /** Null until it is there. */
  now(): ServedHost | null {
    return this.#host
  }

  /** It is there. */
  arrive(host: ServedHost): void {
    this.#host = host
    host.subscribe((event) => this.#listeners.forEach((listener) => listener(event)))
    this.#waiting.resolve(host)
  }

  async call(name: string, input: unknown, asking: Asking): Promise<Result<unknown>> {
    if (this.#host === null && isFirstCommand(name)) this.#needed()
    return (await this.#waiting.promise).call(name, input, asking)
  }

  subscribe(listener: (event: AddressedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  leave(caller: string): void {
    // Before that, there is nothing that it has asked for.
    this.#host?.leave(caller)
  }
}
