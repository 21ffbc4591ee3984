import { collectAssignees, isAssigneeLabel } from '../../../shared/assignees.ts'
import type { SearchableList } from '../../../shared/email-query.ts'
import { FOLDERS, type Folder, type Label } from '../../../shared/model.ts'
import { formatIsoTimestamp, type Clock } from '../../../shared/search/date-bounds.ts'
import { ASSIGNEE_KEYWORDS, quoteAssignee } from '../../../shared/search/assigned-operator.ts'
import { formatLabelName, quoteValue } from '../../../shared/search/format-search.ts'
import { type Span, lexSearch, type SearchToken } from '../../../shared/search/lex-search.ts'
import {
  supportsOperator,
  isPeopleField,
  listOperators,
  type SEARCH_OPERATORS,
  type SearchOperator,
  findOperator,
} from '../../../shared/search/operators.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { EditedText } from './edit-search.ts'

/** Token at the caret, and the text that a suggestion replaces. */
type CaretToken =
  /** A word or an empty place for one. */
  | { readonly kind: 'word'; readonly span: Span; readonly typed: string; readonly isExcluded: boolean }
  /** Name of an operator with values. The span includes its colon. */
  | { readonly kind: 'name'; readonly span: Span; readonly typed: string; readonly isExcluded: boolean }
  | {
      readonly kind: 'value'
      readonly span: Span
      readonly typed: string
      readonly operator: NonNullable<ReturnType<typeof findOperator>>
      /** True inside a bracketed list. */
      readonly isListed: boolean
    }

type Operator = Extract<SearchToken, { kind: 'operator' }>

const valueAtCaret = (text: string, caret: number, { name, nameSpan, values }: Operator): CaretToken | null => {
  const operator = findOperator(name)
  if (operator === null) return null
  const isListed = text[nameSpan.end + 1] === '('
  const value = values.find(({ span }) => span.start <= caret && caret <= span.end)
  if (value !== undefined) {
    const typed = text.slice(value.span.start, caret).replace(/^"|"$/g, '')
    return { kind: 'value', span: value.span, typed, operator, isListed }
  }
  // An empty value follows a colon, a bracket or a comma.
  const before = text.slice(nameSpan.end, caret).trimEnd().at(-1) ?? ''
  if (!':：(,'.includes(before) || text[caret] === '(') return null
  return { kind: 'value', span: { start: caret, end: caret }, typed: '', operator, isListed }
}

/** Null inside a phrase, after a list, or in a value of an unknown operator. @param caret in UTF-16 units */
export const findTokenAtCaret = (text: string, caret: number): CaretToken | null => {
  const token = lexSearch(text).find(({ kind, span }) => kind !== 'space' && span.start < caret && caret <= span.end)
  if (token === undefined || token.kind === 'space') {
    return { kind: 'word', span: { start: caret, end: caret }, typed: '', isExcluded: false }
  }
  const { isExcluded, span } = token
  if (token.kind === 'term') {
    if (token.isPhrase) return null
    return { kind: 'word', span, typed: text.slice(span.start + Number(isExcluded), caret), isExcluded }
  }
  const { nameSpan } = token
  if (caret > nameSpan.end) return valueAtCaret(text, caret, token)
  const name = { start: nameSpan.start, end: nameSpan.end + 1 }
  return { kind: 'name', span: name, typed: text.slice(nameSpan.start, caret), isExcluded }
}

export interface SuggestedPerson {
  readonly name: string | null
  readonly address: string
}

export interface SuggestionSources extends Clock {
  readonly labels: readonly Label[]
  /** The user's own names as an assignee. */
  readonly me: readonly string[]
  /** Results for `findPersonQuery`, likeliest first. */
  readonly people: readonly SuggestedPerson[]
  /** Newest first. */
  readonly recent: readonly string[]
  readonly list: SearchableList
  /** Search terms for the list where the search started: `in:archive`, `label:urgent`. Or null. */
  readonly here: string | null
}

export interface Suggestion {
  readonly id: string
  readonly kind: 'operator' | 'person' | 'label' | 'folder' | 'date' | 'value' | 'recent' | 'clear'
  /** Name in the list, usually the text that the user could type instead. */
  readonly text: string
  readonly detail: string
  readonly color: string | null
  readonly span: Span
  readonly insert: string
  /**
   * Kind of text that comes next: a first value, an existing value, another value of the list, the next word, or
   * nothing for a complete search.
   */
  readonly ending: 'open' | 'named' | 'listed' | 'whole' | 'search'
}

/** Rows per kind if there are several kinds. */
const MAX_PER_KIND = 4
const MAX = 12

const OPERATOR_HINTS: Readonly<Record<(typeof SEARCH_OPERATORS)[number], string>> = {
  from: 'the sender’s name or address',
  to: 'a recipient’s name or address',
  cc: 'someone who got a copy',
  bcc: 'someone who got a blind copy',
  subject: 'words in the subject line',
  in: 'one folder, or anywhere',
  label: 'a label in this inbox',
  assigned: 'who the thread is assigned to: a name, me or nobody',
  is: 'unread, starred, snoozed, from people, …',
  has: 'an attachment',
  after: 'this day or later',
  before: 'earlier than this day',
  on: 'this day, month or year',
  newer_than: 'for example, in the last 7 days',
  older_than: 'for example, more than 7 days ago',
}
const FOLDER_HINTS: Readonly<Record<Folder | 'anywhere', string>> = {
  inbox: 'new mail',
  archive: 'done',
  spam: 'junk',
  sent: 'sent by you',
  trash: 'deleted',
  anywhere: 'every folder, including spam and trash',
}

interface Choice {
  readonly value: string
  readonly words: string
}

const IS: readonly Choice[] = [
  { value: 'unread', words: 'with an unread message' },
  { value: 'read', words: 'all messages read' },
  { value: 'starred', words: 'marked with a star' },
  { value: 'snoozed', words: 'out of the inbox until later' },
  { value: 'muted', words: 'new mail goes straight to the archive' },
  { value: 'reminder', words: 'returns to the inbox if no one replies' },
  { value: 'back', words: 'back from a snooze or reminder' },
  { value: 'person', words: 'written by people' },
  { value: 'newsletter', words: 'newsletters and lists' },
  { value: 'robot', words: 'sent automatically' },
  { value: 'kept', words: 'only on this computer' },
]
const HAS: readonly Choice[] = [{ value: 'attachment', words: 'with an attachment' }]
const AGES: readonly Choice[] = [
  { value: '1d', words: 'a day' },
  { value: '7d', words: 'a week' },
  { value: '1mo', words: 'a month' },
  { value: '3mo', words: 'three months' },
  { value: '1y', words: 'a year' },
]

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** Days and months as typed, plus lengths of time except for `on`. */
const datesAt = ({ now, timeZone }: Clock, operator: string): readonly Choice[] => {
  const [year = '', month = ''] = formatIsoTimestamp(now, timeZone).split('-')
  const last = month === '01' ? `${String(Number(year) - 1)}-12` : `${year}-${padTwo(Number(month) - 1)}`
  const ago = [
    { value: '7d', words: operator === 'after' ? 'the last 7 days' : '7 days ago' },
    { value: '1mo', words: operator === 'after' ? 'the last month' : 'a month ago' },
  ]
  return [
    { value: 'today', words: '' },
    { value: 'yesterday', words: '' },
    ...(operator === 'on' ? [] : ago),
    { value: `${year}-${month}`, words: 'this month' },
    { value: last, words: 'last month' },
    { value: year, words: 'this year' },
  ]
}

const hasPrefix = (text: string, typed: string): boolean => text.toLowerCase().startsWith(typed.toLowerCase())
const containsText = (text: string, typed: string): boolean => text.toLowerCase().includes(typed.toLowerCase())

/** Nobody, the user and colleagues, if any threads are assigned. Excludes names that would need quotes. */
const assignedChoices = (labels: readonly Label[], me: readonly string[], typed: string): readonly Choice[] => {
  const people = collectAssignees(labels)
  if (people.length === 0) return []
  const wanted = typed.replace(/^@+/, '')
  const words: readonly Choice[] = [
    ...(me.length === 0 ? [] : [{ value: ASSIGNEE_KEYWORDS.me, words: `assigned to you (${me.join(', ')})` }]),
    { value: ASSIGNEE_KEYWORDS.nobody, words: 'not assigned' },
  ]
  return [
    ...words.filter(({ value }) => hasPrefix(value, wanted)),
    ...people
      .filter(
        ({ name }) => quoteAssignee(name) === quoteValue(name) && !name.includes('"') && containsText(name, wanted),
      )
      .map(({ name }) => ({ value: name, words: '' })),
  ]
}

interface Insertion {
  readonly span: Span
  readonly ending: Suggestion['ending']
}

/** @param operator inserted before the value; empty if the text already has it */
const valueSuggestion = (
  place: Insertion,
  kind: Suggestion['kind'],
  operator: string,
  { value, words }: Choice,
): Suggestion => ({
  id: `${kind} ${operator}${value}`,
  kind,
  text: `${operator}${value}`,
  detail: words,
  color: null,
  insert: `${operator}${quoteValue(value)}`,
  ...place,
})

const personSuggestion = (place: Insertion, operator: string, { name, address }: SuggestedPerson): Suggestion => {
  const shown = name === null ? '' : toVisibleText(name)
  return {
    id: `person ${operator}${address}`,
    kind: 'person',
    text: `${operator}${shown === '' ? toVisibleText(address) : shown}`,
    detail: shown === '' ? '' : toVisibleText(address),
    color: null,
    insert: `${operator}${quoteValue(address)}`,
    ...place,
  }
}

const labelSuggestion = (place: Insertion, operator: string, label: Label, labels: readonly Label[]): Suggestion => ({
  id: `label ${operator}${label.id}`,
  kind: 'label',
  text: `${operator}${toVisibleText(label.name)}`,
  detail: '',
  color: label.color,
  insert: `${operator}${quoteValue(formatLabelName(label.id, labels))}`,
  ...place,
})

/** People that `from:` can name: values can't contain commas or quotes. */
const nameablePeople = (people: readonly SuggestedPerson[], typed: string): readonly SuggestedPerson[] =>
  people.filter(
    ({ name, address }) =>
      address.trim() !== '' && !/[",\n]/.test(address) && containsText(`${name ?? ''}\n${address}`, typed),
  )

const folderChoices: readonly Choice[] = [...FOLDERS, 'anywhere' as const].map((value) => ({
  value,
  words: FOLDER_HINTS[value],
}))

const matchingChoices = (choices: readonly Choice[], typed: string): readonly Choice[] =>
  choices.filter(
    ({ value, words }) => hasPrefix(value, typed) || words.split(' ').some((word) => hasPrefix(word, typed)),
  )

const suggestionsForValue = (
  token: Extract<CaretToken, { kind: 'value' }>,
  { labels, me, people, list, ...clock }: SuggestionSources,
): readonly Suggestion[] => {
  const { operator, typed, span, isListed } = token
  if (!supportsOperator(list, operator)) return []
  const place: Insertion = { span, ending: isListed ? 'listed' : 'whole' }
  const of = (kind: Suggestion['kind'], choices: readonly Choice[]): readonly Suggestion[] =>
    matchingChoices(choices, typed).map((choice) => valueSuggestion(place, kind, '', choice))
  if (isPeopleField(operator)) {
    return typed === '' ? [] : nameablePeople(people, typed).map((person) => personSuggestion(place, '', person))
  }
  switch (operator) {
    case 'label':
      return labels
        .filter((label) => !isAssigneeLabel(label) && containsText(label.name, typed))
        .map((label) => labelSuggestion(place, '', label, labels))
    case 'assigned':
      return assignedChoices(labels, me, typed).map((choice) => valueSuggestion(place, 'value', '', choice))
    case 'subject':
      return []
    case 'in':
      return of('folder', folderChoices)
    case 'is':
      return of('value', IS)
    case 'has':
      return of('value', HAS)
    case 'newer_than':
    case 'older_than':
      return of('date', AGES)
    case 'after':
    case 'before':
    case 'on':
      return of('date', datesAt(clock, operator))
  }
}

/** Offered in an empty bar. Other operators are offered once their first letter is typed. */
const DEFAULT_OPERATORS: ReadonlySet<SearchOperator> = new Set([
  ...(['from', 'to', 'subject', 'in', 'label', 'assigned', 'is', 'has', 'after', 'before'] as const),
])

const suggestedOperators = (
  token: Exclude<CaretToken, { kind: 'value' }>,
  list: SearchableList,
): readonly Suggestion[] => {
  const { typed, span, kind } = token
  const known = listOperators(list, token.isExcluded)
  const minus = token.isExcluded && kind === 'word' ? '-' : ''
  return known
    .filter((name) => hasPrefix(name, typed))
    .map((name) => ({
      id: `operator ${name}`,
      kind: 'operator',
      text: `${minus}${name}:`,
      detail: OPERATOR_HINTS[name],
      color: null,
      span,
      insert: `${minus}${name}:`,
      ending: kind === 'name' ? 'named' : 'open',
    }))
}

const suggestionsForWord = (
  token: Extract<CaretToken, { kind: 'word' }>,
  { labels, me, people, list }: SuggestionSources,
): readonly Suggestion[] => {
  const { typed, span, isExcluded } = token
  const operators = suggestedOperators(token, list)
  if (isExcluded) return operators
  if (typed === '')
    return operators.filter(({ id }) => [...DEFAULT_OPERATORS].some((name) => id === `operator ${name}`))
  const place: Insertion = { span, ending: 'whole' }
  const among = (
    kind: Suggestion['kind'],
    operator: SearchOperator,
    choices: readonly Choice[],
  ): readonly Suggestion[] =>
    supportsOperator(list, operator)
      ? choices
          .filter(({ value }) => hasPrefix(value, typed))
          .map((choice) => valueSuggestion(place, kind, `${operator}:`, choice))
      : []
  return [
    ...operators.slice(0, MAX_PER_KIND),
    ...nameablePeople(people, typed)
      .slice(0, MAX_PER_KIND)
      .map((person) => personSuggestion(place, 'from:', person)),
    ...labels
      .filter((label) => !isAssigneeLabel(label) && containsText(label.name, typed))
      .slice(0, MAX_PER_KIND)
      .map((label) => labelSuggestion(place, 'label:', label, labels)),
    ...(supportsOperator(list, 'assigned') ? assignedChoices(labels, me, typed) : [])
      .slice(0, MAX_PER_KIND)
      .map((choice) => valueSuggestion(place, 'value', 'assigned:', choice)),
    ...among('value', 'is', IS),
    ...among('value', 'has', HAS),
    ...among('folder', 'in', folderChoices),
  ]
}

const narrowingSuggestion = ({ span, typed }: CaretToken, { here }: SuggestionSources): readonly Suggestion[] =>
  here === null || typed !== ''
    ? []
    : [
        {
          id: 'here',
          kind: here.startsWith('in:') ? 'folder' : 'value',
          text: here,
          detail: here.startsWith('in:') ? 'search only this folder' : 'search only this label',
          color: null,
          span,
          insert: here,
          ending: 'whole',
        },
      ]

const recentFor = (text: string, recent: readonly string[]): readonly Suggestion[] => {
  const typed = text.trim()
  return recent
    .filter((each) => each !== typed && containsText(each, typed))
    .slice(0, typed === '' ? MAX / 2 : MAX_PER_KIND - 1)
    .map((each) => ({
      id: `recent ${each}`,
      kind: 'recent',
      text: each,
      detail: '',
      color: null,
      span: { start: 0, end: text.length },
      insert: each,
      ending: 'search',
    }))
}

const CLEAR: Suggestion = {
  id: 'clear',
  kind: 'clear',
  text: 'Clear recent searches',
  detail: '',
  color: null,
  span: { start: 0, end: 0 },
  insert: '',
  ending: 'search',
}

/** Suggestions at the caret, likeliest first, after recent searches. @param caret in UTF-16 units */
export const findSuggestions = (text: string, caret: number, suggestable: SuggestionSources): readonly Suggestion[] => {
  const token = findTokenAtCaret(text, caret)
  if (token === null) return []
  if (token.kind === 'value') return suggestionsForValue(token, suggestable).slice(0, MAX)
  if (token.kind === 'name') return suggestedOperators(token, suggestable.list)
  // Between words a list would only cover the results.
  if (token.typed === '' && text.trim() !== '') return []
  const recent = recentFor(text, suggestable.recent)
  return [
    ...narrowingSuggestion(token, suggestable),
    ...recent,
    ...suggestionsForWord(token, suggestable),
    ...(recent.length === 0 ? [] : [CLEAR]),
  ]
}

/** Text to find people for, or null. */
export const findPersonQuery = (text: string, caret: number): string | null => {
  const token = findTokenAtCaret(text, caret)
  if (token === null || token.kind === 'name') return null
  if (token.kind === 'value' ? !isPeopleField(token.operator) : token.isExcluded) return null
  const typed = token.typed.trim()
  return typed === '' || typed.length > 256 ? null : typed
}

export const acceptSuggestion = (text: string, { span, insert, ending }: Suggestion): EditedText => {
  const [before, after] = [text.slice(0, span.start) + insert, text.slice(span.end)]
  const [next = ''] = after
  const isSpace = /^\s/u.test(next)
  switch (ending) {
    case 'search':
    case 'named':
      return { text: before + after, caret: before.length }
    case 'open':
      // A word after the colon would become its value.
      return { text: before + (next === '' || isSpace ? '' : ' ') + after, caret: before.length }
    case 'listed': {
      // A bare value that replaces a quoted one would merge with the adjacent value.
      const isFirst = /[(,]\s*$/u.test(text.slice(0, span.start))
      const start = isFirst ? before : `${text.slice(0, span.start)}, ${insert}`
      const isEnd = /^\s*(?:[,)]|$)/u.test(after)
      return { text: start + (isEnd ? '' : ', ') + after, caret: start.length }
    }
    case 'whole': {
      if (next === ',') return { text: before + after, caret: before.length }
      return { text: before + (isSpace ? '' : ' ') + after, caret: before.length + 1 }
    }
  }
}
