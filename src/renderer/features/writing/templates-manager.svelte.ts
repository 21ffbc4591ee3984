import type { Template, TemplateSummary } from '../../../shared/templates.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly templates: TemplatesManager
  }
}

/** Published templates from the platform, for use in messages. */
export class TemplatesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #all = $state.raw<readonly TemplateSummary[]>([])
  /** Number of the latest load, to ignore stale responses. */
  #loadCount = 0

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('templates.changed', () => void this.load())
  }

  /** Sorted by name. */
  get all(): readonly TemplateSummary[] {
    return this.#all
  }

  async load(): Promise<void> {
    this.#loadCount += 1
    const look = this.#loadCount
    const result = await this.#backend.call('template.list', {})
    if (result.ok && look === this.#loadCount) this.#all = result.data
  }

  /** Call before the user chooses a template. Refreshes the list from the platform unless that happened recently. */
  look(): void {
    void this.#backend.call('template.refresh', {})
  }

  /** @returns null on failure, after notifying the user */
  async get(id: string): Promise<Template | null> {
    const result = await this.#backend.call('template.get', { id })
    if (result.ok) return result.data
    this.#toasts.problem(result.error)
    return null
  }
}
