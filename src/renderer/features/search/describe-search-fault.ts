import type { Span } from '../../../shared/search/lex-search.ts'
import type { SearchFault } from '../../../shared/search/parse-search.ts'
import { PEOPLE_FIELDS } from '../../../shared/thread-query.ts'

const isPerson = (what: string): boolean => PEOPLE_FIELDS.some((field) => field === what)

const unitOf = (what: Extract<SearchFault, { code: 'too_many' }>['what']): string =>
  isPerson(what) ? `values for ${what}:` : what

/** What is wrong with a part of a search, and what to type instead. */
export const describeSearchFault = (fault: SearchFault): string => {
  switch (fault.code) {
    case 'unknown_operator':
      return fault.nearest === null
        ? `There is no ${fault.name}: in searches. Put the words into quotes to look for them as they are.`
        : `There is no ${fault.name}: in searches. Did you mean ${fault.nearest}:?`
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
      return `A search has at most ${fault.most} ${unitOf(fault.what)}; this one has ${fault.received}. Shorten it by the marked part.`
  }
}

/** A text in three, the middle of which something is said of. */
export interface MarkedText {
  readonly before: string
  readonly marked: string
  readonly after: string
}

export const markSpan = (text: string, span: Span): MarkedText => ({
  before: text.slice(0, span.start),
  marked: text.slice(span.start, span.end),
  after: text.slice(span.end),
})
