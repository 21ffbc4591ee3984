import { isAssigneeLabel } from '../../../shared/assignees.ts'
import type { Label, Thread } from '../../../shared/model.ts'
import { findLabelCountProblem, findLabelNameProblem } from '../../../shared/label-rules.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'

export type LabelState = 'all' | 'none' | 'some'

/** An existing label, or one to create with this name. */
export type LabelChoice =
  | { readonly kind: 'label'; readonly label: Label }
  | { readonly kind: 'new'; readonly name: string }

/** Key of a choice. Labels to create are identified by name. */
export const labelChoiceKey = (choice: LabelChoice): string =>
  choice.kind === 'label' ? `label ${choice.label.id}` : `new ${choice.name}`

export const formatChoiceName = (choice: LabelChoice): string =>
  choice.kind === 'label' ? choice.label.name : choice.name

/** @param idNow maps a former label ID to its current one */
export const labelStateOf = (
  threads: readonly Pick<Thread, 'labels'>[],
  labelId: string,
  idNow: (labelId: string) => string,
): LabelState => {
  const count = threads.filter(({ labels }) => labels.some(({ id }) => idNow(id) === labelId)).length
  if (count === 0) return 'none'
  return count === threads.length ? 'all' : 'some'
}

/** Next state of a label: from some threads to all, to none, and back to some. */
export const toggleLabelState = (shown: LabelState, before: LabelState): LabelState => {
  if (shown === 'all') return 'none'
  return shown === 'none' && before === 'some' ? 'some' : 'all'
}

/**
 * Labels that match the typed text, prefix matches first, plus a new label if none has this name.
 * @param labels of the inbox in display order, without assignees
 * @param made names ticked for creation
 * @returns `fault`: reason why this name is invalid
 */
export const findLabelChoices = (
  typed: string,
  labels: readonly Label[],
  made: readonly string[],
): { readonly choices: readonly LabelChoice[]; readonly fault: string | null } => {
  const name = typed.trim()
  const wanted = name.toLocaleLowerCase()
  const all: readonly LabelChoice[] = [
    ...made.map((each): LabelChoice => ({ kind: 'new', name: each })),
    ...labels.filter((label) => !isAssigneeLabel(label)).map((label): LabelChoice => ({ kind: 'label', label })),
  ]
  if (wanted === '') return { choices: all, fault: null }
  const lower = (choice: LabelChoice): string => formatChoiceName(choice).toLocaleLowerCase()
  const found = all.filter((choice) => lower(choice).includes(wanted))
  const place = (choice: LabelChoice): number =>
    formatChoiceName(choice) === name ? 0 : lower(choice) === wanted ? 1 : lower(choice).startsWith(wanted) ? 2 : 3
  const choices = found.toSorted((a, b) => place(a) - place(b))
  if (all.some((choice) => formatChoiceName(choice) === name)) return { choices, fault: null }
  if (isAssigneeLabel({ name }))
    return { choices, fault: 'Label names can’t start with @. To assign someone, use “Assign to…”.' }
  const fault = findLabelNameProblem(name, labels) ?? findLabelCountProblem([...labels, ...made])
  return { choices: fault === null ? [...choices, { kind: 'new', name }] : choices, fault }
}

const MAX_NAMED = 3

/** `label “A”`, `labels “A” and “B”`, `5 labels` */
const quoteLabels = (names: readonly string[]): string => {
  if (names.length > MAX_NAMED) return formatCount(names.length, 'label')
  const quoted = formatList(names.map((name) => `“${name}”`))
  return `${names.length === 1 ? 'label' : 'labels'} ${quoted}`
}

/** Confirmation of the change. @param threads as named in the sentence: `“Berth four”`, `3 threads` */
export const describeLabelChange = (
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
  threads: string,
): string => {
  const sentence = [
    ...(added.length === 0 ? [] : [`${quoteLabels(added)} added to ${threads}`]),
    ...(removed.length === 0 ? [] : [`${quoteLabels(removed)} removed from ${threads}`]),
  ].join(', ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`
}
