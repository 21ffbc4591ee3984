import type { SearchedList } from '../email-query.ts'
import { PEOPLE_FIELDS, type PeopleField } from '../thread-query.ts'

/** What people know from other programs, and what it is called here. */
const ALIASES: Readonly<Record<string, string>> = {
  folder: 'in',
  labels: 'label',
  tag: 'label',
  since: 'after',
  newer: 'after',
  older: 'before',
  date: 'on',
  assignee: 'assigned',
}
export const OPERATORS = [
  ...PEOPLE_FIELDS,
  'subject',
  'in',
  'label',
  'assigned',
  'is',
  'has',
  'after',
  'before',
  'on',
  'newer_than',
  'older_than',
] as const
export type Operator = (typeof OPERATORS)[number]

/** What the e-mails of the account's own lists do not have: that is of threads. Of sent ones no attachments are told. */
const LACKING: Readonly<Record<SearchedList, ReadonlySet<Operator>>> = {
  threads: new Set(),
  received: new Set(['in', 'label', 'assigned', 'is']),
  sent: new Set(['in', 'label', 'assigned', 'is', 'has']),
}

export const isOperatorOf = (list: SearchedList, operator: Operator): boolean => !LACKING[list].has(operator)

/**
 * A name or a value of an operator as it is compared: in any case, and in the full-width letters and digits that keyboards
 * of East Asia write.
 */
export const plain = (typed: string): string => typed.trim().normalize('NFKC').toLowerCase()

/** The operator that a typed name means; null where it means none. */
export const operatorOf = (name: string): Operator | null => {
  const typed = plain(name)
  const meant = ALIASES[typed] ?? typed
  return OPERATORS.find((known) => known === meant) ?? null
}

/** What can be turned round. */
const EXCLUDABLE: ReadonlySet<Operator> = new Set(['is', 'has', 'assigned'])

/** The operators that can be typed in a search of a list. @param isExcluded with a minus before them */
export const operatorsFor = (list: SearchedList, isExcluded: boolean): readonly Operator[] =>
  OPERATORS.filter((name) => isOperatorOf(list, name) && (!isExcluded || EXCLUDABLE.has(name)))

export const isOperatorBeginning = (word: string, isExcluded: boolean, list: SearchedList): boolean => {
  const typed = plain(word)
  return typed !== '' && operatorsFor(list, isExcluded).some((name) => name.startsWith(typed))
}

export const isPeopleField = (name: string): name is PeopleField => PEOPLE_FIELDS.some((field) => field === name)
