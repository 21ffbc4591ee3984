import type { ReceivedEmail, ReceivedEmailDetail } from '../../../shared/model.ts'
import type { SavedFile } from '../../../shared/contract.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../backend.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'

/** The account's received e-mails and the one that is open. */
export class ReceivedManager {
  readonly list: WindowedList<ReceivedEmail>
  readonly cursor = new ListCursor<ReceivedEmail>()
  readonly #backend: Backend
  #id: string | null = null
  #email = $state.raw<ReceivedEmailDetail | null>(null)
  #problem = $state.raw<Problem | null>(null)

  constructor(backend: Backend) {
    this.#backend = backend
    this.list = new WindowedList((window) => backend.call('receivedEmail.list', window))
    backend.on('receivedEmails.changed', () => this.list.refresh())
  }

  /** Null while it is being read. */
  get email(): ReceivedEmailDetail | null {
    return this.#email
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** The view is on the screen, with this one open. */
  show(id: string | null): void {
    this.list.open()
    if (id === this.#id) return
    this.#id = id
    this.#email = null
    this.#problem = null
    if (id !== null) void this.#read(id)
  }

  /** Another view is on the screen. */
  hide(): void {
    this.list.close()
  }

  retry(): void {
    if (this.#id !== null) void this.#read(this.#id)
  }

  saveRaw(id: string): Promise<Result<SavedFile>> {
    return this.#backend.call('receivedEmail.saveRaw', { id })
  }

  async #read(id: string): Promise<void> {
    const result = await this.#backend.call('receivedEmail.get', { id })
    if (id !== this.#id) return
    if (result.ok) this.#email = result.data
    this.#problem = result.ok ? null : result.error
  }
}
