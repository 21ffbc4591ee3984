import type { ChangeProgress } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'

/** Large changes that are still running, no matter who started them or when. */
export class LargeChangesManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  /** Oldest first. */
  underWay = $state.raw<readonly ChangeProgress[]>([])

  constructor(backend: Backend, toasts: Readonly<ToastManager>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on(
      'changes.progressed',
      coalesceCalls(() => void this.load()),
    )
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('change.underWay', {})
    if (result.ok) this.underWay = result.data
  }

  /** Undoes what has not been sent and reports the rest. */
  async cancel(changeId: string): Promise<void> {
    const kind = this.underWay.find((change) => change.changeId === changeId)?.kind ?? 'thread'
    const result = await this.#backend.call('change.cancel', { changeId })
    if (result.ok) {
      const { threads } = result.data
      this.#toasts.show(
        kind === 'contactImport'
          ? `Cancelled. ${threads === 0 ? 'No contacts were imported.' : 'Some contacts had already been imported.'}`
          : threads === 0
            ? `Cancelled. No ${kind}s were changed.`
            : `Cancelled. ${formatCount(threads, kind)} had already been changed.`,
      )
    } else this.#toasts.problem(result.error)
    await this.load()
  }
}
