import type { Inbox } from '../../shared/model.ts'
import type { Backend } from './backend.ts'
import { SyncManager } from './sync-manager.svelte.ts'

/** State of an open account that every window tracks, displayed or not: inboxes and sync. */
export class AccountWatch {
  readonly id: string
  readonly sync: SyncManager
  readonly #backend: Backend
  #inboxes = $state.raw<readonly Inbox[]>([])

  constructor(id: string, backend: Backend, ending: AbortSignal) {
    this.id = id
    this.#backend = backend
    this.sync = new SyncManager(backend, ending)
    backend.on('inboxes.changed', () => void this.#loadInboxes())
  }

  /** In the platform's order; empty until loaded. */
  get inboxes(): readonly Inbox[] {
    return this.#inboxes
  }

  get unread(): number {
    return this.#inboxes.reduce((sum, { unread }) => sum + unread, 0)
  }

  async load(): Promise<void> {
    await Promise.all([this.sync.load(), this.#loadInboxes()])
  }

  async #loadInboxes(): Promise<void> {
    const result = await this.#backend.call('inbox.list', {})
    if (result.ok) this.#inboxes = result.data.inboxes
  }
}
