import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Backend } from '../../backend.ts'
import type { ToastManager } from '../../app/toast-manager.svelte.ts'
import { reverseOf, type ThreadPatch } from './thread-patch.ts'

/** Changes of threads that a person can take back, newest last. More than a few are not remembered by anyone. */
const REMEMBERED = 20

/** Changes threads and takes the changes back. */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #onChange: (threadIds: readonly string[], patch: ThreadPatch) => void
  #undoable: readonly { readonly changeId: string; readonly revert: () => void; readonly toastId: number | null }[] = []

  /** @param onChange hears of every change that was accepted here, and of its reverse */
  constructor(
    backend: Backend,
    toasts: ToastManager,
    onChange: (threadIds: readonly string[], patch: ThreadPatch) => void,
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#onChange = onChange
  }

  /**
   * Applies a change to one thread.
   * @param said the sentence of the toast with "Undo"; null for a change that a person did not ask for
   * @returns whether it was accepted; where not, the person has been told
   */
  async change(thread: Thread, change: ThreadChange, said: string | null): Promise<boolean> {
    const result = await this.#backend.call('thread.change', {
      inboxId: thread.inboxId,
      threadIds: [thread.id],
      change: {
        read: change.read,
        folder: change.folder,
        addLabels: change.addLabels?.slice(),
        removeLabels: change.removeLabels?.slice(),
      },
    })
    if (!result.ok) {
      this.#toasts.problem(result.error)
      return false
    }
    this.#onChange([thread.id], change)
    if (said !== null)
      this.#remember(result.data.changeId, said, () => this.#onChange([thread.id], reverseOf(thread, change)))
    return true
  }

  /** Takes back the newest change that has not been taken back yet. */
  undoLast(): void {
    const last = this.#undoable.at(-1)
    if (last === undefined) this.#toasts.say('There is nothing to undo.')
    else void this.#undo(last.changeId)
  }

  #remember(changeId: string, said: string, revert: () => void): void {
    const toastId = this.#toasts.say(said, () => void this.#undo(changeId))
    this.#undoable = [...this.#undoable, { changeId, revert, toastId }].slice(-REMEMBERED)
  }

  async #undo(changeId: string): Promise<void> {
    const entry = this.#undoable.find((each) => each.changeId === changeId)
    if (entry === undefined) return
    this.#undoable = this.#undoable.filter((each) => each !== entry)
    if (entry.toastId !== null) this.#toasts.dismiss(entry.toastId)
    const result = await this.#backend.call('change.undo', { changeId })
    if (result.ok && result.data.undone) {
      entry.revert()
      this.#toasts.say('Undone.')
    } else if (result.ok) {
      this.#toasts.say('Nothing to undo: it has been changed since.')
    } else {
      this.#toasts.problem(result.error)
    }
  }
}
