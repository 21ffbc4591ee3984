import type { ChangeProgress } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { countOf } from '../../ui/format-quantity.ts'
import { soon } from '../../ui/soon.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly largeChanges: LargeChangesManager
  }
}

/** Large changes that are still running, no matter who started them or when. */
export class LargeChangesManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  #underWay = $state.raw<readonly ChangeProgress[]>([])

  constructor(backend: Backend, toasts: ToastManager) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on(
      'changes.progressed',
      soon(() => void this.load()),
    )
  }

  /** Oldest first. */
  get underWay(): readonly ChangeProgress[] {
    return this.#underWay
  }

  async load(): Promise<void> {
    const result = await this.#backend.call('change.underWay', {})
    if (result.ok) this.#underWay = result.data.filter(({ isCancelling }) => !isCancelling)
  }

  /** Undoes what has not been sent and reports the rest. */
  async cancel(changeId: string): Promise<void> {
    const kind = this.#underWay.find((change) => change.changeId === changeId)?.kind ?? 'thread'
    const result = await this.#backend.call('change.cancel', { changeId })
    if (result.ok) {
      const { threads } = result.data
      this.#toasts.show(
        kind === 'contactImport'
          ? `Cancelled. ${threads === 0 ? 'No contact was imported.' : 'Some contacts had already been imported.'}`
          : threads === 0
            ? `Cancelled. No ${kind} was changed.`
            : `Cancelled. ${countOf(threads, kind)} had already been changed.`,
      )
    } else this.#toasts.problem(result.error)
    await this.load()
  }
}
