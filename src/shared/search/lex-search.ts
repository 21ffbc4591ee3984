import { findOperator } from './operators.ts'

/** UTF-16 offsets, as used by `slice`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface LexedValue {
  readonly span: Span
  /** The value without quotes and surrounding spaces. */
  readonly text: string
  readonly isQuoted: boolean
}

export type SearchToken =
  | { readonly kind: 'space'; readonly span: Span }
  | {
      readonly kind: 'term'
      readonly span: Span
      /** The term without quotes and minus. */
      readonly text: string
      readonly isPhrase: boolean
      readonly isExcluded: boolean
    }
  | {
      readonly kind: 'operator'
      readonly span: Span
      /** The name in lower case, without the colon. */
      readonly name: string
      readonly nameSpan: Span
      readonly isExcluded: boolean
      readonly values: readonly LexedValue[]
    }

/** Direction marks and zero-width spaces, which are invisible in pasted or right-to-left text; ignored around terms. */
const UNSEEN = '\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069'
const SPACE = new RegExp(`[\\s${UNSEEN}]+`, 'uy')
const IS_SPACE = new RegExp(`[\\s${UNSEEN}]`, 'u')
/** Matches a word before a colon, except for `https://` and times such as `12:30`. */
const OPERATOR = new RegExp(`([${UNSEEN}]*)(\\p{L}[\\p{L}\\p{M}\\p{N}_-]*)[${UNSEEN}]*([:：])(?!//)`, 'uy')
const PHRASE = /"([^"]*)"?/uy
const WORD = /[^\s"]+/uy
const BARE_VALUE = /[^\s",]+/uy
const LISTED_VALUE = /[^",)]+/uy
/** Separators of alternatives in other programs. Here the separator is a comma, but these are understood too. */
const LISTED_OR = /(?<!\S)(?:OR|\|{1,2})(?!\S)/gu

// Excludes `//…`, because `cc://…` would be read as a web address, and `OR`, which would be read as a separator.
const WHOLE_BARE_VALUE = /^(?!\/\/|(?:OR|\|{1,2})$)[^\s",()]+$/u

/** True if a value needs no quotes. */
export const isBareValue = (value: string): boolean => WHOLE_BARE_VALUE.test(value)

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  // Setting `lastIndex` is safe, because nothing else uses the pattern in between.
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Shrinks a span to exclude spaces and invisible characters at its ends. */
const trimmedSpan = (text: string, { start, end }: Span): Span => {
  const isSpace = (at: number): boolean => IS_SPACE.test(text.charAt(at))
  let [first, last] = [start, end]
  while (first < last && isSpace(first)) first += 1
  while (first < last && isSpace(last - 1)) last -= 1
  return { start: first, end: last }
}

export const trimName = (name: string): string => {
  const { start, end } = trimmedSpan(name, { start: 0, end: name.length })
  return name.slice(start, end)
}

const quotedAt = (text: string, at: number): LexedValue | null => {
  const phrase = matchAt(PHRASE, text, at)
  if (phrase === null) return null
  return { span: { start: at, end: at + phrase[0].length }, text: trimName(phrase[1] ?? ''), isQuoted: true }
}

const bareValue = (text: string, around: Span): LexedValue => {
  const span = trimmedSpan(text, around)
  return { span, text: text.slice(span.start, span.end), isQuoted: false }
}

const listedValues = (text: string, { start, end }: Span): readonly LexedValue[] => {
  const signs = [...text.slice(start, end).matchAll(LISTED_OR)].map(({ 0: sign, index }) => ({
    start: start + index,
    end: start + index + sign.length,
  }))
  const bounds = [{ start, end: start }, ...signs, { start: end, end }]
  return bounds
    .slice(1)
    .map((bound, index) => bareValue(text, { start: bounds[index]?.end ?? start, end: bound.start }))
    .filter((value) => value.text !== '')
}

/** Parses the values of `(a, "B C", d)` and `(a OR d)`; the closing bracket may be missing. */
const listAt = (text: string, open: number): { readonly values: readonly LexedValue[]; readonly end: number } => {
  const values: LexedValue[] = []
  let at = open + 1
  while (at < text.length && text[at] !== ')') {
    const quoted = quotedAt(text, at)
    const bare = quoted === null ? matchAt(LISTED_VALUE, text, at) : null
    // If neither matched, this character is a comma.
    const end = quoted?.span.end ?? at + (bare?.[0].length ?? 1)
    if (quoted !== null) values.push(quoted)
    else if (bare !== null) values.push(...listedValues(text, { start: at, end }))
    at = end
  }
  return { values, end: Math.min(at + 1, text.length) }
}

/** Parses the values of `a`, `a,b` or `"A B",c`. */
const valuesAt = (text: string, start: number): { readonly values: readonly LexedValue[]; readonly end: number } => {
  if (text[start] === '(') return listAt(text, start)
  const values: LexedValue[] = []
  let at = start
  for (;;) {
    const quoted = quotedAt(text, at)
    const bare = quoted === null ? matchAt(BARE_VALUE, text, at) : null
    const end = quoted?.span.end ?? at + (bare?.[0].length ?? 0)
    if (quoted !== null) values.push(quoted)
    else if (bare !== null) values.push(bareValue(text, { start: at, end }))
    if (text[end] !== ',') return { values, end }
    at = end + 1
  }
}

/**
 * Groups of other programs, `{a b}` and `-(a b)`. `(a b)` is not treated as a group, because all words must match
 * anyway.
 */
const GROUP = /-?\{(?=[^{}\s]*\s)(?:[^{}"]|"[^"]*")*\}|-\((?=[^()\s]*\s)(?:[^()"]|"[^"]*")*\)/uy
/** Text after an opening bracket, and possible operator names in it. */
const BRACKETED = /-?[({][({-]*(?:[^(){}"]|"[^"]*")*/uy
const NAMES = /"[^"]*"|(?<=[\s({-])(\p{L}[\p{L}\p{M}\p{N}_-]*)[:：](?!\/\/)/gu

/** True for a group, or for brackets around an operator, which would otherwise be read as part of a word or value. */
export const isGroupAt = (text: string, start: number): boolean => {
  const names = matchAt(BRACKETED, text, start)?.[0].matchAll(NAMES) ?? []
  return matchAt(GROUP, text, start) !== null || [...names].some(([, name = '']) => findOperator(name) !== null)
}

const tokenAt = (text: string, start: number): SearchToken => {
  const space = matchAt(SPACE, text, start)
  if (space !== null) return { kind: 'space', span: { start, end: start + space[0].length } }
  // A minus on its own excludes nothing; it is a word.
  const isExcluded = text[start] === '-' && start + 1 < text.length && !/\s/u.test(text[start + 1] ?? '')
  const at = isExcluded ? start + 1 : start
  const operator = matchAt(OPERATOR, text, at)
  const [, unseen = '', name = '', colon] = operator ?? []
  // In scripts that use the wide colon, it also occurs in ordinary sentences. There it marks an operator only after a
  // known operator name.
  if (operator !== null && (colon === ':' || findOperator(name) !== null)) {
    const { values, end } = valuesAt(text, at + operator[0].length)
    return {
      kind: 'operator',
      span: { start, end },
      name: name.toLowerCase(),
      nameSpan: { start: at + unseen.length, end: at + unseen.length + name.length },
      isExcluded,
      values,
    }
  }
  const phrase = matchAt(PHRASE, text, at)
  if (phrase !== null) {
    const span = { start, end: at + phrase[0].length }
    return { kind: 'term', span, text: phrase[1] ?? '', isPhrase: true, isExcluded }
  }
  const word = matchAt(WORD, text, at)?.[0] ?? text.slice(at, at + 1)
  return { kind: 'term', span: { start, end: at + word.length }, text: word, isPhrase: false, isExcluded }
}

/**
 * Accepts any text: the tokens cover it without gaps. Splits text like the platform does; a closing quote may be
 * missing.
 */
export const lexSearch = (text: string): readonly SearchToken[] => {
  const tokens: SearchToken[] = []
  for (let at = 0; at < text.length;) {
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.span.end
  }
  return tokens
}
