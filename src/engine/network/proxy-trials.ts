import { readProxy, type ProxyRoute } from '../../shared/proxy.ts'
import type { Clock } from '../timing/clock.ts'
import { ProxyProblem } from './proxy-problem.ts'
import { CONNECT_MS, DECLINED_MS } from './time-outs.ts'

/** Proxies lock out after wrong passwords: new credentials go with one request first, declined ones rest. */
export class ProxyTrials {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>
  readonly #passed = new Set<ProxyRoute>()
  readonly #underWay = new Map<ProxyRoute, Promise<void>>()
  readonly #declined = new Map<ProxyRoute, { readonly problem: ProxyProblem; readonly until: number }>()

  constructor(clock: Pick<Clock, 'elapsed' | 'after'>) {
    this.#clock = clock
  }

  /** Sends the request if its route's credentials may be used now. @throws what `request` throws */
  async ask<Answer>(way: ProxyRoute, request: () => Promise<Answer>): Promise<Answer> {
    if ((readProxy(way)?.login ?? null) === null) return request()
    const before = this.#underWay.get(way)
    if (before !== undefined) await before
    const declined = this.#declined.get(way)
    if (declined !== undefined && this.#clock.elapsed() < declined.until) throw declined.problem
    if (before !== undefined || this.#passed.has(way)) return this.#noting(way, request)
    let goOn = (): void => undefined
    const trial = new Promise<void>((resolve) => (goOn = resolve))
    this.#underWay.set(way, trial)
    const end = (): void => {
      if (this.#underWay.get(way) === trial) this.#underWay.delete(way)
      goOn()
    }
    // A request with a large file may take long to pass or fail.
    const cancel = this.#clock.after(CONNECT_MS, end, { unref: true })
    try {
      return await this.#noting(way, request)
    } finally {
      cancel()
      end()
    }
  }

  /** Allows declined credentials again. */
  forget(): void {
    this.#declined.clear()
  }

  async #noting<Answer>(way: ProxyRoute, request: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await request()
      this.#passed.add(way)
      return answer
    } catch (thrown) {
      if (thrown instanceof ProxyProblem && thrown.isAsking) {
        this.#passed.delete(way)
        this.#declined.set(way, { problem: thrown, until: this.#clock.elapsed() + DECLINED_MS })
      }
      throw thrown
    }
  }
}
