import type { MadeShareLink } from '../../../shared/contract.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { subjectOf } from '../threads/correspondent.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly shareLinks: ShareLinksManager
  }
}

/** The share links that were made on this computer: the engine keeps them, and every window shows the same. */
export class ShareLinksManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #links = $state.raw<readonly MadeShareLink[] | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #typed = $state('')
  #isShown = false
  /** The newest look: answers of those before it are late. */
  #looks = 0

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on('shareLinks.changed', () => {
      if (this.#isShown) void this.load()
    })
  }

  /** Newest first; null while they are read for the first time. */
  get links(): readonly MadeShareLink[] | null {
    return this.#links
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** What the list is searched for. */
  get typed(): string {
    return this.#typed
  }

  set typed(typed: string) {
    this.#typed = typed
    void this.load()
  }

  /** The list is on the screen. */
  show(): void {
    this.#isShown = true
    void this.load()
  }

  hide(): void {
    this.#isShown = false
  }

  async load(): Promise<void> {
    this.#looks += 1
    const look = this.#looks
    const result = await this.#backend.call('shareLink.list', { typed: this.#typed })
    if (look !== this.#looks) return
    if (result.ok) this.#links = result.data
    this.#problem = result.ok ? null : result.error
  }

  async copy({ url }: MadeShareLink): Promise<void> {
    const isCopied = await navigator.clipboard.writeText(url).then(
      () => true,
      () => false,
    )
    this.#toasts.say(
      isCopied ? 'Link copied.' : 'The link could not be copied. Open it, and copy its address from there.',
    )
  }

  async forget({ id, subject }: MadeShareLink): Promise<void> {
    if (!(await this.#ask('shareLink.forget', id))) return
    const toast = this.#toasts.say(`Link to “${subjectOf(subject)}” forgotten. It works on until it expires.`, {
      name: 'Undo',
      run: () => {
        this.#toasts.dismiss(toast)
        void this.#ask('shareLink.restore', id)
      },
    })
  }

  /** @returns whether it was done */
  async #ask(command: 'shareLink.forget' | 'shareLink.restore', id: string): Promise<boolean> {
    const result = await this.#backend.call(command, { id })
    if (!result.ok) this.#toasts.problem(result.error)
    await this.load()
    return result.ok
  }
}
