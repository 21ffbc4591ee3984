import type { PersistentProblem } from '../../shared/result.ts'
import type { Backend } from '../kernel/backend.ts'
import type { ToastManager } from '../kernel/toast-manager.svelte.ts'

export class ProblemsManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  problems = $state.raw<readonly PersistentProblem[]>([])

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('problems.changed', () => void this.load())
  }

  /** Call when an account has been opened. */
  async load(): Promise<void> {
    const result = await this.#backend.call('problem.list', {})
    if (result.ok) this.problems = result.data
  }

  /** Removes a problem for good, from the screen at once. */
  async dismiss(id: string): Promise<void> {
    this.problems = this.problems.filter((problem) => problem.id !== id)
    const result = await this.#backend.call('problem.dismiss', { id })
    if (result.ok) return
    this.#toasts.problem(result.error)
    await this.load()
  }
}
