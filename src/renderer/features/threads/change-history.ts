/** What was made, undone or done again, whichever came last: each turn of a change is a step of its own. */
export interface Step {
  /** Greater than that of every step before it. */
  readonly no: number
}

/** What a person can go back and forward through; the step that is next is the last of its side. */
export interface ChangeHistory<Each extends Step> {
  readonly done: readonly Each[]
  readonly undone: readonly Each[]
  /** `no` of the newest change: what was undone before it cannot be done again. */
  readonly lastMade: number
}

/** Where a step is: in effect, or taken back. */
export type Side = 'done' | 'undone'

/** As many as the engine keeps (docs/outbox.md, "Undo"). */
const REMEMBERED = 500

export const NO_HISTORY: ChangeHistory<never> = { done: [], undone: [], lastMade: 0 }

/** A new change: what could be done again is dropped. */
export const withMade = <Each extends Step>({ done }: ChangeHistory<Each>, step: Each): ChangeHistory<Each> => ({
  done: [...done, step].slice(-REMEMBERED),
  undone: [],
  lastMade: step.no,
})

/** Without a step, on whichever side it is. */
export const withoutStep = <Each extends Step>(history: ChangeHistory<Each>, step: Each): ChangeHistory<Each> => ({
  ...history,
  done: history.done.filter((each) => each !== step),
  undone: history.undone.filter((each) => each !== step),
})

/** A step that was undone or done again: `turned` is what it is on its new side, newer than all steps. */
export const withTurned = <Each extends Step>(
  history: ChangeHistory<Each>,
  step: Each,
  side: Side,
  turned: Each,
): ChangeHistory<Each> => {
  const rest = withoutStep(history, step)
  return { ...rest, [side]: [...rest[side], turned] }
}

/** A step that could not be turned goes back to its place on the side on which it was, unless it has been dropped since. */
export const withPutBack = <Each extends Step>(
  history: ChangeHistory<Each>,
  step: Each,
  side: Side,
): ChangeHistory<Each> => {
  if (side === 'undone' && step.no < history.lastMade) return history
  const steps = history[side]
  return {
    ...history,
    [side]: [...steps.filter(({ no }) => no < step.no), step, ...steps.filter(({ no }) => no > step.no)],
  }
}
