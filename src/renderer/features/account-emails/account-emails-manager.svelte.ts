import type { Page, ReceivedEmail, ReceivedEmailDetail, SentEmail, SentEmailDetail } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly received: AccountEmailsManager<ReceivedEmail, ReceivedEmailDetail>
    readonly sent: AccountEmailsManager<SentEmail, SentEmailDetail>
  }
}

/** How one of the account's lists of e-mails is read, and how it tells that it changed. */
interface AccountEmailsSource<Listed, Whole> {
  readonly list: (window: { readonly offset: number; readonly limit: number }) => Promise<Result<Page<Listed>>>
  readonly get: (id: string) => Promise<Result<Whole>>
  readonly onChange: (refresh: () => void) => void
}

/** The e-mails that the account received, or those that it sent, and the one that is open. */
export class AccountEmailsManager<Listed extends { readonly id: string }, Whole> {
  readonly list: WindowedList<Listed>
  readonly cursor = new ListCursor<Listed>()
  readonly #source: AccountEmailsSource<Listed, Whole>
  #id: string | null = null
  #email = $state.raw<Whole | null>(null)
  #problem = $state.raw<Problem | null>(null)

  constructor(source: AccountEmailsSource<Listed, Whole>) {
    this.#source = source
    this.list = new WindowedList((window) => source.list(window))
    source.onChange(() => this.list.refresh())
  }

  /** Null while it is being read. */
  get email(): Whole | null {
    return this.#email
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** The view is on the screen, with this one open. */
  show(id: string | null): void {
    void this.list.open()
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

  async #read(id: string): Promise<void> {
    const result = await this.#source.get(id)
    if (id !== this.#id) return
    if (result.ok) this.#email = result.data
    this.#problem = result.ok ? null : result.error
  }
}
