/** Formats a query as text that `parseSearch` parses to the same query. */
import { FOLDERS } from '../model.ts'
import { RECEIVED_EMAIL_KINDS, PEOPLE_FIELDS, type ThreadFilter } from '../thread-query.ts'
import { formatAssigned } from './assigned-operator.ts'
import { formatBound, getNextDay } from './date-bounds.ts'
import { isBareValue } from './lex-search.ts'
import { normalizeKeyword } from './operators.ts'
import { findLabel, formatTerm, type SearchContext } from './parse-search.ts'

/** Quotes a value unless it can be typed without quotes. */
export const quoteValue = (value: string): string => (isBareValue(value) ? value : `"${value}"`)

const operator = (name: string, values: readonly string[]): readonly string[] => {
  // Quote “me”, because the parser rejects the bare word.
  const typed = values.map((value) => (normalizeKeyword(value) === 'me' ? `"${value}"` : quoteValue(value)))
  if (typed.length === 0) return []
  return [`${name}:${typed.length === 1 ? typed.join('') : `(${typed.join(', ')})`}`]
}

const dates = ({ since, until }: Pick<ThreadFilter, 'since' | 'until'>): readonly string[] => {
  const next = since === null ? null : getNextDay(since)
  if (since !== null && next !== null && JSON.stringify(next) === JSON.stringify(until))
    return [`on:${formatBound(since)}`]
  return [
    ...(since === null ? [] : [`${since.kind === 'ago' ? 'newer_than' : 'after'}:${formatBound(since)}`]),
    ...(until === null ? [] : [`${until.kind === 'ago' ? 'older_than' : 'before'}:${formatBound(until)}`]),
  ]
}

const formatFolders = ({ folders }: Pick<ThreadFilter, 'folders'>): readonly string[] => {
  if (folders === null) return []
  return FOLDERS.every((folder) => folders.includes(folder)) ? ['in:anywhere'] : operator('in', folders)
}

/** Names the kind if there is only one; otherwise excludes the other kinds. */
const formatKinds = ({ kinds }: Pick<ThreadFilter, 'kinds'>): readonly string[] => {
  if (kinds === null) return []
  const [first, second] = kinds
  if (first !== undefined && first !== 'sent' && second === undefined) return [`is:${first}`]
  return RECEIVED_EMAIL_KINDS.filter((kind) => !kinds.includes(kind)).map((kind) => `-is:${kind}`)
}

/** A label's name if that is unambiguous and can be typed, otherwise its ID. */
export const formatLabelName = (id: string, labels: SearchContext['labels']): string => {
  const name = labels.find((label) => label.id === id)?.name
  return name === undefined || name.includes('"') || findLabel(name, labels)?.id !== id ? id : name
}

/**
 * A search as the user would type it: operators first, then words. Values never contain a quote, because none can be
 * typed.
 */
export const formatSearch = (filter: ThreadFilter, labels: SearchContext['labels']): string =>
  [
    ...formatFolders(filter),
    ...operator(
      'label',
      filter.labelIds.map((id) => formatLabelName(id, labels)),
    ),
    ...formatAssigned(filter, labels),
    ...(filter.read === null ? [] : [filter.read ? 'is:read' : 'is:unread']),
    ...(filter.dropped === null ? [] : [filter.dropped ? 'is:kept' : '-is:kept']),
    ...(filter.marks ?? []).map((mark) => `is:${mark}`),
    ...(filter.withoutMarks ?? []).map((mark) => `-is:${mark}`),
    ...formatKinds(filter),
    ...PEOPLE_FIELDS.flatMap((field) => operator(field, filter[field])),
    ...(filter.hasAttachment === null ? [] : [filter.hasAttachment ? 'has:attachment' : '-has:attachment']),
    ...dates(filter),
    ...filter.text.map((term) => (term.isInSubject === true ? `subject:${formatTerm(term)}` : formatTerm(term))),
  ].join(' ')
