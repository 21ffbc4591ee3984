/** The first step of the language of search: the parts of a typed text, each with its place. */

/** A part of the typed text, in UTF-16 units, as `slice` takes them. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** One value of an operator, as typed. */
export interface LexedValue {
  readonly span: Span
  /** Without its quotes. */
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

const SPACE = /\s+/uy
/** A word before a colon; `https://` and times such as `12:30` are ordinary words. */
const OPERATOR = /(\p{L}[\p{L}\p{M}\p{N}_-]*):(?!\/\/)/uy
const PHRASE = /"([^"]*)"?/uy
const WORD = /[^\s"]+/uy
const BARE_VALUE = /[^\s",]+/uy
const LISTED_VALUE = /[^",)]+/uy

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  // The pattern is this module's own and used by nobody in between.
  pattern.lastIndex = at
  return pattern.exec(text)
}

const trimmedSpan = (text: string, start: number): Span => {
  const leading = text.length - text.trimStart().length
  return { start: start + leading, end: start + leading + text.trim().length }
}

/** Reads one value at a place: quoted, or bare by the pattern given. */
const valueAt = (
  text: string,
  at: number,
  bare: RegExp,
): { readonly value: LexedValue; readonly end: number } | null => {
  const phrase = matchAt(PHRASE, text, at)
  if (phrase !== null) {
    const end = at + phrase[0].length
    return { value: { span: { start: at, end }, text: phrase[1] ?? '', isQuoted: true }, end }
  }
  const match = matchAt(bare, text, at)
  if (match === null) return null
  const [found] = match
  return {
    value: { span: trimmedSpan(found, at), text: found.trim(), isQuoted: false },
    end: at + found.length,
  }
}

/** The values of `(a, "B C", d)`; a missing last bracket counts as written. */
const listAt = (text: string, open: number): { readonly values: readonly LexedValue[]; readonly end: number } => {
  const values: LexedValue[] = []
  let at = open + 1
  while (at < text.length && text[at] !== ')') {
    const read = valueAt(text, at, LISTED_VALUE)
    if (read !== null && (read.value.isQuoted || read.value.text !== '')) values.push(read.value)
    // What is no value here is a comma.
    at = read?.end ?? at + 1
  }
  return { values, end: Math.min(at + 1, text.length) }
}

/** The values of `a`, `a,b` or `"A B",c`. */
const valuesAt = (text: string, start: number): { readonly values: readonly LexedValue[]; readonly end: number } => {
  if (text[start] === '(') return listAt(text, start)
  const values: LexedValue[] = []
  let at = start
  for (;;) {
    const read = valueAt(text, at, BARE_VALUE)
    if (read !== null) values.push(read.value)
    at = read?.end ?? at
    if (text[at] !== ',') return { values, end: at }
    at += 1
  }
}

const tokenAt = (text: string, start: number): SearchToken => {
  const space = matchAt(SPACE, text, start)
  if (space !== null) return { kind: 'space', span: { start, end: start + space[0].length } }
  // A minus with nothing behind it excludes nothing: it is a word.
  const isExcluded = text[start] === '-' && start + 1 < text.length && !/\s/u.test(text[start + 1] ?? '')
  const at = isExcluded ? start + 1 : start
  const operator = matchAt(OPERATOR, text, at)
  if (operator !== null) {
    const name = operator[1] ?? ''
    const { values, end } = valuesAt(text, at + operator[0].length)
    return {
      kind: 'operator',
      span: { start, end },
      name: name.toLowerCase(),
      nameSpan: { start: at, end: at + name.length },
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
