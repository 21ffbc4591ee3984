/** The first step of the language of search: the parts of a typed text, each with its place. */
import { operatorOf } from './operators.ts'

/** A part of the typed text, in UTF-16 units, as `slice` takes them. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One value of an operator, as typed. */
export interface LexedValue {
  readonly span: Span
  /** Without its quotes, and without spaces around it. */
  readonly text: string
  readonly isQuoted: boolean
}

export type SearchToken =
  | { readonly kind: 'space'; readonly span: Span }
  | {
      readonly kind: 'term'
      readonly span: Span
      /** Without quotes and minus. */
      readonly text: string
      readonly isPhrase: boolean
      readonly isExcluded: boolean
    }
  | {
      readonly kind: 'operator'
      readonly span: Span
      /** Lower case, without the colon. */
      readonly name: string
      readonly nameSpan: Span
      readonly isExcluded: boolean
      readonly values: readonly LexedValue[]
    }

/**
 * Marks of direction, and spaces without a width: what is pasted, and what keyboards of scripts that run from right to left
 * write, has them where nobody sees them. Before a term, and around a name or a value, they say nothing.
 */
const UNSEEN = '\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069'
const SPACE = new RegExp(`[\\s${UNSEEN}]+`, 'uy')
const IS_SPACE = new RegExp(`[\\s${UNSEEN}]`, 'u')
/** A word before a colon; `https://` and times such as `12:30` are ordinary words. */
const OPERATOR = new RegExp(`([${UNSEEN}]*)(\\p{L}[\\p{L}\\p{M}\\p{N}_-]*)[${UNSEEN}]*([:：])(?!//)`, 'uy')
const PHRASE = /"([^"]*)"?/uy
const WORD = /[^\s"]+/uy
const BARE_VALUE = /[^\s",]+/uy
const LISTED_VALUE = /[^",)]+/uy
/** What other programs write between values any of which may match; here it is a comma. */
const LISTED_OR = /(?<!\S)(?:OR|\|{1,2})(?!\S)/gu

// `cc://…` would be read as an address of the web, and `OR` as what stands between two values.
const WHOLE_BARE_VALUE = /^(?!\/\/|(?:OR|\|{1,2})$)[^\s",()]+$/u

/** Whether a value is read as one without quotes around it. */
export const isBareValue = (value: string): boolean => WHOLE_BARE_VALUE.test(value)

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  // The pattern is this module's own and used by nobody in between.
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** A part of a text without the spaces around it, and without what nobody sees there. */
const trimmedSpan = (text: string, { start, end }: Span): Span => {
  const isSpace = (at: number): boolean => IS_SPACE.test(text.charAt(at))
  let [first, last] = [start, end]
  while (first < last && isSpace(first)) first += 1
  while (first < last && isSpace(last - 1)) last -= 1
  return { start: first, end: last }
}

/** A name without the spaces around it, and without what nobody sees there. */
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

/** The values of a part of a list that has neither quote nor comma. */
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

/** The values of `(a, "B C", d)` and `(a OR d)`; a missing last bracket counts as written. */
const listAt = (text: string, open: number): { readonly values: readonly LexedValue[]; readonly end: number } => {
  const values: LexedValue[] = []
  let at = open + 1
  while (at < text.length && text[at] !== ')') {
    const quoted = quotedAt(text, at)
    const bare = quoted === null ? matchAt(LISTED_VALUE, text, at) : null
    // What is no value here is a comma.
    const end = quoted?.span.end ?? at + (bare?.[0].length ?? 1)
    if (quoted !== null) values.push(quoted)
    else if (bare !== null) values.push(...listedValues(text, { start: at, end }))
    at = end
  }
  return { values, end: Math.min(at + 1, text.length) }
}

/** The values of `a`, `a,b` or `"A B",c`. */
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

/** `{a b}` and `-(a b)` of other programs. `(a b)` is no group: all words have to match anyhow. */
const GROUP = /-?\{(?=[^{}\s]*\s)(?:[^{}"]|"[^"]*")*\}|-\((?=[^()\s]*\s)(?:[^()"]|"[^"]*")*\)/uy
/** Text behind a bracket, and what could be the name of an operator in it. */
const BRACKETED = /-?[({][({-]*(?:[^(){}"]|"[^"]*")*/uy
const NAMES = /"[^"]*"|(?<=[\s({-])(\p{L}[\p{L}\p{M}\p{N}_-]*)[:：](?!\/\/)/gu

/** True for a group, and for brackets around an operator: they would be read as letters of a word or a value. */
export const isGroupAt = (text: string, start: number): boolean => {
  const names = matchAt(BRACKETED, text, start)?.[0].matchAll(NAMES) ?? []
  return matchAt(GROUP, text, start) !== null || [...names].some(([, name = '']) => operatorOf(name) !== null)
}

const tokenAt = (text: string, start: number): SearchToken => {
  const space = matchAt(SPACE, text, start)
  if (space !== null) return { kind: 'space', span: { start, end: start + space[0].length } }
  // A minus with nothing behind it excludes nothing: it is a word.
  const isExcluded = text[start] === '-' && start + 1 < text.length && !/\s/u.test(text[start + 1] ?? '')
  const at = isExcluded ? start + 1 : start
  const operator = matchAt(OPERATOR, text, at)
  const [, unseen = '', name = '', colon] = operator ?? []
  // Writing that has the wide colon has it in its sentences as well, where no operator is meant.
  if (operator !== null && (colon === ':' || operatorOf(name) !== null)) {
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
 * Parts a typed search. Total: any text gives tokens that follow each other without a gap and make up the whole text.
 * Quotes and words part as the platform parts them (a missing last quote counts as written).
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
