/** Edits of a search text. Each returns the next text and keeps the meaning of the rest. */
import type { SearchableList } from '../../../shared/email-query.ts'
import { FOLDERS, type Folder, type Label } from '../../../shared/model.ts'
import { quoteAssignee } from '../../../shared/search/assigned-operator.ts'
import { formatSearch, quoteValue } from '../../../shared/search/format-search.ts'
import { lexSearch, type LexedValue, type Span } from '../../../shared/search/lex-search.ts'
import { isOperatorPrefix, findOperator } from '../../../shared/search/operators.ts'
import type { ParsedSearch, WithSpan, SearchFault } from '../../../shared/search/parse-search.ts'
import { ALL_MAIL_FOLDERS, NO_FILTER, resolveQueryFolders } from '../../../shared/thread-query.ts'
import { folderName } from '../mailboxes/mailbox-names.ts'

/** Caret in UTF-16 units. */
export interface EditedText {
  readonly text: string
  readonly caret: number
}

const replaceSpan = (text: string, { start, end }: Span, insert: string): EditedText => ({
  text: text.slice(0, start) + insert + text.slice(end),
  caret: start + insert.length,
})

/** Removes a part and the extra space next to it. */
export const removeSpan = (text: string, { start, end }: Span): EditedText => {
  const [before, after] = [text.slice(0, start).trimEnd(), text.slice(end).trimStart()]
  const gap = before !== '' && after !== '' ? ' ' : ''
  return { text: before + gap + after, caret: before.length + gap.length }
}

export interface SearchChip {
  readonly span: Span
  /** `from`, as typed. */
  readonly name: string
  /** The values, such as `ann, bob`. */
  readonly value: string
  /** Colour if it names a single label, otherwise null. */
  readonly color: string | null
}

/** Chips for all known operators except the scope, which has its own (`resolveQueryFolders`). */
export const toSearchChips = ({ text, parts }: ParsedSearch, labels: readonly Label[]): readonly SearchChip[] =>
  parts.flatMap((part) => {
    if (part.kind === 'text' || part.kind === 'folders') return []
    const [token] = lexSearch(text.slice(part.span.start, part.span.end))
    if (token?.kind !== 'operator') return []
    const named = part.kind === 'labels' ? labels.filter(({ id }) => part.ids.includes(id)) : []
    const values =
      part.kind === 'labels' ? named.map(({ name }) => name) : token.values.map((value) => value.text.trim())
    return [
      {
        span: part.span,
        name: `${token.isExcluded ? '-' : ''}${token.name}`,
        value: values.filter((value) => value !== '').join(', '),
        color: named.length === 1 ? (named[0]?.color ?? null) : null,
      },
    ]
  })

const isSame = (one: readonly Folder[], other: readonly Folder[]): boolean =>
  FOLDERS.every((folder) => one.includes(folder) === other.includes(folder))

/** Scopes offered in the menu. */
export const SEARCH_SCOPES: readonly (readonly Folder[])[] = [
  ALL_MAIL_FOLDERS,
  ['inbox'],
  ['archive'],
  ['sent'],
  ['spam'],
  ['trash'],
  FOLDERS,
]

export const isAllMail = (folders: readonly Folder[]): boolean => isSame(folders, ALL_MAIL_FOLDERS)
export const isAnywhere = (folders: readonly Folder[]): boolean => isSame(folders, FOLDERS)
export const isNarrow = (folders: readonly Folder[]): boolean =>
  ALL_MAIL_FOLDERS.some((folder) => !folders.includes(folder))

/** `All mail`, `Archive and Sent`, `Everywhere`. */
export const formatScopeTitle = (folders: readonly Folder[]): string => {
  if (isAllMail(folders)) return 'All mail'
  return isAnywhere(folders) ? 'Everywhere' : new Intl.ListFormat('en-GB').format(folders.map(folderName))
}

/** Sets the folders in a search text. Null removes them. */
export const withSearchFolders = (text: string, folders: readonly Folder[] | null): string => {
  const typed = lexSearch(text).filter((token) => token.kind === 'operator' && findOperator(token.name) === 'in')
  const rest = typed.reduceRight((left, { span }) => removeSpan(left, span).text, text)
  const scope = folders === null ? '' : formatSearch({ ...NO_FILTER, folders }, [])
  // Put the scope first, since the rest may end in an unclosed quote.
  return [scope, rest].filter((each) => each !== '').join(' ')
}

/** Widens a search to all mail, then to spam and trash. */
export const widenSearchText = (text: string, folders: readonly Folder[]): string =>
  withSearchFolders(text, isNarrow(folders) ? null : FOLDERS)

/** Sets the folders, and omits those that are searched by default. */
export const withScope = ({ text, filter }: ParsedSearch, folders: readonly Folder[]): EditedText => {
  const isUsual = isSame(folders, resolveQueryFolders({ ...filter, folders: null }))
  const next = withSearchFolders(text, isUsual ? null : folders)
  return { text: next, caret: next.length }
}

export interface SearchRepair {
  readonly label: string
  readonly edited: EditedText
}

const tokenAround = (text: string, { start, end }: Span) =>
  lexSearch(text).find(({ kind, span }) => kind !== 'space' && span.start <= start && end <= span.end)

/** True while the faulty part is being typed, so isn't reported yet. False for excess. @param caret in UTF-16 units */
export const isFaultBeingTyped = (text: string, { code, span }: WithSpan<SearchFault>, caret: number): boolean => {
  if (code === 'too_many') return false
  const whole = tokenAround(text, span)?.span ?? span
  return whole.start <= caret && caret <= whole.end
}

const isWithin = (inner: Span, outer: Span): boolean => outer.start <= inner.start && inner.end <= outer.end

/** Omits an incomplete operator at the caret: its start isn't meant as a word. @param caret in UTF-16 units */
export const withoutIncompleteTerm = ({ text, faults }: ParsedSearch, caret: number, list: SearchableList): string => {
  const token = lexSearch(text).find(({ kind, span }) => kind !== 'space' && span.start < caret && caret <= span.end)
  if (token === undefined || token.kind === 'space') return text
  const isHalfTyped =
    token.kind === 'term'
      ? !token.isPhrase && isOperatorPrefix(token.text, token.isExcluded, list)
      : faults.some((fault) => isWithin(fault.span, token.span) && isFaultBeingTyped(text, fault, caret))
  return isHalfTyped ? removeSpan(text, token.span).text : text
}

const quoteSpan = (text: string, span: Span): SearchRepair | null => {
  const words = text.slice(span.start, span.end)
  return words.includes('"') ? null : { label: `Search for “${words}”`, edited: replaceSpan(text, span, `"${words}"`) }
}

const takenOut = (text: string, span: Span): SearchRepair => ({
  label: 'Remove marked part',
  edited: removeSpan(text, span),
})

const formatOperator = (name: string, { text, isQuoted }: LexedValue): string =>
  `${name}:${isQuoted ? `"${text}"` : text.includes(' ') ? `(${text})` : quoteValue(text)}`

/** Repeats the operator for each of its values. */
const repeatOperator = (text: string, span: Span): SearchRepair | null => {
  const token = lexSearch(text).find(({ kind, span: whole }) => kind === 'operator' && whole.start === span.start)
  if (token?.kind !== 'operator') return null
  const each = token.values.filter((value) => value.text !== '').map((value) => formatOperator(token.name, value))
  return { label: 'Require all values', edited: replaceSpan(text, span, each.join(' ')) }
}

/** The repair for a fault, or null if only the user can know it. */
export const findSearchRepair = (text: string, fault: WithSpan<SearchFault>): SearchRepair | null => {
  const { span } = fault
  const whole = tokenAround(text, span)?.span ?? span
  switch (fault.code) {
    case 'unknown_operator':
      return fault.nearest === null
        ? quoteSpan(text, whole)
        : { label: `Use ${fault.nearest}:`, edited: replaceSpan(text, span, fault.nearest) }
    case 'unknown_person':
      return fault.nearest === null || fault.nearest.includes('"')
        ? takenOut(text, whole)
        : { label: `Use “${fault.nearest}”`, edited: replaceSpan(text, span, quoteAssignee(fault.nearest)) }
    case 'somebody_or_nobody':
      return takenOut(text, span)
    case 'unknown_label':
      return fault.nearest === null || fault.nearest.includes('"')
        ? takenOut(text, whole)
        : { label: `Use “${fault.nearest}”`, edited: replaceSpan(text, span, quoteValue(fault.nearest)) }
    case 'unsupported_word':
      return quoteSpan(text, span)
    case 'cannot_exclude':
      return {
        label: 'Search without the minus',
        edited: replaceSpan(text, { start: whole.start, end: whole.start + 1 }, ''),
      }
    case 'one_value':
      return repeatOperator(text, span)
    case 'not_in_list':
    case 'missing_value':
    case 'contradiction':
      return takenOut(text, whole)
    case 'too_many':
      return takenOut(text, span)
    case 'who_is_me':
    case 'word_group':
    case 'unknown_me':
    case 'unknown_value':
    case 'comma_in_value':
    case 'not_a_date':
    case 'dates_reversed':
      return null
  }
}
