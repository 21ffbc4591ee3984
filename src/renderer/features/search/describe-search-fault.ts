import type { Span } from '../../../shared/search/lex-search.ts'
import { operatorOf } from '../../../shared/search/operators.ts'
import type { SearchFault } from '../../../shared/search/parse-search.ts'
import { PEOPLE_FIELDS } from '../../../shared/thread-query.ts'
import { formatNumber } from '../../ui/format-quantity.ts'
import { listName } from './list-name.ts'

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
      return `A search has at most ${formatNumber(fault.most)} ${unitOf(fault.what)}; this one has ${formatNumber(fault.received)}. Shorten it by the marked part.`
  }
}

interface TextPiece {
  readonly text: string
  readonly isMarked: boolean
}

/** Characters that are shown beside what is marked. */
const BESIDE = 48

const shortenMiddle = (text: string): string =>
  text.length > 2 * BESIDE ? `${text.slice(0, BESIDE)}…${text.slice(-BESIDE)}` : text

const shorten = (text: string, isFirst: boolean, isLast: boolean): string => {
  if (isFirst) return text.length > BESIDE ? `…${text.slice(-BESIDE)}` : text
  if (isLast) return text.length > BESIDE ? `${text.slice(0, BESIDE)}…` : text
  return shortenMiddle(text)
}

/**
 * A text in pieces, of some of which something is said; what is far from the edges of those is left out.
 * @param spans in the order of the text
 */
export const markSpans = (text: string, spans: readonly Span[]): readonly TextPiece[] =>
  [...spans.map(({ start }) => start), text.length]
    .flatMap((start, index) => {
      const [before, here] = [spans[index - 1]?.end ?? 0, spans[index]]
      const between = shorten(text.slice(before, start), index === 0, index === spans.length)
      return [
        { text: between, isMarked: false },
        { text: here === undefined ? '' : shortenMiddle(text.slice(here.start, here.end)), isMarked: true },
      ]
    })
    .filter((piece) => piece.text !== '')
