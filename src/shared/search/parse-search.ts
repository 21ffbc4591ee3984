/**
 * Parses a search. Any text gives a query, and parts that can't be used become faults with their position. Grammar:
 * docs/search.md.
 */
import type { EmailList, SearchableList } from '../email-query.ts'
import { FOLDERS, type Folder } from '../model.ts'
import {
  EMAIL_KINDS,
  RECEIVED_EMAIL_KINDS,
  NO_FILTER,
  PEOPLE_FIELDS,
  type DateBound,
  type EmailKind,
  type MailKind,
  type PeopleField,
  type TextTerm,
  type ThreadFilter,
} from '../thread-query.ts'
import { THREAD_MARKS, SNOOZED_FOLDER, type ThreadMark } from '../thread-marks.ts'
import { parseAssignedValues, type AssignedFault } from './assigned-operator.ts'
import { resolveDateBound, parseAgo, parseTypedDate, type Clock } from './date-bounds.ts'
import {
  isGroupAt,
  isBareValue,
  lexSearch,
  trimName,
  type LexedValue,
  type SearchToken,
  type Span,
} from './lex-search.ts'
import { findNearestName } from './nearest-name.ts'
import { toAssigneeFilter, KIND_VALUES, toKindFilter, toMarkFilter, narrowKinds } from './local-conditions.ts'
import { supportsOperator, isPeopleField, SEARCH_OPERATORS, findOperator, normalizeKeyword } from './operators.ts'
import { countCharacters, countTypedWords, tokenizeWords } from './word-tokenizer.ts'

/** Platform limits (platform.md 10). */
export const SEARCH_LIMITS = { characters: 256, words: 32, people: 20, labels: 50 } as const
export type SearchLimits = Readonly<Record<keyof typeof SEARCH_LIMITS, number>>

export interface SearchContext extends Clock {
  readonly labels: readonly { readonly id: string; readonly name: string }[]
  /** The user's own names for `assigned:me`, one per account; empty if unknown. */
  readonly me?: readonly string[] | undefined
  /** The searched list; defaults to an inbox's threads. */
  readonly list?: SearchableList | undefined
}

/** Why a part of a search can't be sent. */
export type SearchFault =
  /** `nearest` is the operator that the user probably meant. */
  | { readonly code: 'unknown_operator'; readonly name: string; readonly nearest: string | null }
  /** The operator isn't supported in this list. */
  | { readonly code: 'not_in_list'; readonly name: string; readonly list: EmailList }
  /** `OR`, `AND`, `NOT` or their symbols, which only other programs support. */
  | { readonly code: 'unsupported_word'; readonly word: string }
  /** A group such as `{a b}` or `-(a b)`, which only other programs support. */
  | { readonly code: 'word_group' }
  /** `from:me` doesn't say which of the user's addresses is meant. */
  | { readonly code: 'unknown_me'; readonly name: string }
  | { readonly code: 'missing_value'; readonly name: string }
  | {
      readonly code: 'unknown_value'
      readonly name: string
      readonly value: string
      readonly allowed: readonly string[]
    }
  | { readonly code: 'unknown_label'; readonly value: string; readonly nearest: string | null }
  | AssignedFault
  | { readonly code: 'cannot_exclude'; readonly name: string }
  /**
   * The operator has several values. Other operators match any of their values, but for this one the platform could
   * only match all of them.
   */
  | { readonly code: 'one_value'; readonly name: string }
  | { readonly code: 'not_a_date'; readonly value: string }
  /** A second date for the same end of the range, or the opposite of an earlier condition. */
  | { readonly code: 'contradiction'; readonly name: string }
  | { readonly code: 'comma_in_value'; readonly value: string }
  | { readonly code: 'dates_reversed' }
  | {
      readonly code: 'too_many'
      readonly what: 'characters' | 'words' | PeopleField | 'labels'
      readonly most: number
      readonly received: number
    }

/** A note about a part that doesn't stop the search: the part is sent as typed or left out. */
export type SearchRemark =
  /** A term without a letter or digit. It is dropped if there are other words, and finds nothing on its own. */
  | { readonly code: 'no_word'; readonly text: string }
  /** A term with a star, which isn't a wildcard in Linnet. */
  | { readonly code: 'star'; readonly text: string }

export type WithSpan<What> = What & { readonly span: Span }

export type SearchPart = WithSpan<
  | { readonly kind: 'text'; readonly term: TextTerm }
  | { readonly kind: 'subject'; readonly terms: readonly TextTerm[] }
  | { readonly kind: 'people'; readonly field: PeopleField; readonly values: readonly string[] }
  | { readonly kind: 'folders'; readonly folders: readonly Folder[] }
  | { readonly kind: 'labels'; readonly ids: readonly string[] }
  /** Threads with one of these labels, or, if not `wanted`, with none of them. */
  | { readonly kind: 'assigned'; readonly ids: readonly string[]; readonly wanted: boolean }
  | { readonly kind: 'attachment'; readonly wanted: boolean }
  | { readonly kind: 'read'; readonly wanted: boolean }
  | { readonly kind: 'dropped'; readonly wanted: boolean }
  | { readonly kind: 'mark'; readonly mark: ThreadMark; readonly wanted: boolean }
  | { readonly kind: 'message type'; readonly of: MailKind; readonly wanted: boolean }
  | { readonly kind: 'dates'; readonly since: DateBound | null; readonly until: DateBound | null }
>

export interface ParsedSearch {
  readonly text: string
  /** Parts in text order, without the faulty ones. */
  readonly parts: readonly SearchPart[]
  readonly filter: ThreadFilter
  /** Faults in text order. A search with a fault is not sent. */
  readonly faults: readonly WithSpan<SearchFault>[]
  readonly remarks: readonly WithSpan<SearchRemark>[]
}

type Operator = Extract<SearchToken, { kind: 'operator' }>
type ParsedPart = { readonly part: SearchPart } | { readonly faults: readonly WithSpan<SearchFault>[] }

const READ_VALUES: ReadonlyMap<string, boolean> = new Map([
  ['read', true],
  ['seen', true],
  ['unread', false],
  ['unseen', false],
])
/** Value for mail that the platform has dropped and that exists only locally. */
const KEPT = 'kept'
const ATTACHMENT_VALUES: ReadonlySet<string> = new Set(['attachment', 'attachments'])
const ANYWHERE: ReadonlySet<string> = new Set(['anywhere', 'all'])
const UNSUPPORTED_WORDS: ReadonlySet<string> = new Set(['OR', 'AND', 'NOT', '|', '||', '&&'])

const faulty = (span: Span, fault: SearchFault): ParsedPart => ({ faults: [{ ...fault, span }] })

/** Reads all values. If any have faults, returns all the faults instead. */
const eachValue = <Value>(
  values: readonly LexedValue[],
  read: (value: LexedValue) => { readonly value: Value } | { readonly fault: SearchFault },
): { readonly values: readonly Value[] } | { readonly faults: readonly WithSpan<SearchFault>[] } => {
  const results = values.map((value) => ({ span: value.span, ...read(value) }))
  const faults = results.flatMap((result) => ('fault' in result ? [{ ...result.fault, span: result.span }] : []))
  return faults.length > 0
    ? { faults }
    : { values: results.flatMap((result) => ('value' in result ? [result.value] : [])) }
}

/** Returns an operator word of another program that occurs unquoted in a value. */
const unsupportedIn = ({ text, isQuoted }: LexedValue): string | undefined =>
  isQuoted || !/\s/u.test(text) ? undefined : text.split(/\s+/u).find((each) => UNSUPPORTED_WORDS.has(each))

const parsePeople = ({ span, values, name }: Operator, field: PeopleField): ParsedPart => {
  const read = eachValue(values, (typed) => {
    const { text, isQuoted } = typed
    if (!isQuoted && normalizeKeyword(text) === 'me') return { fault: { code: 'unknown_me', name } }
    const word = unsupportedIn(typed)
    if (word !== undefined) return { fault: { code: 'unsupported_word', word } }
    return text.includes(',') ? { fault: { code: 'comma_in_value', value: text } } : { value: text }
  })
  return 'faults' in read ? read : { part: { kind: 'people', span, field, values: read.values } }
}

/** Terms for each word of `subject:(two words)`, in any order, or for the quoted phrase. */
const parseSubject = ({ span, values, name }: Operator): ParsedPart => {
  const [value, second] = values
  if (value === undefined || second !== undefined) return faulty(span, { code: 'one_value', name })
  const word = unsupportedIn(value)
  if (word !== undefined) return faulty(value.span, { code: 'unsupported_word', word })
  const words = value.isQuoted ? [value.text] : value.text.split(/\s+/u).map(trimName)
  const terms = words
    .filter((text) => text !== '')
    .map((text): TextTerm => {
      // Make it a phrase if it needs quotes, or if it would be sent as an exclusion.
      const isPhrase = value.isQuoted || !isBareValue(text) || text.startsWith('-')
      return { text, isPhrase, isExcluded: false, isInSubject: true }
    })
  return { part: { kind: 'subject', span, terms } }
}

const parseFolders = ({ span, values, name }: Operator): ParsedPart => {
  const read = eachValue<readonly Folder[]>(values, ({ text }) => {
    const typed = normalizeKeyword(text)
    if (ANYWHERE.has(typed)) return { value: FOLDERS }
    const folder = FOLDERS.find((known) => known === typed)
    return folder === undefined
      ? { fault: { code: 'unknown_value', name, value: text, allowed: [...FOLDERS, 'anywhere'] } }
      : { value: [folder] }
  })
  return 'faults' in read ? read : { part: { kind: 'folders', span, folders: read.values.flat() } }
}

/** Finds a label by its exact name, else by its name in any case, else by its ID. */
export const findLabel = (
  typed: string,
  labels: SearchContext['labels'],
): SearchContext['labels'][number] | undefined => {
  const exact = (name: string): string => trimName(name).normalize('NFC')
  const name = exact(typed)
  const lower = name.toLowerCase()
  return (
    labels.find((label) => exact(label.name) === name) ??
    labels.find((label) => exact(label.name).toLowerCase() === lower) ??
    labels.find((label) => label.id === lower)
  )
}

const parseLabels = ({ span, values }: Operator, { labels }: SearchContext): ParsedPart => {
  const read = eachValue(values, ({ text }) => {
    const label = findLabel(text, labels)
    if (label !== undefined) return { value: label.id }
    const names = labels.map(({ name }) => name)
    return { fault: { code: 'unknown_label', value: text, nearest: findNearestName(text, names) } }
  })
  return 'faults' in read ? read : { part: { kind: 'labels', span, ids: read.values } }
}

const parseAssigned = ({ span, values, isExcluded }: Operator, context: SearchContext): ParsedPart => {
  const { faults, ids, wanted } = parseAssignedValues(values, context)
  if (faults.length > 0) return { faults }
  return { part: { kind: 'assigned', span, ids, wanted: wanted !== isExcluded } }
}

const singleValue = ({ values, name }: Operator): { readonly value: LexedValue } | ParsedPart => {
  const [value, second] = values
  if (value === undefined) throw new Error('The lexer must reject operators without a value.')
  return second === undefined ? { value } : faulty(second.span, { code: 'contradiction', name })
}

const parseFlag = (
  operator: Operator,
  values: { readonly meanings: ReadonlyMap<string, boolean>; readonly allowed: readonly string[] },
  part: (wanted: boolean) => SearchPart,
): ParsedPart => {
  const one = singleValue(operator)
  if (!('value' in one)) return one
  const meaning = values.meanings.get(normalizeKeyword(one.value.text))
  return meaning === undefined
    ? faulty(one.value.span, {
        code: 'unknown_value',
        name: operator.name,
        value: one.value.text,
        allowed: values.allowed,
      })
    : { part: part(meaning !== operator.isExcluded) }
}

const parseDates = (operator: Operator, name: string, clock: Clock): ParsedPart => {
  const one = singleValue(operator)
  if (!('value' in one)) return one
  const { text, span: valueSpan } = one.value
  const notADate = faulty(valueSpan, { code: 'not_a_date', value: text })
  const part = (since: DateBound | null, until: DateBound | null): ParsedPart => ({
    part: { kind: 'dates', span: operator.span, since, until },
  })
  if (name === 'newer_than' || name === 'older_than') {
    const ago = parseAgo(text)
    if (ago === null) return notADate
    return name === 'newer_than' ? part(ago, null) : part(null, ago)
  }
  const date = parseTypedDate(text, clock)
  if (date === null) return notADate
  if (name === 'after') return part(date.from, null)
  if (name === 'before') return part(null, date.from)
  return date.to === null ? notADate : part(date.from, date.to)
}

const parseOperator = (operator: Operator, context: SearchContext): ParsedPart => {
  const { span, nameSpan, isExcluded, values } = operator
  const { list = 'threads' } = context
  const name = findOperator(operator.name)
  if (name === null) {
    return faulty(nameSpan, {
      code: 'unknown_operator',
      name: operator.name,
      nearest: findNearestName(
        operator.name,
        SEARCH_OPERATORS.filter((known) => supportsOperator(list, known)),
      ),
    })
  }
  if (list !== 'threads' && !supportsOperator(list, name)) {
    return faulty(span, { code: 'not_in_list', name: operator.name, list })
  }
  if (values.every(({ text }) => text === '')) return faulty(span, { code: 'missing_value', name: operator.name })
  const said = { ...operator, values: values.filter(({ text }) => text !== '') }
  if (name === 'is') {
    const one = said.values.length === 1 ? said.values[0] : undefined
    const typed = one === undefined ? '' : normalizeKeyword(one.text)
    if (typed === KEPT) return { part: { kind: 'dropped', span, wanted: !isExcluded } }
    const mark = THREAD_MARKS.find((known) => known === typed)
    if (mark !== undefined) return { part: { kind: 'mark', span, mark, wanted: !isExcluded } }
    const kind = KIND_VALUES.get(typed)
    if (kind !== undefined) return { part: { kind: 'message type', span, of: kind, wanted: !isExcluded } }
    const meanings = {
      meanings: READ_VALUES,
      allowed: ['read', 'unread', KEPT, ...THREAD_MARKS, ...RECEIVED_EMAIL_KINDS],
    }
    return parseFlag(said, meanings, (wanted) => ({ kind: 'read', span, wanted }))
  }
  if (name === 'has') {
    const meanings = new Map([...ATTACHMENT_VALUES].map((value) => [value, true]))
    return parseFlag(said, { meanings, allowed: ['attachment'] }, (wanted) => ({ kind: 'attachment', span, wanted }))
  }
  if (name === 'assigned') return parseAssigned(said, context)
  if (isExcluded) return faulty(span, { code: 'cannot_exclude', name: operator.name })
  if (isPeopleField(name)) return parsePeople(said, name)
  if (name === 'subject') return parseSubject(said)
  if (name === 'in') {
    // Snoozed looks like a folder but is only a local mark.
    const [first, second] = said.values
    const isSnoozed = second === undefined && first !== undefined && normalizeKeyword(first.text) === SNOOZED_FOLDER
    return isSnoozed ? { part: { kind: 'mark', span, mark: SNOOZED_FOLDER, wanted: true } } : parseFolders(said)
  }
  if (name === 'label') return parseLabels(said, context)
  return parseDates(said, name, context)
}

const parseToken = (typed: string, token: SearchToken, context: SearchContext): ParsedPart | null => {
  if (token.kind === 'space') return null
  if (token.kind === 'operator') return parseOperator(token, context)
  const { span, text, isPhrase, isExcluded } = token
  if (isGroupAt(typed, span.start)) return faulty(span, { code: 'word_group' })
  if (!isPhrase && UNSUPPORTED_WORDS.has(text)) return faulty(span, { code: 'unsupported_word', word: text })
  return { part: { kind: 'text', span, term: { text, isPhrase, isExcluded } } }
}

const termsIn = (part: SearchPart): readonly TextTerm[] => {
  if (part.kind === 'text') return [part.term]
  return part.kind === 'subject' ? part.terms : []
}

const remarksOf = (part: SearchPart): readonly WithSpan<SearchRemark>[] => {
  if (part.kind === 'people') {
    const starred = part.values.find((value) => value.includes('*'))
    return starred === undefined ? [] : [{ code: 'star', text: starred, span: part.span }]
  }
  const { span } = part
  return termsIn(part).flatMap(({ text, isPhrase }): readonly WithSpan<SearchRemark>[] => {
    if (tokenizeWords(text).length === 0) return [{ code: 'no_word', text, span }]
    return !isPhrase && text.endsWith('*') ? [{ code: 'star', text, span }] : []
  })
}

/** A term as it is typed, which is also how the platform's `query` expects it. */
export const formatTerm = ({ text, isPhrase, isExcluded }: TextTerm): string =>
  `${isExcluded ? '-' : ''}${isPhrase ? `"${text}"` : text}`

export const formatQueryText = (terms: readonly TextTerm[]): string => terms.map(formatTerm).join(' ')

const cover = (spans: readonly Span[]): Span => ({
  start: spans.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY),
  end: spans.reduce((most, { end }) => Math.max(most, end), 0),
})

/** A fault that covers the parts beyond a limit; empty if the limit isn't exceeded. */
const excessFaults = <Part extends { readonly span: Span }>(
  what: Extract<SearchFault, { code: 'too_many' }>['what'],
  most: number,
  parts: readonly Part[],
  count: (parts: readonly Part[]) => number,
): readonly WithSpan<SearchFault>[] => {
  const received = count(parts)
  if (received <= most) return []
  // Find the longest start within the limit. Binary search, because counting for every start would be quadratic.
  let [within, without] = [0, parts.length]
  while (without - within > 1) {
    const middle = Math.floor((within + without) / 2)
    if (count(parts.slice(0, middle)) > most) without = middle
    else within = middle
  }
  return [{ code: 'too_many', what, most, received, span: cover(parts.slice(within).map(({ span }) => span)) }]
}

/**
 * Drops terms that contain no word, unless there are no other terms: a query without words must find nothing, not
 * everything.
 */
const termsOf = (parts: readonly SearchPart[]): readonly TextTerm[] => {
  const terms = parts.flatMap(termsIn)
  const spoken = terms.filter(({ text }) => tokenizeWords(text).length > 0)
  return spoken.length > 0 ? spoken : terms
}

/**
 * Faults for exceeded limits, placed at the parts that exceed them. Counts only what is sent: no repeated people, no
 * dropped terms.
 */
export const findLimitFaults = (
  parts: readonly SearchPart[],
  limits: SearchLimits = SEARCH_LIMITS,
): readonly WithSpan<SearchFault>[] => {
  const sent = new Set(termsOf(parts))
  const texts = parts.filter((part) => termsIn(part).some((term) => sent.has(term)))
  const typed = (some: readonly SearchPart[]): string =>
    formatQueryText(some.flatMap(termsIn).filter((term) => sent.has(term)))
  const values = (field: PeopleField) =>
    parts.flatMap((part) => (part.kind === 'people' && part.field === field ? [part] : []))
  const labels = parts.flatMap((part) => (part.kind === 'labels' ? [part] : []))
  return [
    ...excessFaults('characters', limits.characters, texts, (some) => countCharacters(typed(some))),
    ...excessFaults('words', limits.words, texts, (some) => countTypedWords(typed(some))),
    ...PEOPLE_FIELDS.flatMap((field) =>
      excessFaults(field, limits.people, values(field), (some) => new Set(some.flatMap((part) => part.values)).size),
    ),
    ...excessFaults('labels', limits.labels, labels, (some) => new Set(some.flatMap(({ ids }) => ids)).size),
  ]
}

/** Faults for parts that contradict an earlier one, or that repeat a condition that can occur only once. */
const contradictions = (parts: readonly SearchPart[]): readonly WithSpan<SearchFault>[] => {
  const said = new Map<string, string>()
  const again = (name: string, value: string | null, span: Span): readonly WithSpan<SearchFault>[] => {
    if (value === null) return []
    const before = said.get(name)
    said.set(name, before ?? value)
    return before === undefined || before === value ? [] : [{ code: 'contradiction', name, span }]
  }
  const written = (bound: DateBound | null): string | null => (bound === null ? null : JSON.stringify(bound))
  let kinds: readonly EmailKind[] = EMAIL_KINDS
  return parts.flatMap((part) => {
    if (part.kind === 'message type') {
      kinds = narrowKinds(kinds, part)
      return kinds.length === 0 ? [{ code: 'contradiction', name: 'is', span: part.span }] : []
    }
    if (part.kind === 'attachment') return again('has', String(part.wanted), part.span)
    if (part.kind === 'read') return again('is', String(part.wanted), part.span)
    if (part.kind === 'dropped') return again('is:kept', String(part.wanted), part.span)
    if (part.kind === 'mark') return again(`is:${part.mark}`, String(part.wanted), part.span)
    if (part.kind !== 'dates') return []
    return [...again('after', written(part.since), part.span), ...again('before', written(part.until), part.span)]
  })
}

const reversedDateFaults = (
  parts: readonly SearchPart[],
  filter: ThreadFilter,
  clock: Clock,
): readonly WithSpan<SearchFault>[] => {
  const { since, until } = filter
  if (since === null || until === null || resolveDateBound(since, clock) < resolveDateBound(until, clock)) return []
  return [{ code: 'dates_reversed', span: cover(parts.flatMap((part) => (part.kind === 'dates' ? [part.span] : []))) }]
}

const unique = <Value>(values: readonly Value[]): readonly Value[] => [...new Set(values)]

const firstOf = <Value>(values: readonly (Value | null)[]): Value | null =>
  values.find((value) => value !== null) ?? null

const filterOf = (parts: readonly SearchPart[]): ThreadFilter => {
  const folders = parts.flatMap((part) => (part.kind === 'folders' ? part.folders : []))
  const people = (field: PeopleField): readonly string[] =>
    unique(parts.flatMap((part) => (part.kind === 'people' && part.field === field ? part.values : [])))
  return {
    ...NO_FILTER,
    text: termsOf(parts),
    from: people('from'),
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    folders: folders.length === 0 ? null : FOLDERS.filter((folder) => folders.includes(folder)),
    labelIds: unique(parts.flatMap((part) => (part.kind === 'labels' ? part.ids : []))),
    ...toAssigneeFilter(parts.filter((part) => part.kind === 'assigned')),
    hasAttachment: firstOf(parts.map((part) => (part.kind === 'attachment' ? part.wanted : null))),
    kinds: toKindFilter(parts.filter((part) => part.kind === 'message type')),
    read: firstOf(parts.map((part) => (part.kind === 'read' ? part.wanted : null))),
    dropped: firstOf(parts.map((part) => (part.kind === 'dropped' ? part.wanted : null))),
    ...toMarkFilter(parts.filter((part) => part.kind === 'mark')),
    since: firstOf(parts.map((part) => (part.kind === 'dates' ? part.since : null))),
    until: firstOf(parts.map((part) => (part.kind === 'dates' ? part.until : null))),
  }
}

export const parseSearch = (text: string, context: SearchContext): ParsedSearch => {
  const readings = lexSearch(text).flatMap((token) => parseToken(text, token, context) ?? [])
  const parts = readings.flatMap((reading) => ('part' in reading ? [reading.part] : []))
  const filter = filterOf(parts)
  const faults = [
    ...readings.flatMap((reading) => ('faults' in reading ? reading.faults : [])),
    ...contradictions(parts),
    ...reversedDateFaults(parts, filter, context),
    ...findLimitFaults(parts),
  ]
  return {
    text,
    parts,
    filter,
    faults: faults.toSorted((a, b) => a.span.start - b.span.start),
    remarks: parts.flatMap(remarksOf),
  }
}
