import type { SyncStatus } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'
import type { Backend } from './backend.ts'

type Activity = 'focused' | 'visible' | 'hidden'

const activityNow = (): Activity => {
  if (document.visibilityState === 'hidden') return 'hidden'
  return document.hasFocus() ? 'focused' : 'visible'
}

/** What the status line says, and the engine's knowledge of whether anyone looks. */
export class SyncManager {
  readonly #backend: Backend
  #status = $state.raw<SyncStatus | null>(null)
  #told: Activity | null = null

  constructor(backend: Backend, signal: AbortSignal) {
    this.#backend = backend
    backend.on('sync.changed', (status) => {
      this.#status = status
    })
    for (const event of ['focus', 'blur']) addEventListener(event, () => this.#tellActivity(), { signal })
    document.addEventListener('visibilitychange', () => this.#tellActivity(), { signal })
    addEventListener('online', () => void backend.call('network.changed', {}), { signal })
  }

  /** Null until the engine has said it. */
  get status(): SyncStatus | null {
    return this.#status
  }

  /** Call when an account has been opened. */
  async load(): Promise<void> {
    this.#told = null
    this.#tellActivity()
    const result = await this.#backend.call('sync.status', {})
    if (result.ok) this.#status = result.data
  }

  /**
   * Looks for news now.
   * @param tell is given why it was refused, where the status line does not say that by itself
   */
  async syncNow(tell: (problem: Problem) => void): Promise<void> {
    const problem = await this.look()
    const isSaid = this.#status !== null && (this.#status.connection !== 'online' || this.#status.problem !== null)
    if (problem !== null && !isSaid) tell(problem)
  }

  /** The same, for who says it. @returns why it was refused; null where it was not */
  async look(): Promise<Problem | null> {
    const result = await this.#backend.call('sync.now', {})
    return result.ok ? null : result.error
  }

  #tellActivity(): void {
    const activity = activityNow()
    if (activity === this.#told) return
    this.#told = activity
    void this.#backend.call('window.activity', { activity })
  }
}
