import type { RunState } from '../../shared/run-state.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** Linnet's start mode, and the processes that crashed. */
export class RunManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  // Assume the usual mode, so that nothing waits for the response.
  #state = $state.raw<RunState>({ mode: 'usual', crashes: [] })
  #isChoosing = $state(false)

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('run.changed', (state) => {
      this.#state = state
    })
  }

  get state(): RunState {
    return this.#state
  }

  get isChoosing(): boolean {
    return this.#isChoosing
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('run.state', {})
    if (result.ok) this.#state = result.data
  }

  /** Continues in the given mode, reopening whatever is open. */
  async choose(mode: 'usual' | 'safe'): Promise<void> {
    if (this.#isChoosing) return
    this.#isChoosing = true
    const result = await this.#backend.call('run.choose', { mode })
    this.#isChoosing = false
    if (!result.ok) this.#toasts.problem(result.error)
  }

  /** Dismisses the crash notices in every window. */
  async dismissEnds(): Promise<void> {
    this.#state = { ...this.#state, crashes: [] }
    const result = await this.#backend.call('run.dismissEnds', {})
    if (result.ok) return
    this.#toasts.problem(result.error)
    await this.load()
  }
}
