import { operatorOf } from './operators.ts'
import type { SearchFault } from './parse-search.ts'
import { PEOPLE_FIELDS } from '../thread-query.ts'
import { listName } from './list-name.ts'

const inDigits = (value: number): string => value.toLocaleString('en')
const isPerson = (what: string): boolean => PEOPLE_FIELDS.some((field) => field === what)

const unitOf = (what: Extract<SearchFault, { code: 'too_many' }>['what']): string =>
  isPerson(what) ? `values for ${what}:` : what

/** What the e-mails of one of the account's own lists do not have. */
const lackWords = ({ name, list }: Extract<SearchFault, { code: 'not_in_list' }>): string => {
  const operator = operatorOf(name)
  if (operator === 'in') return `${listName(list)} has no folders.`
  if (operator === 'label') return `E-mails in ${listName(list)} have no labels.`
  if (operator === 'is') return `E-mails in ${listName(list)} are neither read nor unread.`
  return `The platform does not tell which e-mails in ${listName(list)} have attachments.`
}

/** What is wrong with a part of a search, and what to type instead. */
export const describeSearchFault = (fault: SearchFault): string => {
  switch (fault.code) {
    case 'unknown_operator':
      return fault.nearest === null
        ? `There is no ${fault.name}: in searches. Put the words into quotes to look for them as they are.`
        : `There is no ${fault.name}: in searches. Did you mean ${fault.nearest}:?`
    case 'not_in_list':
      return `${lackWords(fault)} Take ${fault.name}: out, or search the folders of an inbox.`
    case 'unsupported_word':
      return `${fault.word} has no meaning in searches: every word has to match. Put it into quotes to look for it.`
    case 'missing_value':
      return `Type what ${fault.name}: is to look for.`
    case 'unknown_value':
      return `${fault.name}:${fault.value} is not known. It can be ${fault.allowed.join(', ')}.`
    case 'unknown_label':
      return fault.nearest === null
        ? `This inbox has no label “${fault.value}”.`
        : `This inbox has no label “${fault.value}”. Did you mean “${fault.nearest}”?`
    case 'cannot_exclude':
      return `${fault.name}: cannot be excluded with a minus. Only words and phrases can.`
    case 'not_a_date':
      return `“${fault.value}” is no date. Type one such as 2026-05-01, yesterday or 7d.`
    case 'contradiction':
      return `${fault.name}: is there twice with different values. Keep one of them.`
    case 'comma_in_value':
      return `A name or address cannot have a comma here: “${fault.value}”. Type a part of it without one.`
    case 'dates_reversed':
      return 'The search ends before it begins. Exchange the two dates.'
    case 'too_many':
      return `A search has at most ${inDigits(fault.most)} ${unitOf(fault.what)}; this one has ${inDigits(fault.received)}. Shorten it by the marked part.`
  }
}
