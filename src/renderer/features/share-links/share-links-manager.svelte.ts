import type { CreatedShareLink } from '../../../shared/contract.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { copyText } from '../../kernel/copy-text.ts'
import type { RowMail } from '../../kernel/screen.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { quoteSubject } from '../threads/describe-threads.ts'
import type { ThreadActionsManager } from '../threads/thread-actions-manager.svelte.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { inMemoryRows } from '../../ui/row-source.ts'

/** Share links created on this computer. The engine stores them, so all windows show the same. */
export class ShareLinksManager {
  readonly cursor = new ListCursor<CreatedShareLink>()
  readonly list = inMemoryRows(
    () => this.links,
    () => this.problem,
    () => this.load(),
  )
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #actions: Pick<ThreadActionsManager, 'noteDone'>
  /** Newest first. Null while first loading. */
  links = $state.raw<readonly CreatedShareLink[] | null>(null)
  problem = $state.raw<Problem | null>(null)
  typed = $state('')
  #isShown = false
  /** Number of the latest request. Responses to earlier requests are ignored. */
  #loadCount = 0

  constructor(backend: Backend, toasts: Readonly<ToastManager>, actions: Pick<ThreadActionsManager, 'noteDone'>) {
    this.#backend = backend
    this.#toasts = toasts
    this.#actions = actions
    backend.on('shareLinks.changed', () => {
      if (this.#isShown) void this.load()
    })
  }

  /** The e-mail of the link with this ID, or under the cursor for null, as the target of thread commands. */
  mail(id: string | null): RowMail | null {
    const link = id === null ? this.cursor.row(this.list) : this.list.at(this.list.indexOf(id))
    return link === undefined ? null : this.mailOf(link)
  }

  mailOf({ of, inThread, isHere }: CreatedShareLink): RowMail {
    return {
      inThread,
      email: isHere && of.list !== 'threads' ? { list: of.list, id: of.emailId, onServer: true } : null,
    }
  }

  filter(typed: string): void {
    this.typed = typed
    void this.load()
  }

  show(): void {
    if (!this.#isShown) void this.load()
    this.#isShown = true
  }

  hide(): void {
    this.#isShown = false
  }

  async load(): Promise<void> {
    const look = (this.#loadCount += 1)
    const result = await this.#backend.call('shareLink.list', { typed: this.typed })
    if (look !== this.#loadCount) return
    if (result.ok) this.links = result.data
    this.cursor.settle(this.list)
    this.problem = result.ok ? null : result.error
  }

  copy({ url }: CreatedShareLink): Promise<void> {
    const failed = 'The link could not be copied. Open it and copy the address from your browser.'
    return copyText(this.#toasts, url, 'Link copied.', failed)
  }

  async forget({ id, subject }: CreatedShareLink): Promise<void> {
    const gone = await this.#ask('shareLink.forget', id)
    if (!gone.ok) return void this.#toasts.problem(gone.error)
    this.#actions.noteDone(
      `Removed the link to ${quoteSubject(subject)} from the list. It still works until it expires.`,
      () => this.#ask('shareLink.restore', id),
    )
  }

  async #ask(command: 'shareLink.forget' | 'shareLink.restore', id: string): Promise<Result<null>> {
    const result = await this.#backend.call(command, { id })
    await this.load()
    return result
  }
}
