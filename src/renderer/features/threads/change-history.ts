/** A change made, undone or redone; every undo or redo is a step of its own. */
export interface HistoryStep {
  /** Greater than in every earlier step. */
  readonly no: number
}

/** Undo and redo stacks. The next step on either side is its last entry. */
export interface ChangeHistory<Each extends HistoryStep> {
  readonly done: readonly Each[]
  readonly undone: readonly Each[]
  /** `no` of the newest change: anything undone before it cannot be redone. */
  readonly newestNo: number
}

export type HistorySide = 'done' | 'undone'

/** The engine keeps the same number (docs/outbox.md, "Undo"). */
const MAX_REMEMBERED = 500

export const EMPTY_CHANGE_HISTORY: ChangeHistory<never> = { done: [], undone: [], newestNo: 0 }

/** Adds a new change and clears the redo stack. */
export const withNewStep = <Each extends HistoryStep>(
  { done }: ChangeHistory<Each>,
  step: Each,
): ChangeHistory<Each> => ({
  done: [...done, step].slice(-MAX_REMEMBERED),
  undone: [],
  newestNo: step.no,
})

export const withoutStep = <Each extends HistoryStep>(
  history: ChangeHistory<Each>,
  step: Each,
): ChangeHistory<Each> => ({
  ...history,
  done: history.done.filter((each) => each !== step),
  undone: history.undone.filter((each) => each !== step),
})

/** Moves a step to the other side. `flipped` is its new form there, newer than all steps. */
export const withMovedStep = <Each extends HistoryStep>(
  history: ChangeHistory<Each>,
  step: Each,
  side: HistorySide,
  flipped: Each,
): ChangeHistory<Each> => {
  const rest = withoutStep(history, step)
  return { ...rest, [side]: [...rest[side], flipped] }
}

/** Restores a step after a failed undo or redo, unless a newer change has dropped it. */
export const withRestoredStep = <Each extends HistoryStep>(
  history: ChangeHistory<Each>,
  step: Each,
  side: HistorySide,
): ChangeHistory<Each> => {
  if (side === 'undone' && step.no < history.newestNo) return history
  const steps = history[side]
  return {
    ...history,
    [side]: [...steps.filter(({ no }) => no < step.no), step, ...steps.filter(({ no }) => no > step.no)],
  }
}
