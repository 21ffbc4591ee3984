import type { Thread, ThreadChange } from '../../../shared/model.ts'
import { reverseOf, type StateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { NO_HISTORY, withMade, withoutStep, withPutBack, withTurned } from './change-history.ts'
import type { ChangeHistory, Side, Step } from './change-history.ts'
import { stateOf, type DrawnChange } from './pending-changes.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly actions: ThreadActionsManager
  }
}

type DrawChange = (threadIds: readonly string[], change: StateChange) => DrawnChange

/** A change that a person has asked for. */
interface Asked {
  readonly threadIds: readonly string[]
  readonly change: StateChange
  readonly reverse: StateChange
  /** The sentence that says what it did. */
  readonly said: string
}

interface ChangeStep extends Step {
  readonly asked: Asked
  /** What undoes this step at the engine; null where it came to nothing. A person may turn it before that is known. */
  readonly changeId: Promise<string | null>
  readonly drawn: DrawnChange
  readonly toastId: number
}

const otherSide = (side: Side): Side => (side === 'done' ? 'undone' : 'done')

/** "Archived." as it is told when it was undone, or done again. */
const turnedWords = (said: string, side: Side): string =>
  side === 'undone' ? `Undone: ${said.charAt(0).toLowerCase()}${said.slice(1)}` : said.replace(/\.$/, ' again.')

const CHANGED_SINCE: Readonly<Record<Side, string>> = {
  undone: 'This cannot be undone: the thread has been changed since.',
  done: 'This cannot be done again: the thread has been changed since.',
}

/**
 * Changes threads, and goes back and forward through what was changed in this window, wherever it is shown by now. All
 * of that is seen before the engine has answered.
 */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #draw: DrawChange
  #history = $state.raw<ChangeHistory<ChangeStep>>(NO_HISTORY)
  #lastNo = 0
  /** Ends when nothing waits to be undone or done again; null where nothing does. */
  #turn: Promise<void> | null = null

  /** @param draw draws a change, or its reverse, wherever its threads are on the screen */
  constructor(backend: Backend, toasts: ToastManager, draw: DrawChange) {
    this.#backend = backend
    this.#toasts = toasts
    this.#draw = draw
  }

  get canUndo(): boolean {
    return this.#history.done.length > 0
  }

  get canRedo(): boolean {
    return this.#history.undone.length > 0
  }

  /**
   * Applies a change to one thread. It is drawn before this returns, and taken off the screen again where it is refused.
   * @param said the sentence of the toast with "Undo"; null for a change that a person did not ask for, which is no part of
   *   what they go back through
   * @returns whether it was accepted; where not, the person has been told
   */
  async change(thread: Thread, change: ThreadChange, said: string | null): Promise<boolean> {
    const threadIds = [thread.id]
    const drawn = this.#draw(threadIds, change)
    const answer = this.#inTurn(() =>
      this.#backend.call('thread.change', {
        inboxId: thread.inboxId,
        threadIds,
        change: {
          read: change.read,
          folder: change.folder,
          addLabels: change.addLabels?.slice(),
          removeLabels: change.removeLabels?.slice(),
        },
      }),
    )
    let step: ChangeStep | null = null
    if (said !== null) {
      const asked = { threadIds, change, reverse: reverseOf(stateOf(thread), change), said }
      const changeId = answer.then((result) => (result.ok ? result.data.changeId : null))
      step = this.#step('done', { asked, changeId, drawn }, said)
      for (const { toastId } of this.#history.undone) this.#toasts.dismiss(toastId)
      this.#history = withMade(this.#history, step)
    }
    const result = await answer
    if (!result.ok) {
      if (step !== null) this.#drop(step)
      drawn.revert()
      this.#toasts.problem(result.error)
      return false
    }
    drawn.accept()
    return true
  }

  /** Takes back the newest change that is in effect. */
  undo(): void {
    this.#turnLast('done')
  }

  /** Makes the change again that was taken back last. */
  redo(): void {
    this.#turnLast('undone')
  }

  #turnLast(side: Side): void {
    const step = this.#history[side].at(-1)
    if (step !== undefined) void this.#turnStep(step, side)
  }

  /** Takes a step from the side on which it is to the other one. */
  async #turnStep(step: ChangeStep, from: Side): Promise<void> {
    const side = otherSide(from)
    const { asked } = step
    this.#toasts.dismiss(step.toastId)
    step.drawn.revert()
    const drawn = this.#draw(asked.threadIds, side === 'undone' ? asked.reverse : asked.change)
    const answer = this.#inTurn(async () => {
      const changeId = await step.changeId
      return changeId === null ? null : this.#backend.call('change.undo', { changeId })
    })
    const turn: Promise<void> = answer.then(() => {
      if (this.#turn === turn) this.#turn = null
    })
    this.#turn = turn
    const changeId = answer.then((result) => (result?.ok === true && result.data.undone ? result.data.changeId : null))
    const turned = this.#step(side, { asked, changeId, drawn }, turnedWords(asked.said, side))
    this.#history = withTurned(this.#history, step, side, turned)
    if ((await changeId) !== null) {
      drawn.accept()
      return
    }
    drawn.revert()
    this.#drop(turned)
    const result = await answer
    // What was to be turned came to nothing itself, and the person has been told that.
    if (result === null) return
    if (result.ok) {
      this.#toasts.say(CHANGED_SINCE[side])
      return
    }
    // What the engine does not know any more cannot be turned later, either.
    if (result.error.code !== 'not_found') this.#history = withPutBack(this.#history, step, from)
    this.#toasts.problem(result.error)
  }

  /**
   * Asks the engine at once, but after everything that waits to be undone or done again: a change of the same thread that came
   * later by the keys must come later there.
   */
  #inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#turn === null ? ask() : this.#turn.then(ask)
  }

  /** The newest step, and the toast that says it and offers the other direction. */
  #step(side: Side, parts: Pick<ChangeStep, 'asked' | 'changeId' | 'drawn'>, said: string): ChangeStep {
    this.#lastNo += 1
    const toastId = this.#toasts.say(said, {
      name: side === 'done' ? 'Undo' : 'Redo',
      run: () => {
        if (this.#history[side].includes(step)) void this.#turnStep(step, side)
      },
    })
    const step: ChangeStep = { ...parts, no: this.#lastNo, toastId }
    return step
  }

  #drop(step: ChangeStep): void {
    this.#history = withoutStep(this.#history, step)
    this.#toasts.dismiss(step.toastId)
  }
}
