import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Result } from '../../../shared/result.ts'
import { reverseOf, type StateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { NO_HISTORY, withMade, withoutStep, withPutBack, withTurned } from './change-history.ts'
import type { ChangeHistory, Side, Step } from './change-history.ts'
import type { MatchingThreads } from './chosen-threads.ts'
import { drawTogether, stateOf, type DrawnChange, type DrawnThreads } from './pending-changes.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly actions: ThreadActionsManager
  }
}

type DrawChange = (threads: DrawnThreads, change: StateChange) => DrawnChange

/** What the engine has made of a change. */
export interface Made {
  /** The IDs that undo it, oldest first. */
  readonly changeIds: readonly string[]
  /** How many threads it has changed; null where it is of something else. */
  readonly threads: number | null
}

/** A sentence about a number of threads: as many as are known when it is asked for, until the engine has counted them. */
export interface CountedSentence {
  readonly count: number
  readonly of: (count: number) => string
}

/** How a change is made, whatever kind it is of. */
export interface Making {
  /** What it is a change of: named where it cannot be undone, as somebody else has changed that since. */
  readonly of: 'thread' | 'label' | 'topic' | 'contact'
  /** Shows it, or what takes it back, before the engine has answered. */
  readonly draw: (side: Side) => DrawnChange
  readonly make: () => Promise<Result<Made>>
}

/** A change that a person asks for. */
interface Asked extends Making {
  /** The sentence that says what it did, as far as that is known. */
  readonly said: () => string
}

interface ChangeStep extends Step {
  readonly asked: Asked
  /** What undoes this step at the engine; null where it came to nothing. A person may turn it before that is known. */
  readonly changeIds: Promise<readonly string[] | null>
  readonly drawn: DrawnChange
  readonly toastId: number
}

const otherSide = (side: Side): Side => (side === 'done' ? 'undone' : 'done')

/** Said where the platform may hold more threads of a list than are known here. */
const NOT_WHOLE = 'Threads that are not on this computer yet stay as they are.'

/** Said where the engine has found nothing to change. */
const NOTHING_CHANGED = 'No thread was changed: they are that way already.'

/** "Archived." as it is told when it was undone, or done again. */
const turnedWords = (said: string, side: Side): string =>
  side === 'undone' ? `Undone: ${said.charAt(0).toLowerCase()}${said.slice(1)}` : said.replace(/\.$/, ' again.')

const changedSince = (of: Asked['of'], side: Side): string =>
  `This cannot be ${side === 'undone' ? 'undone' : 'done again'}: the ${of} has been changed since.`

/** What brings each of the threads back to the state that it is in now: threads of the same reverse in one. */
const reversesOf = (
  threads: readonly Thread[],
  change: StateChange,
): readonly { readonly threadIds: readonly string[]; readonly change: StateChange }[] => {
  const reverses = threads.map((thread) => ({ id: thread.id, change: reverseOf(stateOf(thread), change) }))
  return [...Map.groupBy(reverses, (reverse) => JSON.stringify(reverse.change)).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({ threadIds: alike.map(({ id }) => id), change: first.change })),
  )
}

/**
 * Changes threads, and goes back and forward through what was changed in this window, of threads and of whatever else,
 * wherever it is shown by now. All of that is seen before the engine has answered.
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
   * Applies a change to threads of one inbox. It is drawn before this returns, and taken off the screen again where it is
   * refused.
   * @param said the sentence of the toast with "Undo"; null for a change that a person did not ask for, which is no part of
   *   what they go back through
   * @returns whether it was accepted; where not, the person has been told
   */
  change(
    threads: readonly Thread[],
    change: ThreadChange,
    said: string | CountedSentence | null,
    matching: MatchingThreads | null = null,
  ): Promise<boolean> {
    return this.make(this.making(threads, change, matching), said)
  }

  /** How a change of threads of one inbox is made, for one that is a part of another. */
  making(threads: readonly Thread[], change: ThreadChange, matching: MatchingThreads | null = null): Making {
    const inboxId = matching?.query.inboxIds[0] ?? threads[0]?.inboxId
    const threadIds = threads.map(({ id }) => id)
    const asked = {
      read: change.read,
      folder: change.folder,
      addLabels: change.addLabels?.slice(),
      removeLabels: change.removeLabels?.slice(),
    }
    const reverses = reversesOf(threads, change)
    return {
      of: 'thread',
      draw: (side) =>
        drawTogether(
          side === 'done'
            ? [this.#draw(matching ?? threadIds, change)]
            : reverses.map((each) => this.#draw(each.threadIds, each.change)),
        ),
      make: async () => {
        if (inboxId === undefined) return { ok: true, data: { changeIds: [], threads: 0 } }
        const result = await this.#backend.call('thread.change', {
          inboxId,
          change: asked,
          ...(matching === null
            ? { threadIds }
            : { matching: { query: matching.query, upTo: matching.upTo, except: [...matching.except] } }),
        })
        if (result.ok && !result.data.isWhole) this.#toasts.say(NOT_WHOLE)
        if (!result.ok) return result
        const { changeId, threads: changed } = result.data
        return { ok: true, data: { changeIds: [changeId], threads: changed } }
      },
    }
  }

  /**
   * Makes a change of whatever kind, which is a step of its own in what a person goes back through.
   * @param said as of `change`; one that counts is said anew where the engine has counted otherwise
   * @returns whether it was accepted; where not, the person has been told
   */
  async make(making: Making, said: string | CountedSentence | null): Promise<boolean> {
    const drawn = making.draw('done')
    const answer = this.#inTurn(making.make)
    let step: ChangeStep | null = null
    let words = said === null || typeof said === 'string' ? (said ?? '') : said.of(said.count)
    if (said !== null) {
      const changeIds = answer.then((result) => (result.ok && result.data.threads !== 0 ? result.data.changeIds : null))
      step = this.#step('done', { asked: { ...making, said: () => words }, changeIds, drawn }, words)
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
    const { threads } = result.data
    if (step === null || threads === null) return true
    if (threads === 0) {
      this.#drop(step)
      this.#toasts.say(NOTHING_CHANGED)
    } else if (typeof said !== 'string' && said !== null && threads !== said.count) {
      words = said.of(threads)
      this.#toasts.reword(step.toastId, words)
    }
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
    const drawn = asked.draw(side)
    const answer = this.#inTurn(async () => {
      const changeIds = await step.changeIds
      return changeIds === null ? null : this.#undoAll(changeIds)
    })
    const turn: Promise<void> = answer.then(() => {
      if (this.#turn === turn) this.#turn = null
    })
    this.#turn = turn
    const changeIds = answer.then((result) => (result?.ok === true && result.data.length > 0 ? result.data : null))
    const turned = this.#step(side, { asked, changeIds, drawn }, turnedWords(asked.said(), side))
    this.#history = withTurned(this.#history, step, side, turned)
    if ((await changeIds) !== null) {
      drawn.accept()
      return
    }
    drawn.revert()
    this.#drop(turned)
    const result = await answer
    // What was to be turned came to nothing itself, and the person has been told that.
    if (result === null) return
    if (result.ok) {
      this.#toasts.say(changedSince(asked.of, side))
      return
    }
    // What the engine does not know any more cannot be turned later, either.
    if (result.error.code !== 'not_found') this.#history = withPutBack(this.#history, step, from)
    this.#toasts.problem(result.error)
  }

  /**
   * Undoes changes, the newest first. What was changed since is left as it is.
   * @returns what undoes the undoing, oldest first; the problem where none of them could be undone
   */
  async #undoAll(changeIds: readonly string[]): Promise<Result<readonly string[]>> {
    const inverses: string[] = []
    for (const changeId of changeIds.toReversed()) {
      const result = await this.#backend.call('change.undo', { changeId })
      if (!result.ok) {
        if (inverses.length === 0) return result
        this.#toasts.problem(result.error)
        break
      }
      if (result.data.undone) inverses.push(result.data.changeId)
    }
    return { ok: true, data: inverses }
  }

  /**
   * Asks the engine at once, but after everything that waits to be undone or done again: a change of the same thread that came
   * later by the keys must come later there.
   */
  #inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#turn === null ? ask() : this.#turn.then(ask)
  }

  /** The newest step, and the toast that says it and offers the other direction. */
  #step(side: Side, parts: Pick<ChangeStep, 'asked' | 'changeIds' | 'drawn'>, said: string): ChangeStep {
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
