import type { SearchableList } from '../email-query.ts'
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
export const SEARCH_OPERATORS = [
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
export type SearchOperator = (typeof SEARCH_OPERATORS)[number]

/**
 * Operators that concern threads, which account-wide lists don't support. For sent e-mails, attachments are unknown
 * too.
 */
const UNSUPPORTED: Readonly<Record<SearchableList, ReadonlySet<SearchOperator>>> = {
  threads: new Set(),
  received: new Set(['in', 'label', 'assigned', 'is']),
  sent: new Set(['in', 'label', 'assigned', 'is', 'has']),
}

export const supportsOperator = (list: SearchableList, operator: SearchOperator): boolean =>
  !UNSUPPORTED[list].has(operator)

/** Normalises an operator's name or value: ignores case and the full-width characters of East Asian keyboards. */
export const normalizeKeyword = (typed: string): string => typed.trim().normalize('NFKC').toLowerCase()

export const findOperator = (name: string): SearchOperator | null => {
  const typed = normalizeKeyword(name)
  const meant = ALIASES[typed] ?? typed
  return SEARCH_OPERATORS.find((known) => known === meant) ?? null
}

const EXCLUDABLE: ReadonlySet<SearchOperator> = new Set(['is', 'has', 'assigned'])

/** @param isExcluded true if a minus precedes the operator */
export const listOperators = (list: SearchableList, isExcluded: boolean): readonly SearchOperator[] =>
  SEARCH_OPERATORS.filter((name) => supportsOperator(list, name) && (!isExcluded || EXCLUDABLE.has(name)))

export const isOperatorPrefix = (word: string, isExcluded: boolean, list: SearchableList): boolean => {
  const typed = normalizeKeyword(word)
  return typed !== '' && listOperators(list, isExcluded).some((name) => name.startsWith(typed))
}

export const isPeopleField = (name: string): name is PeopleField => PEOPLE_FIELDS.some((field) => field === name)
