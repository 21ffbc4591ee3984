import { LABEL_LIMITS, type Label } from './model.ts'

/** Label rules of the platform (platform.md 15.1), with user-facing messages, for both sides of the contract. */

/** @param others the other labels of the inbox */
export const findLabelNameProblem = (typed: string, others: readonly Pick<Label, 'name'>[]): string | null => {
  const name = typed.trim()
  if (name === '') return 'A label needs a name.'
  if (name.length > LABEL_LIMITS.name) {
    return `A label’s name can have at most ${LABEL_LIMITS.name} characters; this one has ${name.length}.`
  }
  if (others.some((other) => other.name === name)) {
    return `There is already a label “${name}”. Choose another name.`
  }
  return null
}

export const findLabelCountProblem = (labels: readonly unknown[]): string | null =>
  labels.length < LABEL_LIMITS.count
    ? null
    : `An inbox can have at most ${LABEL_LIMITS.count} labels. Delete one you no longer use.`
