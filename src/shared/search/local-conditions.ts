/** Search conditions that only Linnet supports: the user's marks, kinds of mail, and assignees. */
import type { ThreadMark } from '../thread-marks.ts'
import { EMAIL_KINDS, RECEIVED_EMAIL_KINDS, type EmailKind, type MailKind, type ThreadFilter } from '../thread-query.ts'

export const KIND_VALUES: ReadonlyMap<string, MailKind> = new Map([
  ...RECEIVED_EMAIL_KINDS.map((kind) => [kind, kind] as const),
  ['people', 'person'],
  ['newsletters', 'newsletter'],
  ['robots', 'robot'],
])

interface Condition {
  /** False if a minus precedes the condition. */
  readonly wanted: boolean
}

export const narrowKinds = (
  kinds: readonly EmailKind[],
  { of, wanted }: Condition & { readonly of: MailKind },
): readonly EmailKind[] => kinds.filter((kind) => (kind === of) === wanted)

/** Kinds of e-mail to search for; null if all kinds match, or if the conditions exclude all of them. */
export const toKindFilter = (
  conditions: readonly (Condition & { readonly of: MailKind })[],
): readonly EmailKind[] | null => {
  const kinds = conditions.reduce(narrowKinds, EMAIL_KINDS)
  return kinds.length === 0 || kinds.length === EMAIL_KINDS.length ? null : kinds
}

export const toMarkFilter = (
  conditions: readonly (Condition & { readonly mark: ThreadMark })[],
): Pick<ThreadFilter, 'marks' | 'withoutMarks'> => {
  const those = (isWanted: boolean): readonly ThreadMark[] => [
    ...new Set(conditions.flatMap(({ mark, wanted }) => (wanted === isWanted ? [mark] : []))),
  ]
  const [marks, withoutMarks] = [those(true), those(false)]
  return { ...(marks.length > 0 && { marks }), ...(withoutMarks.length > 0 && { withoutMarks }) }
}

/** Labels of people to include or exclude. With several inclusions, only the people named by all of them remain. */
export const toAssigneeFilter = (
  conditions: readonly (Condition & { readonly ids: readonly string[] })[],
): Pick<ThreadFilter, 'assignedTo' | 'notAssignedTo'> => ({
  assignedTo: conditions
    .filter(({ wanted }) => wanted)
    .reduce<readonly string[] | null>((some, { ids }) => some?.filter((id) => ids.includes(id)) ?? ids, null),
  notAssignedTo: [...new Set(conditions.flatMap(({ ids, wanted }) => (wanted ? [] : ids)))],
})
