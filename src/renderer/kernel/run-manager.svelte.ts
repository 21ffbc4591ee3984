import type { RunState } from '../../shared/run-state.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** How Linnet was started, and what of it has ended unexpectedly. */
export class RunManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  // The usual start is what there nearly always is: nothing waits to hear so.
  #state = $state.raw<RunState>({ mode: 'usual', ends: [] })
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

  /** Whether what was chosen is being done. */
  get isChoosing(): boolean {
    return this.#isChoosing
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('run.state', {})
    if (result.ok) this.#state = result.data
  }

  /** Goes on in that way; what is open is opened anew. */
  async choose(mode: 'usual' | 'safe'): Promise<void> {
    if (this.#isChoosing) return
    this.#isChoosing = true
    const result = await this.#backend.call('run.choose', { mode })
    this.#isChoosing = false
    if (!result.ok) this.#toasts.problem(result.error)
  }

  /** What ended was read, in every window. */
  async dismissEnds(): Promise<void> {
    this.#state = { ...this.#state, ends: [] }
    const result = await this.#backend.call('run.dismissEnds', {})
    if (result.ok) return
    this.#toasts.problem(result.error)
    await this.load()
  }
}
