import type { Inbox } from '../../shared/model.ts'
import type { Backend } from './backend.ts'
import { SyncManager } from './sync-manager.svelte.ts'

/** What every window knows of an open account, whether it shows its mail or not: its inboxes, and how its sync goes. */
export class AccountWatch {
  readonly id: string
  readonly sync: SyncManager
  readonly #backend: Backend
  #inboxes = $state.raw<readonly Inbox[]>([])

  /** @param backend of this account, until `ending` */
  constructor(id: string, backend: Backend, ending: AbortSignal) {
    this.id = id
    this.#backend = backend
    this.sync = new SyncManager(backend, ending)
    backend.on('inboxes.changed', () => void this.#loadInboxes())
  }

  /** In the platform's order; none until they are known. */
  get inboxes(): readonly Inbox[] {
    return this.#inboxes
  }

  /** Unread threads in all inboxes of the account. */
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
