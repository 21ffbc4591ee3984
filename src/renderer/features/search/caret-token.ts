import { lexSearch, type SearchToken, type Span } from '../../../shared/search/lex-search.ts'
import { findOperator } from '../../../shared/search/operators.ts'

/** Token at the caret, and the text that a suggestion replaces. */
export type CaretToken =
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
