import type { ChangeReceipt } from '../../../shared/contract.ts'
import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import { reverseOf, type StateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { stateOf, type DrawnChange } from './pending-changes.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly actions: ThreadActionsManager
  }
}

/** Changes of threads that a person can take back, newest last. More than a few are not remembered by anyone. */
const REMEMBERED = 20

type DrawChange = (threadIds: readonly string[], change: StateChange) => DrawnChange

interface Undoable {
  /** What the engine says of the change: a person may take it back before that is known. */
  readonly answer: Promise<Result<ChangeReceipt>>
  /** Draws what was there before the change. */
  readonly drawReverse: () => DrawnChange
  readonly toastId: number
}

/** Changes threads and takes the changes back. Both are seen before the engine has answered. */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #draw: DrawChange
  #undoable: readonly Undoable[] = []

  /** @param draw draws a change, or its reverse, wherever its threads are on the screen */
  constructor(backend: Backend, toasts: ToastManager, draw: DrawChange) {
    this.#backend = backend
    this.#toasts = toasts
    this.#draw = draw
  }

  /**
   * Applies a change to one thread. It is drawn before this returns, and taken off the screen again where it is refused.
   * @param said the sentence of the toast with "Undo"; null for a change that a person did not ask for
   * @returns whether it was accepted; where not, the person has been told
   */
  async change(thread: Thread, change: ThreadChange, said: string | null): Promise<boolean> {
    const drawn = this.#draw([thread.id], change)
    const answer = this.#backend.call('thread.change', {
      inboxId: thread.inboxId,
      threadIds: [thread.id],
      change: {
        read: change.read,
        folder: change.folder,
        addLabels: change.addLabels?.slice(),
        removeLabels: change.removeLabels?.slice(),
      },
    })
    const drawReverse = (): DrawnChange => {
      drawn.revert()
      return this.#draw([thread.id], reverseOf(stateOf(thread), change))
    }
    const entry = said === null ? null : this.#remember(answer, said, drawReverse)
    const result = await answer
    if (!result.ok) {
      if (entry !== null) this.#forget(entry)
      drawn.revert()
      this.#toasts.problem(result.error)
      return false
    }
    drawn.accept()
    return true
  }

  /** Takes back the newest change that has not been taken back yet. */
  undoLast(): void {
    const last = this.#undoable.at(-1)
    if (last === undefined) this.#toasts.say('There is nothing to undo.')
    else void this.#undo(last)
  }

  #remember(answer: Undoable['answer'], said: string, drawReverse: () => DrawnChange): Undoable {
    const toastId = this.#toasts.say(said, () => {
      if (this.#undoable.includes(entry)) void this.#undo(entry)
    })
    const entry = { answer, drawReverse, toastId }
    this.#undoable = [...this.#undoable, entry].slice(-REMEMBERED)
    return entry
  }

  #forget(entry: Undoable): void {
    this.#undoable = this.#undoable.filter((each) => each !== entry)
    this.#toasts.dismiss(entry.toastId)
  }

  async #undo(entry: Undoable): Promise<void> {
    this.#forget(entry)
    const drawn = entry.drawReverse()
    const changed = await entry.answer
    if (!changed.ok) {
      // It was refused, and the person is told that.
      drawn.revert()
      return
    }
    const result = await this.#backend.call('change.undo', { changeId: changed.data.changeId })
    if (result.ok && result.data.undone) {
      drawn.accept()
      this.#toasts.say('Undone.')
    } else if (result.ok) {
      drawn.revert()
      this.#toasts.say('Nothing to undo: it has been changed since.')
    } else {
      drawn.revert()
      this.#toasts.problem(result.error)
    }
  }
}
