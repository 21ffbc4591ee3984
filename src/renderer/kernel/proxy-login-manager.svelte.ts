import { SvelteSet } from 'svelte/reactivity'
import { proxyThatAsks, type ProxyInUse } from '../../shared/proxy.ts'
import type { Problem } from '../../shared/result.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

export interface ProxyLoginQuestion {
  readonly proxy: ProxyInUse
  /** Asks the platform again, by way of the proxy. @returns why that failed; null where it did not */
  readonly again: () => Promise<Problem | null>
}

/** The name and password that a proxy wants: the dialog that asks for them, and what becomes of the answer. */
export class ProxyLoginManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  /** Proxies that this window has asked about, or has found asked about by another one. */
  readonly #offered = new SvelteSet<string>()
  #question = $state.raw<ProxyLoginQuestion | null>(null)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  get question(): ProxyLoginQuestion | null {
    return this.#question
  }

  /** Whether the dialog may come by itself: once for each proxy, until Linnet ends. */
  async mayOffer({ address }: ProxyInUse): Promise<boolean> {
    if (this.#offered.has(address)) return false
    this.#offered.add(address)
    const result = await this.#backend.call('network.mayAskLogin', { proxy: address })
    return result.ok && result.data
  }

  ask(proxy: ProxyInUse, again: ProxyLoginQuestion['again']): void {
    this.#question = { proxy, again }
  }

  close(): void {
    this.#question = null
  }

  /**
   * Keeps the name and password, and tries them once. The dialog goes unless the proxy refuses them.
   * @param name empty to forget both
   * @returns why the proxy still lets nothing through; null where that is over
   */
  async answer(name: string, password: string): Promise<Problem | null> {
    const asked = this.#question
    if (asked === null) return null
    const kept = await this.#backend.call('network.proxyLogin', { proxy: asked.proxy.address, name, password })
    if (!kept.ok) this.#toasts.problem(kept.error)
    const problem = await asked.again()
    if (name !== '' && problem !== null && proxyThatAsks(problem)?.address === asked.proxy.address) return problem
    // Closed meanwhile, it may be another question by now.
    if (this.#question === asked) this.close()
    return null
  }
}
