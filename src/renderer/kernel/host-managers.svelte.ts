import type { RunState } from '../../shared/run-state.ts'
import type { Backend, ConnectionState, ConnectedTransport } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'
import type { UpdateState } from '../../shared/updates.ts'
import type { Transport } from '../../shared/contract.ts'
import { SvelteSet } from 'svelte/reactivity'
import { findProxyNeedingLogin, type ProxyInUse } from '../../shared/proxy.ts'
import type { Problem } from '../../shared/result.ts'

/** Linnet's start mode, and the processes that crashed. */
export class RunManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  // Assume the usual mode, so that nothing waits for the response.
  state = $state.raw<RunState>({ mode: 'usual', crashes: [] })
  isChoosing = $state(false)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('run.changed', (state) => (this.state = state))
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('run.state', {})
    if (result.ok) this.state = result.data
  }

  /** Continues in the given mode, reopening whatever is open. */
  async choose(mode: 'usual' | 'safe'): Promise<void> {
    if (this.isChoosing) return
    this.isChoosing = true
    const result = await this.#backend.call('run.choose', { mode })
    this.isChoosing = false
    if (!result.ok) this.#toasts.problem(result.error)
  }

  /** Dismisses the crash notices in every window. */
  async dismissEnds(): Promise<void> {
    this.state = { ...this.state, crashes: [] }
    const result = await this.#backend.call('run.dismissEnds', {})
    if (result.ok) return
    this.#toasts.problem(result.error)
    await this.load()
  }
}

export class UpdateManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  /** Null in a browser, and until loaded. */
  state = $state.raw<UpdateState | null>(null)
  isInstalling = $state(false)
  /** True after the user put off the downloaded update. */
  isPostponed = $state(false)

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('update.changed', (state) => {
      // Announce the next update even after "Later".
      if (state.step.kind !== 'ready') this.isPostponed = false
      this.state = state
    })
  }

  get isReady(): boolean {
    return this.state?.step.kind === 'ready'
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('update.state', {})
    if (result.ok) this.state = result.data
  }

  async check(): Promise<void> {
    const result = await this.#backend.call('update.check', {})
    if (result.ok) this.state = result.data
    else this.#toasts.problem(result.error)
  }

  /** Closes the window, or shows why the update has to wait. */
  async install(): Promise<void> {
    this.isInstalling = true
    try {
      const result = await this.#backend.call('update.install', {})
      if (!result.ok) this.#toasts.problem(result.error)
    } finally {
      this.isInstalling = false
    }
  }

  postpone(): void {
    this.isPostponed = true
  }
}

const canBreak = (transport: Transport): transport is ConnectedTransport => 'watchConnection' in transport

export class ConnectionMonitor {
  state = $state<ConnectionState>('open')
  /** Port of a restarted host that rejects this window. */
  movedTo = $state<string | null>(null)
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #onReturn = new Set<() => void>()

  constructor(transport: Transport) {
    if (!canBreak(transport)) return
    transport.watchConnection((next, movedTo) => {
      this.movedTo = movedTo
      const returned = this.state === 'lost' && next === 'open'
      this.state = next
      if (returned) for (const listener of this.#onReturn) listener()
    })
  }

  /** Called on reconnection: events were missed, so everything on the screen must be reloaded. */
  onReturn(listener: () => void, until?: AbortSignal): void {
    this.#onReturn.add(listener)
    until?.addEventListener('abort', () => this.#onReturn.delete(listener))
  }
}

interface ProxyLoginQuestion {
  readonly proxy: ProxyInUse
  /** Repeats the request through the proxy. @returns the problem, or null */
  readonly retry: () => Promise<Problem | null>
}

export class ProxyLoginManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  /** Proxies whose dialog this window, or another one, has already shown. */
  readonly #offered = new SvelteSet<string>()
  question = $state.raw<ProxyLoginQuestion | null>(null)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
  }

  /** True if the dialog may open unprompted: once per proxy, until Linnet exits. */
  async mayOffer({ address }: ProxyInUse): Promise<boolean> {
    if (this.#offered.has(address)) return false
    this.#offered.add(address)
    const result = await this.#backend.call('network.mayAskLogin', { proxy: address })
    return result.ok && result.data
  }

  ask(proxy: ProxyInUse, retry: ProxyLoginQuestion['retry']): void {
    this.question = { proxy, retry }
  }

  close(): void {
    this.question = null
  }

  /**
   * Stores the credentials and tries them once. The dialog stays open if the proxy rejects them.
   * @param name user name; empty to forget both credentials
   * @returns the problem if the proxy still rejects the request, else null
   */
  async answer(name: string, password: string): Promise<Problem | null> {
    const asked = this.question
    if (asked === null) return null
    const kept = await this.#backend.call('network.proxyLogin', { proxy: asked.proxy.address, name, password })
    if (!kept.ok) this.#toasts.problem(kept.error)
    const problem = await asked.retry()
    if (name !== '' && problem !== null && findProxyNeedingLogin(problem)?.address === asked.proxy.address)
      return problem
    // The dialog may have been closed in the meantime and show another question.
    if (this.question === asked) this.close()
    return null
  }
}
