import type { SyncStatus } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'
import type { Backend } from './backend.ts'

type Activity = 'focused' | 'visible' | 'hidden'

const activityNow = (): Activity => {
  if (document.visibilityState === 'hidden') return 'hidden'
  return document.hasFocus() ? 'focused' : 'visible'
}

/** Sync status, and the window's activity reports to the engine. */
export class SyncManager {
  readonly #backend: Backend
  /** Null until the engine responds. */
  status = $state.raw<SyncStatus | null>(null)
  /** Checks asked for by the user and not yet answered. */
  checks = $state(0)
  #reported: Activity | null = null

  constructor(backend: Backend, signal: AbortSignal) {
    this.#backend = backend
    backend.on('sync.changed', (status) => (this.status = status))
    for (const event of ['focus', 'blur']) addEventListener(event, () => this.#reportActivity(), { signal })
    document.addEventListener('visibilitychange', () => this.#reportActivity(), { signal })
    addEventListener('online', () => void backend.call('network.changed', {}), { signal })
  }

  /** Call after opening an account. */
  async load(): Promise<void> {
    this.#reported = null
    this.#reportActivity()
    const result = await this.#backend.call('sync.status', {})
    if (result.ok) this.status = result.data
  }

  /** Checks for new mail now. @param onProblem receives the problem if the status line doesn't show it */
  async syncNow(onProblem: (problem: Problem) => void): Promise<void> {
    const problem = await this.look()
    const isShown = this.status !== null && (this.status.connection !== 'online' || this.status.problem !== null)
    if (problem !== null && !isShown) onProblem(problem)
  }

  /** Like `syncNow`, for callers that report problems themselves. @returns the problem, or null */
  async look(): Promise<Problem | null> {
    this.checks += 1
    const result = await this.#backend.call('sync.now', {})
    this.checks -= 1
    return result.ok ? null : result.error
  }

  #reportActivity(): void {
    const activity = activityNow()
    if (activity === this.#reported) return
    this.#reported = activity
    void this.#backend.call('window.activity', { activity })
  }
}
