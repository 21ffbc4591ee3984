import {
  toAssigneeKey,
  collectAssignees,
  isSameAssignee,
  toAssigneeLabelName,
  parseAssigneeName,
  type Assignee,
} from '../../../shared/assignees.ts'
import { findLabelCountProblem } from '../../../shared/label-rules.ts'
import type { Label, Thread } from '../../../shared/model.ts'
import type { LabelState } from '../labels/label-choices.ts'

export type AssigneeChoice =
  | {
      readonly kind: 'person'
      readonly name: string
      /** The label to add, or null if it must be created. */
      readonly labelId: string | null
      readonly isMe: boolean
      /** True for a typed name that isn't a known colleague. */
      readonly isTyped: boolean
    }
  | { readonly kind: 'nobody' }

export interface AssigneeSources {
  readonly labels: readonly Label[]
  readonly writers: readonly string[]
  readonly me: readonly string[]
}

const person = (name: string, labels: readonly Assignee[], me: readonly string[], isTyped = false): AssigneeChoice => ({
  kind: 'person',
  name,
  labelId: labels.find((each) => isSameAssignee(each.name, name))?.labels[0].id ?? null,
  isMe: me.some((each) => isSameAssignee(each, name)),
  isTyped,
})

/** Possible assignees without duplicates: the user, people with a label, then writers. */
const listAssignees = ({ labels, writers, me }: AssigneeSources): readonly AssigneeChoice[] => {
  const people = collectAssignees(labels)
  const names = [...me, ...people.map(({ name }) => name), ...writers]
  const first = new Map(names.toReversed().map((name) => [toAssigneeKey(name), name]))
  const inOrder = [...new Set(names.map(toAssigneeKey))].flatMap((key) => first.get(key) ?? [])
  return inOrder.map((name) => person(people.find((each) => isSameAssignee(each.name, name))?.name ?? name, people, me))
}

const NOBODY: AssigneeChoice = { kind: 'nobody' }

/** Choices that match the typed text; a new name comes last. `fault` is the reason why the name can't be used. */
export const findAssigneeChoices = (
  typed: string,
  colleagues: AssigneeSources,
): { readonly choices: readonly AssigneeChoice[]; readonly fault: string | null } => {
  const all = listAssignees(colleagues)
  const key = toAssigneeKey(typed)
  if (key === '') return { choices: [...all, NOBODY], fault: null }
  const keyOf = (choice: AssigneeChoice): string =>
    choice.kind === 'nobody' ? 'no one nobody' : toAssigneeKey(choice.name)
  const isWordBeginning = (text: string): boolean => text.startsWith(key) || text.includes(` ${key}`)
  const found = [...all, NOBODY].filter((choice) => keyOf(choice).includes(key))
  const choices = found.toSorted((a, b) => Number(isWordBeginning(keyOf(b))) - Number(isWordBeginning(keyOf(a))))
  const label = toAssigneeLabelName(typed)
  const name = label === null ? null : parseAssigneeName(label)
  if (name === null)
    return { choices, fault: choices.length > 0 ? null : 'Enter a name with at least one letter or digit.' }
  if (all.some((choice) => keyOf(choice) === toAssigneeKey(name))) return { choices, fault: null }
  return { choices: [...choices, person(name, [], colleagues.me, true)], fault: null }
}

/** Returns an error if the choice needs a new label and the inbox has no room for one. */
export const describeChoiceError = (choice: AssigneeChoice, labels: readonly Label[]): string | null =>
  choice.kind === 'person' && choice.labelId === null ? findLabelCountProblem(labels) : null

/** Returns whether all, some or none of the threads are assigned to this choice alone. */
export const assignmentStateOf = (
  choice: AssigneeChoice,
  threads: readonly Pick<Thread, 'labels'>[],
  areAll: boolean,
): LabelState => {
  const count = threads.filter(({ labels }) => {
    const people = collectAssignees(labels)
    if (choice.kind === 'nobody') return people.length === 0
    return people.some(({ name }) => isSameAssignee(name, choice.name))
  }).length
  if (count === 0) return 'none'
  return areAll && count === threads.length ? 'all' : 'some'
}
