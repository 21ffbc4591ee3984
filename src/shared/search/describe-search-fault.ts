import { findOperator } from './operators.ts'
import type { SearchFault } from './parse-search.ts'
import { PEOPLE_FIELDS } from '../thread-query.ts'
import { formatListName } from './list-name.ts'

const orList = (values: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values)
const inDigits = (value: number): string => value.toLocaleString('en')
const isPerson = (what: string): boolean => PEOPLE_FIELDS.some((field) => field === what)

const unitOf = (what: Extract<SearchFault, { code: 'too_many' }>['what']): string =>
  isPerson(what) ? `values for ${what}:` : what

/** Message for an operator that an account-wide list doesn't support. */
const describeUnsupported = ({ name, list }: Extract<SearchFault, { code: 'not_in_list' }>): string => {
  const operator = findOperator(name)
  if (operator === 'in') return `“${formatListName(list)}” covers all folders, so in: doesn’t work here.`
  if (operator === 'label') return `Messages in ${formatListName(list)} have no labels.`
  if (operator === 'assigned') return `Messages in ${formatListName(list)} cannot be assigned.`
  if (operator === 'is') return `Messages in ${formatListName(list)} are neither read nor unread.`
  return `Linnet can’t tell which messages in ${formatListName(list)} have attachments.`
}

/** User-facing message about a fault in a search, including what to type instead. */
export const describeSearchFault = (fault: SearchFault): string => {
  switch (fault.code) {
    case 'unknown_operator':
      return fault.nearest === null
        ? `${fault.name}: is not a search operator. Put it in quotes to search for the words.`
        : `${fault.name}: is not a search operator. Did you mean ${fault.nearest}:?`
    case 'not_in_list':
      return `${describeUnsupported(fault)} Remove ${fault.name}:, or search an inbox.`
    case 'unsupported_word':
      return `${fault.word} does nothing here: every word has to match. Put it in quotes to search for the word.`
    case 'word_group':
      return 'Brackets can’t group words: every word has to match. Put a minus before each word to exclude, or put the text in quotes.'
    case 'unknown_me':
      return `${fault.name}:me does not work here. Type your address${fault.name === 'from' ? ', or use in:sent for mail you sent' : ''}. To search for a name with “me” in it, put “me” in quotes.`
    case 'missing_value':
      return `Type a value after ${fault.name}:`
    case 'unknown_value':
      return `${fault.name}:${fault.value} is unknown. Use ${fault.name}: with ${orList(fault.allowed)}.`
    case 'unknown_label':
      return fault.nearest === null
        ? `This inbox has no label “${fault.value}”.`
        : `This inbox has no label “${fault.value}”. Did you mean “${fault.nearest}”?`
    case 'unknown_person':
      return fault.nearest === null
        ? `No one called “${fault.value}” is assigned to threads in this inbox.`
        : `No one called “${fault.value}” is assigned to threads in this inbox. Did you mean “${fault.nearest}”?`
    case 'who_is_me':
      return 'Linnet does not know your name yet. Run “Set your name…” first.'
    case 'somebody_or_nobody':
      return `${fault.name} can’t be combined with a name. Use one or the other.`
    case 'cannot_exclude':
      return `${fault.name}: can’t be excluded. Only words, phrases, has:, is: and assigned: take a minus.`
    case 'one_value':
      return `${fault.name}: takes one word or phrase. To require several, repeat it.`
    case 'not_a_date':
      return `“${fault.value}” is not a date. Try 2026-05-01, yesterday or 7d.`
    case 'contradiction':
      return `${fault.name}: has two different values. Keep one.`
    case 'comma_in_value':
      return `Names can’t contain a comma here: “${fault.value}”. Type part of the name.`
    case 'dates_reversed':
      return 'The end date is before the start date. Swap them.'
    case 'too_many':
      return `A search can have at most ${inDigits(fault.most)} ${unitOf(fault.what)}; this one has ${inDigits(fault.received)}. Remove the marked part.`
  }
}
