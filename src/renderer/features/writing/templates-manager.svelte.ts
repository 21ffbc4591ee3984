import type { Template, TemplateSummary } from '../../../shared/templates.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly templates: TemplatesManager
  }
}

/** The published templates of the platform, to be put into messages. */
export class TemplatesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #all = $state.raw<readonly TemplateSummary[]>([])
  /** The newest look: answers of those before it are late. */
  #looks = 0

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('templates.changed', () => void this.load())
  }

  /** By their names. */
  get all(): readonly TemplateSummary[] {
    return this.#all
  }

  async load(): Promise<void> {
    this.#looks += 1
    const look = this.#looks
    const result = await this.#backend.call('template.list', {})
    if (result.ok && look === this.#looks) this.#all = result.data
  }

  /** Call where somebody is about to choose one: the platform is asked unless that was lately. */
  look(): void {
    void this.#backend.call('template.refresh', {})
  }

  /** What a template says. @returns null where it cannot be had, which is said */
  async get(id: string): Promise<Template | null> {
    const result = await this.#backend.call('template.get', { id })
    if (result.ok) return result.data
    this.#toasts.problem(result.error)
    return null
  }
}
