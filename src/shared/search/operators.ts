import type { SearchedList } from '../email-query.ts'
import { PEOPLE_FIELDS, type PeopleField } from '../thread-query.ts'

/** Operator names of other programs, mapped to Linnet's. */
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

/**
 * Operators that concern threads, which account-wide lists don't support. For sent e-mails, attachments are unknown
 * too.
 */
const LACKING: Readonly<Record<SearchedList, ReadonlySet<Operator>>> = {
  threads: new Set(),
  received: new Set(['in', 'label', 'assigned', 'is']),
  sent: new Set(['in', 'label', 'assigned', 'is', 'has']),
}

export const isOperatorOf = (list: SearchedList, operator: Operator): boolean => !LACKING[list].has(operator)

/** Normalises an operator's name or value: ignores case and the full-width characters of East Asian keyboards. */
export const plain = (typed: string): string => typed.trim().normalize('NFKC').toLowerCase()

export const operatorOf = (name: string): Operator | null => {
  const typed = plain(name)
  const meant = ALIASES[typed] ?? typed
  return OPERATORS.find((known) => known === meant) ?? null
}

const EXCLUDABLE: ReadonlySet<Operator> = new Set(['is', 'has', 'assigned'])

/** @param isExcluded true if a minus precedes the operator */
export const operatorsFor = (list: SearchedList, isExcluded: boolean): readonly Operator[] =>
  OPERATORS.filter((name) => isOperatorOf(list, name) && (!isExcluded || EXCLUDABLE.has(name)))

export const isOperatorBeginning = (word: string, isExcluded: boolean, list: SearchedList): boolean => {
  const typed = plain(word)
  return typed !== '' && operatorsFor(list, isExcluded).some((name) => name.startsWith(typed))
}

export const isPeopleField = (name: string): name is PeopleField => PEOPLE_FIELDS.some((field) => field === name)
