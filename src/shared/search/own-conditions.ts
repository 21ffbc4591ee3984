/** What of a search only this computer knows: a person's marks, kinds of mail, and who has a thread. */
import type { Mark } from '../thread-marks.ts'
import { EMAIL_KINDS, MAIL_KINDS, type EmailKind, type MailKind, type ThreadFilter } from '../thread-query.ts'

/** What is typed for a kind of mail. */
export const KIND_VALUES: ReadonlyMap<string, MailKind> = new Map([
  ...MAIL_KINDS.map((kind) => [kind, kind] as const),
  ['people', 'person'],
  ['newsletters', 'newsletter'],
  ['robots', 'robot'],
])

interface Condition {
  /** False for one with a minus. */
  readonly wanted: boolean
}

/** The kinds that are left of some by one condition more. */
export const narrowedKinds = (
  kinds: readonly EmailKind[],
  { of, wanted }: Condition & { readonly of: MailKind },
): readonly EmailKind[] => kinds.filter((kind) => (kind === of) === wanted)

/** The kinds of e-mail that are asked for; null where nothing speaks of them, or together they leave none. */
export const kindsAsked = (
  conditions: readonly (Condition & { readonly of: MailKind })[],
): readonly EmailKind[] | null => {
  const kinds = conditions.reduce(narrowedKinds, EMAIL_KINDS)
  return kinds.length === 0 || kinds.length === EMAIL_KINDS.length ? null : kinds
}

/** What is asked of a person's own marks; nothing where nothing is. */
export const marksAsked = (
  conditions: readonly (Condition & { readonly mark: Mark })[],
): Pick<ThreadFilter, 'marks' | 'withoutMarks'> => {
  const those = (isWanted: boolean): readonly Mark[] => [
    ...new Set(conditions.flatMap(({ mark, wanted }) => (wanted === isWanted ? [mark] : []))),
  ]
  const [marks, withoutMarks] = [those(true), those(false)]
  return { ...(marks.length > 0 && { marks }), ...(withoutMarks.length > 0 && { withoutMarks }) }
}

/** The labels of the people who are asked for, or must not have it: of those that several name, whom each of them names. */
export const assigneesAsked = (
  conditions: readonly (Condition & { readonly ids: readonly string[] })[],
): Pick<ThreadFilter, 'assignedTo' | 'notAssignedTo'> => ({
  assignedTo: conditions
    .filter(({ wanted }) => wanted)
    .reduce<readonly string[] | null>((some, { ids }) => some?.filter((id) => ids.includes(id)) ?? ids, null),
  notAssignedTo: [...new Set(conditions.flatMap(({ ids, wanted }) => (wanted ? [] : ids)))],
})
