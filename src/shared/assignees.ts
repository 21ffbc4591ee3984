/**
 * Assignees of threads (docs/assigning.md). The platform's own assignees can't be written, and only a webhook's log tells
 * about them. Its labels are shared, so a label such as `@mara` represents a person.
 */
import { toInitials } from './address.ts'
import { LABEL_LIMITS, type Label } from './model.ts'
import { isMarkLabel, toAssignmentLabelId } from './thread-marks.ts'
import { toVisibleText } from './visible-text.ts'

const SIGN = '@'

type NamedLabel = Pick<Label, 'id' | 'name'>

export const ASSIGNED_QUERIES = { mine: 'in:inbox assigned:me', nobodys: 'in:inbox assigned:nobody' } as const
export type AssignedQuery = keyof typeof ASSIGNED_QUERIES

/** A person with their labels; there are several if the labels differ only in case or width. */
export interface Assignee<Each extends NamedLabel = NamedLabel> {
  /** The name, safe to display. */
  readonly name: string
  /** Assigning adds the first label. */
  readonly labels: readonly [Each, ...Each[]]
}

/** Key for comparing names: NFKC, lower case, without a leading `@`. Not for display. */
export const toAssigneeKey = (name: string): string =>
  toVisibleText(name.normalize('NFKC')).replace(/^@+/, '').trim().normalize('NFKC').toLowerCase()

export const isSameAssignee = (one: string, other: string): boolean => toAssigneeKey(one) === toAssigneeKey(other)

/** True for the user's own name, and for an address such as `mara@…` if they are named Mara. */
export const isOwnAssignee = (name: string, own: string): boolean =>
  isSameAssignee(name, own) || toAssigneeKey(name).split('@')[0] === toAssigneeKey(own)

/** Name of the person that a label represents, safe to display; null for other labels. */
export const parseAssigneeName = (labelName: string): string | null => {
  const name = labelName.trim()
  if (!name.startsWith(SIGN) || !/^[^\s@]/u.test(name.slice(SIGN.length))) return null
  const shown = toVisibleText(name.slice(SIGN.length))
  return /[\p{L}\p{N}]/u.test(shown) ? shown : null
}

export const isAssigneeLabel = ({ name }: Pick<Label, 'name'>): boolean => parseAssigneeName(name) !== null

/** A person with threads assigned in the platform's dashboard, as a label to search for. No thread's labels include it. */
export const toDashboardAssignee = (address: string): Label => ({
  ...{ id: toAssignmentLabelId(address), name: SIGN + address, color: '#6F6E77' },
})

/** Company suffixes of sender names. */
const COMPANY = /\s+(?:(?:at|from|via|for|[@|·–—-])\s+|\().*$/iu

/** The person in a sender name: `Mara` for `Mara at Larkspur` and `Mara (Larkspur Support)`. */
export const extractPersonName = (name: string): string => toVisibleText(name).replace(COMPANY, '')

/** Characters that are invisible or can't be searched for. */
const UNFIT = /["\ufffd]/g

/** Label name for a typed name or a name from a From header. @returns null if the name has no letter or digit */
export const toAssigneeLabelName = (typed: string): string | null => {
  const name = toVisibleText(typed)
    .replace(UNFIT, '')
    .replace(/^[@\s]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
  const room = LABEL_LIMITS.name - SIGN.length
  // Drop half of a surrogate pair that was cut.
  const label =
    SIGN +
    name
      .slice(0, room)
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  return parseAssigneeName(label) === null ? null : label
}

const byKey = (one: Assignee, other: Assignee): number => {
  const [a, b] = [toAssigneeKey(one.name), toAssigneeKey(other.name)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** Assignees found among the labels, sorted by name so that the same labels always give the same order. */
export const collectAssignees = <Each extends NamedLabel>(labels: readonly Each[]): readonly Assignee<Each>[] => {
  const people = new Map<string, Assignee<Each>>()
  const byName = labels.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
  for (const label of byName.toSorted((a, b) => Number(isMarkLabel(a.id)) - Number(isMarkLabel(b.id)))) {
    const name = parseAssigneeName(label.name)
    if (name === null) continue
    const key = toAssigneeKey(name)
    const before = people.get(key)
    people.set(key, before === undefined ? { name, labels: [label] } : { ...before, labels: [...before.labels, label] })
  }
  return [...people.values()].toSorted(byKey)
}

/**
 * The assignee of a thread with these labels, or null. If two people were assigned at the same time, everyone sees the
 * first by name, and the next assignment removes the other.
 */
export const assigneeOf = <Each extends NamedLabel>(labels: readonly Each[]): Assignee<Each> | null =>
  collectAssignees(labels)[0] ?? null

export const findAssignee = <Each extends NamedLabel>(
  name: string,
  labels: readonly Each[],
): Assignee<Each> | undefined => collectAssignees(labels).find((each) => isSameAssignee(each.name, name))

export const toAssigneeInitials = (name: string): string => toInitials(name)

/**
 * Label changes that leave one assignee or none. @param labels the thread's labels @param keptId the label to keep or
 * add; null to assign nobody
 */
export const buildAssignmentChange = (
  labels: readonly NamedLabel[],
  keptId: string | null,
): { readonly addLabels: readonly string[]; readonly removeLabels: readonly string[] } => ({
  addLabels: keptId === null ? [] : [keptId],
  removeLabels: labels.filter((label) => isAssigneeLabel(label) && label.id !== keptId).map(({ id }) => id),
})
