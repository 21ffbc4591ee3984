/** The `assigned:` operator: converts typed values to the labels of people (`assignees.ts`), and back. */
import { toAssigneeKey, collectAssignees, findAssignee, isOwnAssignee } from '../assignees.ts'
import type { ThreadFilter } from '../thread-query.ts'
import { isBareValue, type LexedValue, type Span } from './lex-search.ts'
import { findNearestName } from './nearest-name.ts'
import { normalizeKeyword } from './operators.ts'

interface People {
  readonly labels: readonly { readonly id: string; readonly name: string }[]
  /** The user's own names, one per account. */
  readonly me?: readonly string[] | undefined
}

export type AssignedFault =
  /** `nearest` is the person whom the user probably meant. */
  | { readonly code: 'unknown_person'; readonly value: string; readonly nearest: string | null }
  /** `assigned:me` was typed, but the user's own name is unknown. */
  | { readonly code: 'who_is_me' }
  /** `nobody` was combined with people; each works only without the other. */
  | { readonly code: 'somebody_or_nobody'; readonly name: string }

interface Assigned {
  readonly ids: readonly string[]
  /** False to match threads with none of these labels. */
  readonly wanted: boolean
  readonly faults: readonly (AssignedFault & { readonly span: Span })[]
}

/** Keywords that can be typed instead of a name, unless quoted. */
export const ASSIGNEE_KEYWORDS = { me: 'me', nobody: 'nobody' } as const

const isWord = ({ text, isQuoted }: LexedValue, word: string): boolean => !isQuoted && normalizeKeyword(text) === word
const isId = (text: string, id: string): boolean => id.toLowerCase() === text.toLowerCase()

const resolvePerson = (
  value: LexedValue,
  { labels, me = [] }: People,
): { readonly ids: readonly string[] } | { readonly fault: AssignedFault } => {
  const idsOf = (name: string): readonly string[] => findAssignee(name, labels)?.labels.map(({ id }) => id) ?? []
  if (isWord(value, ASSIGNEE_KEYWORDS.me)) {
    // If no label exists for the user yet, nothing is assigned to them, and the list is empty.
    if (me.length === 0) return { fault: { code: 'who_is_me' } }
    const own = collectAssignees(labels).filter(({ name }) => me.some((each) => isOwnAssignee(name, each)))
    return { ids: own.flatMap((each) => each.labels.map(({ id }) => id)) }
  }
  const { text } = value
  const ids = idsOf(text)
  if (ids.length > 0) return { ids }
  const people = collectAssignees(labels)
  const byId = people.flatMap((each) => each.labels).find(({ id }) => isId(text, id))
  if (byId !== undefined) return { ids: [byId.id] }
  const names = people.map(({ name }) => name)
  return { fault: { code: 'unknown_person', value: text, nearest: findNearestName(text.replace(/^@+/, ''), names) } }
}

/** Interprets the values of `assigned:`. A minus before the operator is handled by the caller. */
export const parseAssignedValues = (values: readonly LexedValue[], people: People): Assigned => {
  const isNobody = (value: LexedValue): boolean => isWord(value, ASSIGNEE_KEYWORDS.nobody)
  const nobody = values.find(isNobody)
  if (nobody !== undefined) {
    const isAlone = values.every(isNobody)
    return {
      ids: collectAssignees(people.labels).flatMap((each) => each.labels.map(({ id }) => id)),
      wanted: false,
      faults: isAlone ? [] : [{ code: 'somebody_or_nobody', name: nobody.text, span: nobody.span }],
    }
  }
  const read = values.map((value) => ({ ...resolvePerson(value, people), span: value.span }))
  return {
    ids: [...new Set(read.flatMap((each) => ('ids' in each ? each.ids : [])))],
    wanted: true,
    faults: read.flatMap((each) => ('fault' in each ? [{ ...each.fault, span: each.span }] : [])),
  }
}

/** A person's name as it must be typed after `assigned:`, quoted if necessary. */
export const quoteAssignee = (name: string): string => {
  const isWordOfOurs = Object.values(ASSIGNEE_KEYWORDS).some((word) => word === normalizeKeyword(name))
  return isBareValue(name) && !isWordOfOurs ? name : `"${name}"`
}

const formatOperator = (sign: string, values: readonly string[]): string =>
  `${sign}assigned:${values.length === 1 ? (values[0] ?? '') : `(${values.join(', ')})`}`

/** Uses the names of people whose labels are all included; lists the remaining labels by ID. */
const namesOf = (ids: readonly string[], labels: People['labels']): readonly string[] => {
  const people = collectAssignees(labels).filter(
    (each) =>
      !each.name.includes('"') && toAssigneeKey(each.name) !== '' && each.labels.every(({ id }) => ids.includes(id)),
  )
  const named = new Set(people.flatMap((each) => each.labels.map(({ id }) => id)))
  return [...people.map(({ name }) => quoteAssignee(name)), ...ids.filter((id) => !named.has(id))]
}

/** Inverse of `parseAssignedValues`: formats the conditions as `assigned:` operators. */
export const formatAssigned = (
  { assignedTo, notAssignedTo }: Pick<ThreadFilter, 'assignedTo' | 'notAssignedTo'>,
  labels: People['labels'],
): readonly string[] => {
  const everybody = collectAssignees(labels).flatMap((each) => each.labels.map(({ id }) => id))
  const isEverybody = (ids: readonly string[]): boolean =>
    ids.length === everybody.length && everybody.every((id) => ids.includes(id))
  const wanted = (ids: readonly string[]): readonly string[] => {
    if (isEverybody(ids)) return [formatOperator('-', [ASSIGNEE_KEYWORDS.nobody])]
    if (ids.length > 0) return [formatOperator('', namesOf(ids, labels))]
    // An empty list must match nothing. Two people do that, because no thread is assigned to both; with fewer labels,
    // use the user, who has no threads.
    const [first, second] = everybody
    return first === undefined || second === undefined
      ? [formatOperator('', [ASSIGNEE_KEYWORDS.me])]
      : [first, second].map((id) => formatOperator('', [id]))
  }
  const unwanted = (ids: readonly string[]): readonly string[] => {
    if (ids.length === 0) return []
    return [
      isEverybody(ids) ? formatOperator('', [ASSIGNEE_KEYWORDS.nobody]) : formatOperator('-', namesOf(ids, labels)),
    ]
  }
  return [...(assignedTo === null ? [] : wanted(assignedTo)), ...unwanted(notAssignedTo)]
}
