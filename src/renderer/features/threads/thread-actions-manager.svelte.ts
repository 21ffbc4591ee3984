import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { reverseStateChange, type ThreadStateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager, ToastOffer } from '../../kernel/toast-manager.svelte.ts'
import { EMPTY_CHANGE_HISTORY, withNewStep, withoutStep, withRestoredStep, withMovedStep } from './change-history.ts'
import type { ChangeHistory, HistorySide, HistoryStep } from './change-history.ts'
import type { MatchingThreads } from './chosen-threads.ts'
import {
  combineChanges,
  NO_OPTIMISTIC_CHANGE,
  toThreadState,
  type OptimisticChange,
  type ChangedThreads,
} from './pending-changes.svelte.ts'
import type { ChangeReceipt } from '../../../shared/contract/inputs.ts'

type ApplyChange = (threads: ChangedThreads, change: ThreadStateChange) => OptimisticChange

export interface ActionResult {
  /** IDs for undoing the change, oldest first; none if it has a `revert`. */
  readonly changeIds?: readonly string[]
  /** Number of threads changed; null or omitted for other kinds of change. */
  readonly threads?: number | null
  readonly note?: string
  /** Undoes a change without such IDs, as of a draft. @returns the result that reverts the undo, or null if too late */
  readonly revert?: () => Promise<Result<ActionResult | null>>
}

/** Toast text for a change and for its undo. A plain string works for both: "Archived". */
export type ToastText = string | { readonly done: string; readonly undone: string }

/** Text that includes a number of threads: an estimate first, then the engine's count. */
export interface CountedSentence {
  readonly count: number
  readonly of: (count: number) => ToastText
}

export interface UndoableAction {
  /** Named in the message when the change cannot be undone because someone else changed the object since. */
  readonly of: 'thread' | 'label' | 'topic' | 'contact' | 'suppression' | 'agent' | 'draft'
  /** Shows the change, or its undo, before the engine responds. Omitted if it is shown in some other way. */
  readonly draw?: (side: HistorySide) => OptimisticChange
  readonly make: () => Promise<Result<ActionResult>>
  /** Number of threads that it archives. */
  readonly archives?: number
  /** Replaces the default message when it is too late to undo. */
  readonly tooLate?: string
  /** Can't be redone: undo puts the user back into the work, such as a reopened message. */
  readonly isOneWay?: true
  /** Toast duration in milliseconds; the default if omitted. */
  readonly duration?: number
  readonly offer?: ToastOffer
  /** Handles the rejection instead of a toast. */
  readonly onRejected?: (problem: Problem) => void
}

type DrawnAction = UndoableAction & Pick<Required<UndoableAction>, 'draw'>

interface ChangeStep extends HistoryStep {
  readonly undoable: UndoableAction
  readonly said: () => ToastText
  /** Null if the change failed. The user may undo before this settles. */
  readonly made: Promise<ActionResult | null>
  readonly drawn: OptimisticChange
  readonly toastId: number
  readonly goBack: RestoreView
}

const otherSide = (side: HistorySide): HistorySide => (side === 'done' ? 'undone' : 'done')

/** Added to the message when the platform may hold more threads of the list than are synced. */
const PARTIAL_NOTE = 'Threads not yet synced to this computer are unchanged.'

const NOTHING_CHANGED = 'Nothing to change.'

const isCounted = (said: ToastText | CountedSentence): said is CountedSentence =>
  typeof said === 'object' && 'of' in said

const doneText = (said: ToastText): string => (typeof said === 'string' ? said : said.done)

/** "Archived “Berth four”", reworded for an undo or redo. */
const stepText = (said: ToastText, side: HistorySide): string => {
  if (side === 'done') return `${doneText(said)} again`
  return typeof said === 'string' ? `Undone: ${said.charAt(0).toLowerCase()}${said.slice(1)}` : said.undone
}

const tooLateText = ({ of, tooLate }: UndoableAction, side: HistorySide): string =>
  tooLate ?? `Can’t ${side === 'undone' ? 'undo' : 'redo'}: the ${of} has changed since then.`

/** Restores list, cursor, selection and open thread. @param settled resolves when the engine has restored the mail */
export type RestoreView = (settled: Promise<unknown>) => void

const NOWHERE = (): RestoreView => () => undefined

/** Further action after a change, or null. The threads are in their changed state. */
export type OfferFollowUp = (threads: readonly Thread[], change: ThreadChange) => ToastOffer | null

/** Changes that restore each thread's current state; threads with the same reverse share one. */
const reversesOf = (
  threads: readonly Thread[],
  change: ThreadStateChange,
): readonly { readonly threadIds: readonly string[]; readonly change: ThreadStateChange }[] => {
  const reverses = threads.map((thread) => ({
    id: thread.id,
    change: reverseStateChange(toThreadState(thread), change),
  }))
  return [...Map.groupBy(reverses, (reverse) => JSON.stringify(reverse.change)).values()].flatMap((alike) =>
    alike.slice(0, 1).map((first) => ({ threadIds: alike.map(({ id }) => id), change: first.change })),
  )
}

/**
 * Changes threads, and undoes and redoes everything changed, sent or discarded in this window, in the user's order.
 * Every step shows before the engine responds, and undo or redo restores the user's place.
 */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: Readonly<ToastManager>
  readonly #draw: ApplyChange
  readonly #capturePlace: () => RestoreView
  readonly #offerAfter: OfferFollowUp
  #history = $state.raw<ChangeHistory<ChangeStep>>(EMPTY_CHANGE_HISTORY)
  readonly #irreversible = new WeakSet<UndoableAction>()
  #lastNo = 0
  /** Resolves when no undo or redo is waiting, or null. */
  #pendingFlip: Promise<void> | null = null

  /**
   * @param draw shows a change, or its reverse, wherever its threads are on the screen
   * @param capturePlace records the user's place and returns a function that restores it
   * @param offerAfter called for threads named individually
   */
  constructor(
    backend: Backend,
    toasts: Readonly<ToastManager>,
    draw: ApplyChange,
    capturePlace = NOWHERE,
    offerAfter: OfferFollowUp = () => null,
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#draw = draw
    this.#capturePlace = capturePlace
    this.#offerAfter = offerAfter
    backend.on('change.commanded', ({ changeId, threads, by }) => {
      const changed = threads === 1 ? '1 thread' : `${threads} threads`
      if (threads > 0)
        this.noteDone(`Changed ${changed} from ${by === 'notification' ? 'a' : 'the'} ${by}`, () =>
          backend.call('change.undo', { changeId }),
        )
    })
  }

  /** Number of changes made and not undone. */
  get count(): number {
    return this.#history.done.length
  }

  /** Number of threads archived and not restored, in this window. */
  get archived(): number {
    return this.#history.done.reduce((sum, { undoable }) => sum + (undoable.archives ?? 0), 0)
  }

  get canUndo(): boolean {
    return this.count > 0
  }

  get canRedo(): boolean {
    return this.#history.undone.length > 0
  }

  /**
   * Changes threads of one inbox. The change shows before this returns; a rejection reverts it.
   * @param said text of the toast with "Undo"; null for a change the user did not request, which can't be undone
   * @returns true if accepted; otherwise the user has been notified
   */
  change(
    threads: readonly Thread[],
    change: ThreadChange,
    said: ToastText | CountedSentence | null,
    matching: MatchingThreads | null = null,
  ): Promise<boolean> {
    return this.make(this.undoable(threads, change, matching), said)
  }

  /** A thread change in one inbox, for use as part of another change. */
  undoable(threads: readonly Thread[], change: ThreadChange, matching: MatchingThreads | null = null): DrawnAction {
    const inboxId = matching?.query.inboxIds[0] ?? threads[0]?.inboxId
    const threadIds = threads.map(({ id }) => id)
    const request = {
      read: change.read,
      folder: change.folder,
      addLabels: change.addLabels?.slice(),
      removeLabels: change.removeLabels?.slice(),
      star: change.star,
      mute: change.mute,
      snoozedUntil: change.snoozedUntil,
      remindAt: change.remindAt,
    }
    const reverses = reversesOf(threads, change)
    const offer = matching === null ? this.#offerAfter(threads, change) : null
    return {
      ...(offer !== null && { offer }),
      of: 'thread',
      archives: change.folder === 'archive' ? threads.length : 0,
      draw: (side) =>
        combineChanges(
          side === 'done'
            ? [this.#draw(matching ?? threadIds, change)]
            : reverses.map((each) => this.#draw(each.threadIds, each.change)),
        ),
      make: async () => {
        if (inboxId === undefined) return { ok: true, data: { changeIds: [], threads: 0 } }
        const result = await this.#backend.call('thread.change', {
          inboxId,
          change: request,
          ...(matching === null
            ? { threadIds }
            : { matching: { query: matching.query, upTo: matching.upTo, except: [...matching.except] } }),
        })
        if (!result.ok) return result
        const { changeId, threads: changed, isWhole } = result.data
        return { ok: true, data: { changeIds: [changeId], threads: changed, ...(!isWhole && { note: PARTIAL_NOTE }) } }
      },
    }
  }

  /**
   * Makes a change of any kind, as one undoable step.
   * @param said as in `change`; a counted sentence is updated with the engine's count
   * @returns true if accepted; otherwise the user has been notified
   */
  async make(undoable: UndoableAction, said: ToastText | CountedSentence | null): Promise<boolean> {
    const goBack = this.#capturePlace()
    const drawn = undoable.draw?.('done') ?? NO_OPTIMISTIC_CHANGE
    const answer = this.#afterPending(undoable.make)
    let step: ChangeStep | null = null
    const sentenceFor = (count: number | null): ToastText => {
      if (said === null) return ''
      return isCounted(said) ? said.of(count ?? said.count) : said
    }
    let words = sentenceFor(null)
    if (said !== null) {
      const made = answer.then((result) => (result.ok && result.data.threads !== 0 ? result.data : null))
      step = this.#step('done', { undoable, said: () => words, made, drawn, goBack }, doneText(words))
      for (const { toastId } of this.#history.undone) this.#toasts.dismiss(toastId)
      this.#history = withNewStep(this.#history, step)
    }
    const result = await answer
    if (!result.ok) {
      if (step !== null) this.#drop(step)
      drawn.revert()
      if (undoable.onRejected === undefined) this.#toasts.problem(result.error)
      else undoable.onRejected(result.error)
      return false
    }
    drawn.accept()
    const { threads = null, note } = result.data
    if (step === null || threads === null) return true
    if (threads === 0) {
      this.#drop(step)
      this.#toasts.show(note ?? NOTHING_CHANGED)
      return true
    }
    words = sentenceFor(threads)
    this.#toasts.reword(step.toastId, note === undefined ? doneText(words) : `${doneText(words)}. ${note}`)
    return true
  }

  /**
   * Records an action with its own undo and no redo. @param revert undoes it; if it resolves with `undone: false`, like
   * `change.undo`, it was too late
   */
  noteDone(said: string, revert: () => Promise<Result<unknown>>): void {
    const made: ActionResult = {
      revert: async () => {
        const back = await revert()
        if (!back.ok) return back
        const isTooLate = (back.data as { readonly undone?: boolean } | null)?.undone === false
        return { ok: true, data: isTooLate ? null : {} }
      },
    }
    const make = (): Promise<Result<ActionResult>> => Promise.resolve({ ok: true, data: made })
    const tooLate = 'This action can no longer be undone.'
    void this.make({ of: 'draft', make, isOneWay: true, tooLate }, said)
  }

  /** Call when it is too late to undo: the toast says so, and so does the undo key. */
  markIrreversible(undoable: UndoableAction, said: string): void {
    const step = this.#history.done.find((each) => each.undoable === undoable)
    if (step === undefined) return
    this.#irreversible.add(undoable)
    // Don't replace another toast for this.
    if (this.#toasts.shown === null) this.#toasts.show(said)
    else this.#toasts.reword(step.toastId, said, null)
  }

  /** Drops the step of a change that was undone by other means. */
  forget(undoable: UndoableAction): void {
    const step = this.#history.done.find((each) => each.undoable === undoable)
    if (step !== undefined) this.#drop(step)
  }

  /** Undoes a change regardless of later ones. @returns true if the step still existed */
  revert(undoable: UndoableAction): boolean {
    const step = this.#history.done.find((each) => each.undoable === undoable)
    if (step !== undefined) void this.#flipStep(step, 'done')
    return step !== undefined
  }

  undo(): void {
    this.#flipLast('done')
  }

  redo(): void {
    this.#flipLast('undone')
  }

  #flipLast(side: HistorySide): void {
    const step = this.#history[side].at(-1)
    if (step !== undefined) void this.#flipStep(step, side)
  }

  /** Undoes or redoes a step, moving it to the other side. */
  async #flipStep(step: ChangeStep, from: HistorySide): Promise<void> {
    const side = otherSide(from)
    const { undoable, said } = step
    if (this.#irreversible.has(undoable)) {
      this.#drop(step)
      this.#toasts.show(tooLateText(undoable, side))
      return
    }
    this.#toasts.dismiss(step.toastId)
    step.drawn.revert()
    const goBack = this.#capturePlace()
    const drawn = undoable.draw?.(side) ?? NO_OPTIMISTIC_CHANGE
    const answer = this.#afterPending(async () => {
      const made = await step.made
      return made === null ? null : this.#revert(made)
    })
    const pendingFlip: Promise<void> = answer.then(() => {
      if (this.#pendingFlip === pendingFlip) this.#pendingFlip = null
    })
    this.#pendingFlip = pendingFlip
    step.goBack(answer)
    const made = answer.then((result) => (result?.ok === true ? result.data : null))
    let flipped: ChangeStep | null = null
    if (undoable.isOneWay === true) this.#history = withoutStep(this.#history, step)
    else {
      flipped = this.#step(side, { undoable, said, made, drawn, goBack }, stepText(said(), side))
      this.#history = withMovedStep(this.#history, step, side, flipped)
    }
    if ((await made) !== null) {
      drawn.accept()
      return
    }
    drawn.revert()
    if (flipped !== null) this.#drop(flipped)
    const result = await answer
    // The change itself had failed, and the user has been notified.
    if (result === null) return
    goBack(answer)
    if (result.ok) {
      this.#toasts.show(tooLateText(undoable, side))
      return
    }
    // The engine no longer knows the change, so it can't be undone later either.
    if (result.error.code !== 'not_found') this.#history = withRestoredStep(this.#history, step, from)
    this.#toasts.problem(result.error)
  }

  /** @returns the result that reverts this; null if all of it has changed since */
  async #revert({ changeIds = [], revert }: ActionResult): Promise<Result<ActionResult | null>> {
    if (revert !== undefined) return revert()
    const result = await this.#undoAll(changeIds)
    if (!result.ok) return result
    return { ok: true, data: result.data.length === 0 ? null : { changeIds: result.data } }
  }

  /**
   * Undoes changes, newest first. Leaves alone anything changed since.
   * @returns IDs that revert the undo, oldest first; the problem if none could be undone
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

  /** Calls the engine after any waiting undo or redo, so that changes to the same thread keep the user's order. */
  #afterPending<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#pendingFlip === null ? ask() : this.#pendingFlip.then(ask)
  }

  /** Creates the newest step, with a toast that offers the opposite direction. */
  #step(side: HistorySide, parts: Omit<ChangeStep, 'no' | 'toastId'>, text: string): ChangeStep {
    const no = (this.#lastNo += 1)
    const action = {
      name: side === 'done' ? 'Undo' : 'Redo',
      run: () => {
        const step = this.#history[side].find((each) => each.no === no)
        if (step !== undefined) void this.#flipStep(step, side)
      },
    } as const
    const offer = side === 'done' ? parts.undoable.offer : undefined
    return { ...parts, no, toastId: this.#toasts.show(text, action, parts.undoable.duration, offer) }
  }

  #drop(step: ChangeStep): void {
    this.#history = withoutStep(this.#history, step)
    this.#toasts.dismiss(step.toastId)
  }
}

export const undoableCall = (of: UndoableAction['of'], ask: () => Promise<Result<ChangeReceipt>>): UndoableAction => ({
  of,
  make: async () => {
    const result = await ask()
    return result.ok ? { ok: true, data: { changeIds: [result.data.changeId], threads: null } } : result
  },
})
