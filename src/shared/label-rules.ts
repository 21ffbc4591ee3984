import { LABEL_LIMITS, type Label } from './model.ts'

/** What the platform asks of labels (platform facts 3.8), said in words before and behind the contract. */

/**
 * What is wrong with the name of a label; null where nothing is.
 * @param others the labels beside which it is to stand
 */
export const labelNameFault = (typed: string, others: readonly Pick<Label, 'name'>[]): string | null => {
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

/** Why no label can be made beside these; null where one can. */
export const labelCountFault = (labels: readonly unknown[]): string | null =>
  labels.length < LABEL_LIMITS.count
    ? null
    : `An inbox can have at most ${LABEL_LIMITS.count} labels. Delete one you no longer use.`
