import {
  assigneeKey,
  assigneesAmong,
  isSameAssignee,
  labelNameOfAssignee,
  assigneeName,
  type Assignee,
} from '../../../shared/assignees.ts'
import { labelCountFault } from '../../../shared/label-rules.ts'
import type { Label, Thread } from '../../../shared/model.ts'
import type { LabelState } from '../labels/label-choices.ts'

export type AssignChoice =
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

export const choiceKey = (choice: AssignChoice): string =>
  choice.kind === 'nobody' ? 'nobody' : `person ${assigneeKey(choice.name)}`

export interface Colleagues {
  readonly labels: readonly Label[]
  readonly writers: readonly string[]
  readonly me: readonly string[]
}

const person = (name: string, labels: readonly Assignee[], me: readonly string[], isTyped = false): AssignChoice => ({
  kind: 'person',
  name,
  labelId: labels.find((each) => isSameAssignee(each.name, name))?.labels[0].id ?? null,
  isMe: me.some((each) => isSameAssignee(each, name)),
  isTyped,
})

/** Possible assignees without duplicates: the user, people with a label, then writers. */
const everybody = ({ labels, writers, me }: Colleagues): readonly AssignChoice[] => {
  const people = assigneesAmong(labels)
  const names = [...me, ...people.map(({ name }) => name), ...writers]
  const first = new Map(names.toReversed().map((name) => [assigneeKey(name), name]))
  const inOrder = [...new Set(names.map(assigneeKey))].flatMap((key) => first.get(key) ?? [])
  return inOrder.map((name) => person(people.find((each) => isSameAssignee(each.name, name))?.name ?? name, people, me))
}

const NOBODY: AssignChoice = { kind: 'nobody' }

/** Choices that match the typed text; a new name comes last. `fault` is the reason why the name can't be used. */
export const assignChoices = (
  typed: string,
  colleagues: Colleagues,
): { readonly choices: readonly AssignChoice[]; readonly fault: string | null } => {
  const all = everybody(colleagues)
  const key = assigneeKey(typed)
  if (key === '') return { choices: [...all, NOBODY], fault: null }
  const keyOf = (choice: AssignChoice): string =>
    choice.kind === 'nobody' ? 'no one nobody' : assigneeKey(choice.name)
  const isWordBeginning = (text: string): boolean => text.startsWith(key) || text.includes(` ${key}`)
  const found = [...all, NOBODY].filter((choice) => keyOf(choice).includes(key))
  const choices = found.toSorted((a, b) => Number(isWordBeginning(keyOf(b))) - Number(isWordBeginning(keyOf(a))))
  const label = labelNameOfAssignee(typed)
  const name = label === null ? null : assigneeName(label)
  if (name === null)
    return { choices, fault: choices.length > 0 ? null : 'Enter a name with at least one letter or digit.' }
  if (all.some((choice) => keyOf(choice) === assigneeKey(name))) return { choices, fault: null }
  return { choices: [...choices, person(name, [], colleagues.me, true)], fault: null }
}

/** Returns an error if the choice needs a new label and the inbox has no room for one. */
export const choiceFault = (choice: AssignChoice, labels: readonly Label[]): string | null =>
  choice.kind === 'person' && choice.labelId === null ? labelCountFault(labels) : null

/** Returns whether all, some or none of the threads are assigned to this choice alone. */
export const assignedNow = (
  choice: AssignChoice,
  threads: readonly Pick<Thread, 'labels'>[],
  areAll: boolean,
): LabelState => {
  const count = threads.filter(({ labels }) => {
    const people = assigneesAmong(labels)
    if (choice.kind === 'nobody') return people.length === 0
    return people.some(({ name }) => isSameAssignee(name, choice.name))
  }).length
  if (count === 0) return 'none'
  return areAll && count === threads.length ? 'all' : 'some'
}
