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

/** What the engine has made of a change. */
export interface Made {
  /** The IDs that undo it, oldest first. */
  readonly changeIds: readonly string[]
  /** How many threads it has changed; null where it is of something else. */
  readonly threads: number | null
  /** What else the person should know of it. */
  readonly note?: string
  /**
   * Takes back what has no such IDs, as what is written has none; null where it cannot be taken back any more.
   * @returns what takes that back in turn
   */
  readonly takeBack?: () => Promise<Result<Made | null>>
}

/** The sentences about a change, as it was made and as it was taken back. Where one will do for both: "Archived". */
export type Said = string | { readonly done: string; readonly undone: string }

/** Sentences about a number of threads: as many as are known when it is asked for, until the engine has counted them. */
export interface CountedSentence {
  readonly count: number
  readonly of: (count: number) => Said
}

/** How a change is made, whatever kind it is of. */
export interface Making {
  /** What it is a change of: named where it cannot be undone, as somebody else has changed that since. */
  readonly of: 'thread' | 'label' | 'topic' | 'contact' | 'suppression' | 'agent' | 'draft'
  /** Shows it, or what takes it back, before the engine has answered. */
  readonly draw: (side: Side) => DrawnChange
  readonly make: () => Promise<Result<Made>>
  /** Said where it is too late to take it back, in place of that something has been changed since. */
  readonly tooLate?: string
  /** Taken back it is over: what follows is the person's next step, as with a message that is open again. */
  readonly isOneWay?: true
  /** Milliseconds that its toast stays; as long as others where it is left out. */
  readonly stay?: number
  /** What its toast offers beside the way back. */
  readonly offer?: ToastOffer
  /** Hears why it was refused, in place of the person. */
  readonly onRefused?: (problem: Problem) => void
}

/** A change that a person asks for. */
interface Asked extends Making {
  /** The sentences that say what it did, as far as that is known. */
  readonly said: () => Said
}

interface ChangeStep extends Step {
  readonly making: Making
  readonly asked: Asked
  /** What the engine has made of this step; null where it came to nothing. A person may turn it before that is known. */
  readonly made: Promise<Made | null>
  readonly drawn: DrawnChange
  readonly toastId: number
  readonly goBack: GoBack
}

const otherSide = (side: Side): Side => (side === 'done' ? 'undone' : 'done')

/** Said where the platform may hold more threads of a list than are known here. */
const NOT_WHOLE = 'Threads that are not on this computer yet are unchanged.'

/** Said where the engine has found nothing to change. */
const NOTHING_CHANGED = 'Nothing to change: all of them already are.'

const isCounted = (said: Said | CountedSentence): said is CountedSentence => typeof said === 'object' && 'of' in said

const doneWords = (said: Said): string => (typeof said === 'string' ? said : said.done)

/** "Archived “Berth four”" as it is told when it was undone, or done again. */
const turnedWords = (said: Said, side: Side): string => {
  if (side === 'done') return `${doneWords(said)} again`
  return typeof said === 'string' ? `Undone: ${said.charAt(0).toLowerCase()}${said.slice(1)}` : said.undone
}

const tooLateWords = ({ of, tooLate }: Making, side: Side): string =>
  tooLate ?? `This cannot be ${side === 'undone' ? 'undone' : 'done again'}: the ${of} has changed since.`

/**
 * Goes to where a person was: the list, its cursor, what was selected and open.
 * @param settled ends when the engine has brought back what was there
 */
export type GoBack = (settled: Promise<unknown>) => void

const NOWHERE = (): GoBack => () => undefined

/** What else can be done after a change of these threads, which are as the change made them; null for nothing. */
export type OfferAfter = (threads: readonly Thread[], change: ThreadChange) => ToastOffer | null

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
 * Changes threads, and goes back and forward through what was changed, sent and thrown away in this window, in the order in
 * which the person did it. All of that is seen before the engine has answered, and brings them back to where they were.
 */
export class ThreadActionsManager {
  readonly #backend: Backend
  readonly #toasts: ToastManager
  readonly #draw: DrawChange
  readonly #keepPlace: () => GoBack
  readonly #offerAfter: OfferAfter
  #history = $state.raw<ChangeHistory<ChangeStep>>(NO_HISTORY)
  readonly #over = new WeakSet<Making>()
  #lastNo = 0
  /** Ends when nothing waits to be undone or done again; null where nothing does. */
  #turn: Promise<void> | null = null

  /**
   * @param draw draws a change, or its reverse, wherever its threads are on the screen
   * @param keepPlace keeps where the person is. @returns goes back there
   * @param offerAfter asked for threads that are named one by one
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
   * Applies a change to threads of one inbox. It is drawn before this returns, and taken off the screen again where it is
   * refused.
   * @param said the sentence of the toast with "Undo"; null for a change that a person did not ask for, which is no part of
   *   what they go back through
   * @returns whether it was accepted; where not, the person has been told
   */
  change(
    threads: readonly Thread[],
    change: ThreadChange,
    said: Said | CountedSentence | null,
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
   * Makes a change of whatever kind, which is a step of its own in what a person goes back through.
   * @param said as of `change`; one that counts is said anew where the engine has counted otherwise
   * @returns whether it was accepted; where not, the person has been told
   */
  async make(making: Making, said: Said | CountedSentence | null): Promise<boolean> {
    const goBack = this.#keepPlace()
    const drawn = making.draw('done')
    const answer = this.#inTurn(making.make)
    let step: ChangeStep | null = null
    const sentenceFor = (count: number | null): Said => {
      if (said === null) return ''
      return isCounted(said) ? said.of(count ?? said.count) : said
    }
    let words = sentenceFor(null)
    if (said !== null) {
      const made = answer.then((result) => (result.ok && result.data.threads !== 0 ? result.data : null))
      step = this.#step(
        'done',
        { making, asked: { ...making, said: () => words }, made, drawn, goBack },
        doneWords(words),
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
    this.#toasts.reword(step.toastId, note === undefined ? doneWords(words) : `${doneWords(words)}. ${note}`)
    return true
  }

  /**
   * Notes what was done already and goes back by a way of its own: a step that is over once it is taken back.
   * @param takeBack answers as `change.undo` does, or with anything else
   */
  noteDone(said: string, takeBack: () => Promise<Result<unknown>>): void {
    const made: Made = {
      changeIds: [],
      threads: null,
      takeBack: async () => {
        const back = await takeBack()
        if (!back.ok) return back
        const isTooLate = (back.data as { readonly undone?: boolean } | null)?.undone === false
        return { ok: true, data: isTooLate ? null : { changeIds: [], threads: null } }
      },
    }
    const make = (): Promise<Result<Made>> => Promise.resolve({ ok: true, data: made })
    const tooLate = 'This cannot be undone any more.'
    void this.make({ of: 'draft', draw: () => NOTHING_DRAWN, make, isOneWay: true, tooLate }, said)
  }

  /** What was made cannot be taken back any more: its toast says so, and the key that would take it back does. */
  conclude(making: Making, said: string): void {
    const step = this.#history.done.find((each) => each.making === making)
    if (step === undefined) return
    this.#over.add(making)
    // Another toast is not taken from the person for it.
    if (this.#toasts.shown === null) this.#toasts.say(said)
    else this.#toasts.reword(step.toastId, said, null)
  }

  /** What was made is no step any more: it was taken back in another way. */
  forget(making: Making): void {
    const step = this.#history.done.find((each) => each.making === making)
    if (step !== undefined) this.#drop(step)
  }

  /** Takes back what was made, whatever came after it. @returns whether it is a step still */
  takeBack(making: Making): boolean {
    const step = this.#history.done.find((each) => each.making === making)
    if (step !== undefined) void this.#turnStep(step, 'done')
    return step !== undefined
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
    if (this.#over.has(step.making)) {
      this.#drop(step)
      this.#toasts.say(tooLateWords(asked, side))
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
      turned = this.#step(side, { making: step.making, asked, made, drawn, goBack }, turnedWords(asked.said(), side))
      this.#history = withTurned(this.#history, step, side, turned)
    }
    if ((await made) !== null) {
      drawn.accept()
      return
    }
    drawn.revert()
    if (turned !== null) this.#drop(turned)
    const result = await answer
    // What was to be turned came to nothing itself, and the person has been told that.
    if (result === null) return
    goBack(answer)
    if (result.ok) {
      this.#toasts.say(tooLateWords(asked, side))
      return
    }
    // What the engine does not know any more cannot be turned later, either.
    if (result.error.code !== 'not_found') this.#history = withPutBack(this.#history, step, from)
    this.#toasts.problem(result.error)
  }

  /** @returns what takes it back in turn; null where all of it has been changed since */
  async #takeBack({ changeIds, takeBack }: Made): Promise<Result<Made | null>> {
    if (takeBack !== undefined) return takeBack()
    const result = await this.#undoAll(changeIds)
    if (!result.ok) return result
    return { ok: true, data: result.data.length === 0 ? null : { changeIds: result.data, threads: null } }
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
