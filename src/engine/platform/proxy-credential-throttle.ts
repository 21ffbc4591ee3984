import { parseProxy, type ProxyRoute } from '../../shared/proxy.ts'
import type { Clock } from '../timing/clock.ts'
import { ProxyError } from './proxy-problem.ts'
import { CONNECT_TIMEOUT_MS, CREDENTIAL_RETRY_DELAY_MS } from './timeouts.ts'

/**
 * Proxies lock users out after wrong passwords. New credentials are therefore tried with a single request first, and
 * declined ones are not sent again for a while.
 */
export class ProxyCredentialThrottle {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #passed = new Set<ProxyRoute>()
  readonly #inFlight = new Map<ProxyRoute, Promise<void>>()
  readonly #declined = new Map<ProxyRoute, { readonly problem: ProxyError; readonly until: number }>()

  constructor(clock: Pick<Clock, 'elapsed' | 'after'>) {
    this.#clock = clock
  }

  /** Sends the request if its route's credentials may be used now. @throws what `request` throws */
  async ask<Answer>(route: ProxyRoute, request: () => Promise<Answer>): Promise<Answer> {
    if ((parseProxy(route)?.login ?? null) === null) return request()
    const before = this.#inFlight.get(route)
    if (before !== undefined) await before
    const declined = this.#declined.get(route)
    if (declined !== undefined && this.#clock.elapsed() < declined.until) throw declined.problem
    if (before !== undefined || this.#passed.has(route)) return this.#recordOutcome(route, request)
    let releaseTrial = (): void => undefined
    const trial = new Promise<void>((resolve) => (releaseTrial = resolve))
    this.#inFlight.set(route, trial)
    const end = (): void => {
      if (this.#inFlight.get(route) === trial) this.#inFlight.delete(route)
      releaseTrial()
    }
    // A request with a large file may take long to pass or fail.
    const cancel = this.#clock.after(CONNECT_TIMEOUT_MS, end, { unref: true })
    try {
      return await this.#recordOutcome(route, request)
    } finally {
      cancel()
      end()
    }
  }

  /** Allows declined credentials again. */
  forget(): void {
    this.#declined.clear()
  }

  async #recordOutcome<Answer>(route: ProxyRoute, request: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await request()
      this.#passed.add(route)
      return answer
    } catch (thrown) {
      if (thrown instanceof ProxyError && thrown.isAsking) {
        this.#passed.delete(route)
        this.#declined.set(route, { problem: thrown, until: this.#clock.elapsed() + CREDENTIAL_RETRY_DELAY_MS })
      }
      throw thrown
    }
  }
}
