import type { Thread, ThreadChange } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { reverseOf, type StateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager, ToastOffer } from '../../kernel/toast-manager.svelte.ts'
import { NO_HISTORY, withMade, withoutStep, withPutBack, withTurned } from './change-history.ts'
import type { ChangeHistory, Side, Step } from './change-history.ts'
import type { MatchingThreads } from './chosen-threads.ts'
import { drawTogether, NOTHING_DRAWN, stateOf, type DrawnChange, type DrawnThreads } from './pending-changes.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly actions: ThreadActionsManager
  }
}

type DrawChange = (threads: DrawnThreads, change: StateChange) => DrawnChange

export interface ActionResult {
  /** IDs for undoing it, oldest first. */
  readonly changeIds: readonly string[]
  /** Number of threads changed; null for other kinds of change. */
  readonly threads: number | null
  readonly note?: string
  /** Undo for changes without such IDs, like drafts; null if too late. @returns the result that reverts the undo */
  readonly takeBack?: () => Promise<Result<ActionResult | null>>
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
  /** Shows the change, or its undo, before the engine responds. */
  readonly draw: (side: Side) => DrawnChange
  readonly make: () => Promise<Result<ActionResult>>
  /** Replaces the default message when it is too late to undo. */
  readonly tooLate?: string
  /** No redo after an undo: the user continues from there, as with a message that is open again. */
  readonly isOneWay?: true
  /** Toast duration in milliseconds; the default if omitted. */
  readonly stay?: number
  readonly offer?: ToastOffer
  /** Handles the rejection instead of a toast. */
  readonly onRefused?: (problem: Problem) => void
}

interface Asked extends UndoableAction {
  readonly said: () => ToastText
}

interface ChangeStep extends Step {
  readonly making: UndoableAction
  readonly asked: Asked
  /** Null if the change failed. The user may undo before this settles. */
  readonly made: Promise<ActionResult | null>
  readonly drawn: DrawnChange
  readonly toastId: number
  readonly goBack: GoBack
}

const otherSide = (side: Side): Side => (side === 'done' ? 'undone' : 'done')

/** Added when the platform may hold more threads of the list than are synced. */
const NOT_WHOLE = 'Threads that are not on this computer yet are unchanged.'

const NOTHING_CHANGED = 'Nothing to change.'

const isCounted = (said: ToastText | CountedSentence): said is CountedSentence => typeof said === 'object' && 'of' in said

const doneText = (said: ToastText): string => (typeof said === 'string' ? said : said.done)

/** "Archived “Berth four”", reworded for an undo or redo. */
const stepText = (said: ToastText, side: Side): string => {
  if (side === 'done') return `${doneText(said)} again`
  return typeof said === 'string' ? `Undone: ${said.charAt(0).toLowerCase()}${said.slice(1)}` : said.undone
}

const tooLateText = ({ of, tooLate }: UndoableAction, side: Side): string =>
  tooLate ?? `Can’t ${side === 'undone' ? 'undo' : 'redo'}: the ${of} has changed since then.`

/** Restores list, cursor, selection and open thread. @param settled resolves when the engine has restored the mail */
export type GoBack = (settled: Promise<unknown>) => void

const NOWHERE = (): GoBack => () => undefined

/** Further action after a change, or null. The threads are in their changed state. */
export type OfferAfter = (threads: readonly Thread[], change: ThreadChange) => ToastOffer | null

/** Changes that restore each thread's current state; threads with the same reverse share one. */
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
 * Changes threads, and undoes and redoes everything changed, sent or discarded in this window, in the user's order.
 * Everything shows before the engine responds, and undo or redo restores the user's place.
 */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #draw: DrawChange
  readonly #keepPlace: () => GoBack
  readonly #offerAfter: OfferAfter
  #history = $state.raw<ChangeHistory<ChangeStep>>(NO_HISTORY)
  readonly #over = new WeakSet<UndoableAction>()
  #lastNo = 0
  /** Resolves when no undo or redo is waiting, or null. */
  #turn: Promise<void> | null = null

  /**
   * @param draw shows a change, or its reverse, wherever its threads are on the screen
   * @param keepPlace records the user's place and returns a function that restores it
   * @param offerAfter called for threads named individually
   */
  constructor(
    backend: Backend,
    toasts: ToastManager,
    draw: DrawChange,
    keepPlace = NOWHERE,
    offerAfter: OfferAfter = () => null,
  ) {
    this.#backend = backend
    this.#toasts = toasts
    this.#draw = draw
    this.#keepPlace = keepPlace
    this.#offerAfter = offerAfter
    backend.on('change.commanded', ({ changeId, threads }) => {
      const changed = threads === 1 ? '1 thread' : `${threads} threads`
      if (threads > 0)
        this.noteDone(`The command line changed ${changed}`, () => backend.call('change.undo', { changeId }))
    })
  }

  get canUndo(): boolean {
    return this.#history.done.length > 0
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
    return this.make(this.making(threads, change, matching), said)
  }

  /** A thread change in one inbox, for use as part of another change. */
  making(threads: readonly Thread[], change: ThreadChange, matching: MatchingThreads | null = null): UndoableAction {
    const inboxId = matching?.query.inboxIds[0] ?? threads[0]?.inboxId
    const threadIds = threads.map(({ id }) => id)
    const asked = {
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
        if (!result.ok) return result
        const { changeId, threads: changed, isWhole } = result.data
        return { ok: true, data: { changeIds: [changeId], threads: changed, ...(!isWhole && { note: NOT_WHOLE }) } }
      },
    }
  }

  /**
   * Makes a change of any kind, as one undoable step.
   * @param said as in `change`; a counted sentence is updated with the engine's count
   * @returns true if accepted; otherwise the user has been notified
   */
  async make(making: UndoableAction, said: ToastText | CountedSentence | null): Promise<boolean> {
    const goBack = this.#keepPlace()
    const drawn = making.draw('done')
    const answer = this.#inTurn(making.make)
    let step: ChangeStep | null = null
    const sentenceFor = (count: number | null): ToastText => {
      if (said === null) return ''
      return isCounted(said) ? said.of(count ?? said.count) : said
    }
    let words = sentenceFor(null)
    if (said !== null) {
      const made = answer.then((result) => (result.ok && result.data.threads !== 0 ? result.data : null))
      step = this.#step(
        'done',
        { making, asked: { ...making, said: () => words }, made, drawn, goBack },
        doneText(words),
      )
      for (const { toastId } of this.#history.undone) this.#toasts.dismiss(toastId)
      this.#history = withMade(this.#history, step)
    }
    const result = await answer
    if (!result.ok) {
      if (step !== null) this.#drop(step)
      drawn.revert()
      if (making.onRefused === undefined) this.#toasts.problem(result.error)
      else making.onRefused(result.error)
      return false
    }
    drawn.accept()
    const { threads, note } = result.data
    if (step === null || threads === null) return true
    if (threads === 0) {
      this.#drop(step)
      this.#toasts.say(note ?? NOTHING_CHANGED)
      return true
    }
    words = sentenceFor(threads)
    this.#toasts.reword(step.toastId, note === undefined ? doneText(words) : `${doneText(words)}. ${note}`)
    return true
  }

  /**
   * Records something done that has its own undo and no redo. @param takeBack resolves like `change.undo`, or to
   * anything
   */
  noteDone(said: string, takeBack: () => Promise<Result<unknown>>): void {
    const made: ActionResult = {
      changeIds: [],
      threads: null,
      takeBack: async () => {
        const back = await takeBack()
        if (!back.ok) return back
        const isTooLate = (back.data as { readonly undone?: boolean } | null)?.undone === false
        return { ok: true, data: isTooLate ? null : { changeIds: [], threads: null } }
      },
    }
    const make = (): Promise<Result<ActionResult>> => Promise.resolve({ ok: true, data: made })
    const tooLate = 'This can no longer be undone.'
    void this.make({ of: 'draft', draw: () => NOTHING_DRAWN, make, isOneWay: true, tooLate }, said)
  }

  /** Call when it is too late to undo: the toast says so, and so does the undo key. */
  conclude(making: UndoableAction, said: string): void {
    const step = this.#history.done.find((each) => each.making === making)
    if (step === undefined) return
    this.#over.add(making)
    // Don't replace another toast for this.
    if (this.#toasts.shown === null) this.#toasts.say(said)
    else this.#toasts.reword(step.toastId, said, null)
  }

  /** Drops the step of a change that was undone by other means. */
  forget(making: UndoableAction): void {
    const step = this.#history.done.find((each) => each.making === making)
    if (step !== undefined) this.#drop(step)
  }

  /** Undoes a change regardless of later ones. @returns true if the step still existed */
  takeBack(making: UndoableAction): boolean {
    const step = this.#history.done.find((each) => each.making === making)
    if (step !== undefined) void this.#turnStep(step, 'done')
    return step !== undefined
  }

  undo(): void {
    this.#turnLast('done')
  }

  redo(): void {
    this.#turnLast('undone')
  }

  #turnLast(side: Side): void {
    const step = this.#history[side].at(-1)
    if (step !== undefined) void this.#turnStep(step, side)
  }

  /** Undoes or redoes a step, moving it to the other side. */
  async #turnStep(step: ChangeStep, from: Side): Promise<void> {
    const side = otherSide(from)
    const { asked } = step
    if (this.#over.has(step.making)) {
      this.#drop(step)
      this.#toasts.say(tooLateText(asked, side))
      return
    }
    this.#toasts.dismiss(step.toastId)
    step.drawn.revert()
    const goBack = this.#keepPlace()
    const drawn = asked.draw(side)
    const answer = this.#inTurn(async () => {
      const made = await step.made
      return made === null ? null : this.#takeBack(made)
    })
    const turn: Promise<void> = answer.then(() => {
      if (this.#turn === turn) this.#turn = null
    })
    this.#turn = turn
    step.goBack(answer)
    const made = answer.then((result) => (result?.ok === true ? result.data : null))
    let turned: ChangeStep | null = null
    if (asked.isOneWay === true) this.#history = withoutStep(this.#history, step)
    else {
      turned = this.#step(side, { making: step.making, asked, made, drawn, goBack }, stepText(asked.said(), side))
      this.#history = withTurned(this.#history, step, side, turned)
    }
    if ((await made) !== null) {
      drawn.accept()
      return
    }
    drawn.revert()
    if (turned !== null) this.#drop(turned)
    const result = await answer
    // The change itself had failed, and the user has been notified.
    if (result === null) return
    goBack(answer)
    if (result.ok) {
      this.#toasts.say(tooLateText(asked, side))
      return
    }
    // The engine no longer knows the change, so it can't be undone later either.
    if (result.error.code !== 'not_found') this.#history = withPutBack(this.#history, step, from)
    this.#toasts.problem(result.error)
  }

  /** @returns the result that reverts this; null if all of it has changed since */
  async #takeBack({ changeIds, takeBack }: ActionResult): Promise<Result<ActionResult | null>> {
    if (takeBack !== undefined) return takeBack()
    const result = await this.#undoAll(changeIds)
    if (!result.ok) return result
    return { ok: true, data: result.data.length === 0 ? null : { changeIds: result.data, threads: null } }
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

  /** Calls the engine, but after any waiting undo or redo, to keep the user's order of changes to the same thread. */
  #inTurn<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return this.#turn === null ? ask() : this.#turn.then(ask)
  }

  /** Creates the newest step, with a toast that offers the opposite direction. */
  #step(side: Side, parts: Omit<ChangeStep, 'no' | 'toastId'>, said: string): ChangeStep {
    this.#lastNo += 1
    const no = this.#lastNo
    const action = {
      name: side === 'done' ? 'Undo' : 'Redo',
      run: () => {
        const step = this.#history[side].find((each) => each.no === no)
        if (step !== undefined) void this.#turnStep(step, side)
      },
    } as const
    const offer = side === 'done' ? parts.asked.offer : undefined
    return { ...parts, no, toastId: this.#toasts.say(said, action, parts.asked.stay, offer) }
  }

  #drop(step: ChangeStep): void {
    this.#history = withoutStep(this.#history, step)
    this.#toasts.dismiss(step.toastId)
  }
}
