import type { UpdateState } from '../../shared/updates.ts'
import type { Backend } from './backend.ts'
import type { ToastManager } from './toast-manager.svelte.ts'

/** How this Linnet becomes the next one: the same in every window. */
export class UpdateManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #state = $state.raw<UpdateState | null>(null)
  #isInstalling = $state(false)
  #isLater = $state(false)

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('update.changed', (state) => {
      // What is news is told of again.
      if (state.step.kind !== 'ready') this.#isLater = false
      this.#state = state
    })
  }

  /** Null in a browser, and until it is known. */
  get state(): UpdateState | null {
    return this.#state
  }

  get isReady(): boolean {
    return this.#state?.step.kind === 'ready'
  }

  /** Whether a person has said of what is ready: not now. */
  get isLater(): boolean {
    return this.#isLater
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

  /** The window ends with it, or the person is told what it waits for. */
  async install(): Promise<void> {
    this.#isInstalling = true
    try {
      const result = await this.#backend.call('update.install', {})
      if (!result.ok) this.#toasts.problem(result.error)
    } finally {
      this.#isInstalling = false
    }
  }

  putOff(): void {
    this.#isLater = true
  }
}
