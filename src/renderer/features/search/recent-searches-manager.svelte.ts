import type { RecentSearch } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'

/** The account's latest searches, stored by its engine. */
export class RecentSearchesManager {
  readonly #backend: Backend
  readonly #toasts: Pick<ToastManager, 'problem'>
  #searches = $state.raw<readonly RecentSearch[]>([])

  constructor(backend: Backend, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('recentSearches.changed', () => void this.load())
  }

  /** Newest first. */
  get searches(): readonly RecentSearch[] {
    return this.#searches
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('recentSearch.list', {})
    if (result.ok) this.#searches = result.data
  }

  /** Failures aren't reported, since they don't affect the search itself. */
  async add(text: string): Promise<void> {
    await this.#backend.call('recentSearch.add', { text })
  }

  async clear(): Promise<void> {
    const result = await this.#backend.call('recentSearch.clear', {})
    if (result.ok) this.#searches = []
    else this.#toasts.problem(result.error)
  }
}
