import type { UpdateState } from '../../shared/updates.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

export class UpdateManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #state = $state.raw<UpdateState | null>(null)
  #isInstalling = $state(false)
  #isPostponed = $state(false)

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('update.changed', (state) => {
      // Announce the next update even after "Later".
      if (state.step.kind !== 'ready') this.#isPostponed = false
      this.#state = state
    })
  }

  /** Null in a browser, and until loaded. */
  get state(): UpdateState | null {
    return this.#state
  }

  get isReady(): boolean {
    return this.#state?.step.kind === 'ready'
  }

  /** True after the user put off the downloaded update. */
  get isPostponed(): boolean {
    return this.#isPostponed
  }

  get isInstalling(): boolean {
    return this.#isInstalling
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('update.state', {})
    if (result.ok) this.#state = result.data
  }

  async check(): Promise<void> {
    const result = await this.#backend.call('update.check', {})
    if (result.ok) this.#state = result.data
    else this.#toasts.problem(result.error)
  }

  /** Closes the window, or shows why the update has to wait. */
  async install(): Promise<void> {
    this.#isInstalling = true
    try {
      const result = await this.#backend.call('update.install', {})
      if (!result.ok) this.#toasts.problem(result.error)
    } finally {
      this.#isInstalling = false
    }
  }

  postpone(): void {
    this.#isPostponed = true
  }
}
