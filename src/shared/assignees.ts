/**
 * Who has a thread. The platform has no field for it, but its labels are shared: a label named `@mara` is a person, and nothing
 * else is. The one place that knows this, so that a field of the platform can take over here (docs/assigning.md).
 */
import { initials } from './address.ts'
import { LABEL_LIMITS, type Label } from './model.ts'
import { visibleText } from './visible-text.ts'

const SIGN = '@'

type NamedLabel = Pick<Label, 'id' | 'name'>

/** What is in the inbox, by who has it, as searches. */
export const ASSIGNED_QUERIES = { mine: 'in:inbox assigned:me', nobodys: 'in:inbox assigned:nobody' } as const
export type AssignedQuery = keyof typeof ASSIGNED_QUERIES

/** Labels of one person; more than one where they differ in case or in width alone. */
export interface Assignee<Each extends NamedLabel = NamedLabel> {
  /** Fit for the screen. */
  readonly name: string
  /** The first is the one that assigning puts on. */
  readonly labels: readonly [Each, ...Each[]]
}

/** A name as it is compared: NFKC, in any case, without an `@` in front. Not for the screen. */
export const assigneeKey = (name: string): string =>
  visibleText(name.normalize('NFKC')).replace(/^@+/, '').trim().normalize('NFKC').toLowerCase()

export const isSameAssignee = (one: string, other: string): boolean => assigneeKey(one) === assigneeKey(other)

/** The name of the person that a label stands for, fit for the screen; null for any other label. */
export const assigneeName = (labelName: string): string | null => {
  const name = labelName.trim()
  if (!name.startsWith(SIGN) || !/^[^\s@]/u.test(name.slice(SIGN.length))) return null
  const shown = visibleText(name.slice(SIGN.length))
  return /[\p{L}\p{N}]/u.test(shown) ? shown : null
}

export const isAssigneeLabel = ({ name }: Pick<Label, 'name'>): boolean => assigneeName(name) !== null

/** What people who write for a company put behind their names. */
const COMPANY = /\s+(?:(?:at|from|via|for|[@|·–—-])\s+|\().*$/iu

/** The person in the name of a sender: `Mara` of `Mara at Larkspur` and `Mara (Larkspur Support)`. */
export const personOfSender = (name: string): string => visibleText(name).replace(COMPANY, '')

/** What cannot be seen, and what a search could not name. */
const UNFIT = /["\ufffd]/g

/**
 * The label that stands for somebody, from a name as they or their mail write it.
 * @returns null for a name without a letter or digit
 */
export const labelNameOfAssignee = (typed: string): string | null => {
  const name = visibleText(typed)
    .replace(UNFIT, '')
    .replace(/^[@\s]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const room = LABEL_LIMITS.name - SIGN.length
  // No half of a pair of surrogates is left over.
  const label =
    SIGN +
    name
      .slice(0, room)
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  return assigneeName(label) === null ? null : label
}

const byKey = (one: Assignee, other: Assignee): number => {
  const [a, b] = [assigneeKey(one.name), assigneeKey(other.name)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The people among some labels, by their names: the same order wherever the labels are the same. */
export const assigneesAmong = <Each extends NamedLabel>(labels: readonly Each[]): readonly Assignee<Each>[] => {
  const people = new Map<string, Assignee<Each>>()
  for (const label of labels.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))) {
    const name = assigneeName(label.name)
    if (name === null) continue
    const key = assigneeKey(name)
    const before = people.get(key)
    people.set(key, before === undefined ? { name, labels: [label] } : { ...before, labels: [...before.labels, label] })
  }
  return [...people.values()].toSorted(byKey)
}

/**
 * Who has a thread with these labels; null for nobody. Where two people were put on it at the same time, the first by name:
 * everybody sees the same one, and the next person who assigns it takes the other off.
 */
export const assigneeOf = <Each extends NamedLabel>(labels: readonly Each[]): Assignee<Each> | null =>
  assigneesAmong(labels)[0] ?? null

export const findAssignee = <Each extends NamedLabel>(
  name: string,
  labels: readonly Each[],
): Assignee<Each> | undefined => assigneesAmong(labels).find((each) => isSameAssignee(each.name, name))

/** One or two letters that stand for somebody. */
export const assigneeInitials = (name: string): string => initials(name)

/**
 * The labels to put on and take off, so that one person alone has a thread, or nobody has.
 * @param labels of the inbox
 * @param keptId the label that stays or comes; null for nobody
 */
export const assignmentChange = (
  labels: readonly NamedLabel[],
  keptId: string | null,
): { readonly addLabels: readonly string[]; readonly removeLabels: readonly string[] } => ({
  addLabels: keptId === null ? [] : [keptId],
  removeLabels: labels.filter((label) => isAssigneeLabel(label) && label.id !== keptId).map(({ id }) => id),
})
