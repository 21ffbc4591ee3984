import { SvelteSet } from 'svelte/reactivity'
import { findProxyNeedingLogin, type ProxyInUse } from '../../shared/proxy.ts'
import type { Problem } from '../../shared/result.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

export interface ProxyLoginQuestion {
  readonly proxy: ProxyInUse
  /** Repeats the request through the proxy. @returns the problem, or null */
  readonly retry: () => Promise<Problem | null>
}

export class ProxyLoginManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  /** Proxies whose dialog this window, or another one, has already shown. */
  readonly #offered = new SvelteSet<string>()
  #question = $state.raw<ProxyLoginQuestion | null>(null)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  get question(): ProxyLoginQuestion | null {
    return this.#question
  }

  /** True if the dialog may open unprompted: once per proxy, until Linnet exits. */
  async mayOffer({ address }: ProxyInUse): Promise<boolean> {
    if (this.#offered.has(address)) return false
    this.#offered.add(address)
    const result = await this.#backend.call('network.mayAskLogin', { proxy: address })
    return result.ok && result.data
  }

  ask(proxy: ProxyInUse, retry: ProxyLoginQuestion['retry']): void {
    this.#question = { proxy, retry }
  }

  close(): void {
    this.#question = null
  }

  /**
   * Stores the credentials and tries them once. The dialog stays open if the proxy rejects them.
   * @param name user name; empty to forget both credentials
   * @returns the problem if the proxy still rejects the request, else null
   */
  async answer(name: string, password: string): Promise<Problem | null> {
    const asked = this.#question
    if (asked === null) return null
    const kept = await this.#backend.call('network.proxyLogin', { proxy: asked.proxy.address, name, password })
    if (!kept.ok) this.#toasts.problem(kept.error)
    const problem = await asked.retry()
    if (name !== '' && problem !== null && findProxyNeedingLogin(problem)?.address === asked.proxy.address)
      return problem
    // The dialog may have been closed in the meantime and show another question.
    if (this.#question === asked) this.close()
    return null
  }
}
