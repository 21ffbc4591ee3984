import { tokenize, tokenTypes as type } from 'css-tree/tokenizer'
import { decodeCssName } from '../../../shared/css/css-name.ts'

/** Tokens of a style sheet, in two flat arrays: objects would cost more than the processing. */
export interface CssTokens {
  readonly css: string
  readonly types: readonly number[]
  /** Start of each token; its end is the next one's start. */
  readonly starts: readonly number[]
}

export const tokenizeCss = (css: string): CssTokens => {
  const types: number[] = []
  const starts: number[] = []
  tokenize(css, (kind, start) => {
    types.push(kind)
    starts.push(start)
  })
  return { css, types, starts }
}

export const isBraceOrSemicolon = (kind: number): boolean =>
  kind === type.Semicolon || kind === type.LeftCurlyBracket || kind === type.RightCurlyBracket

export const isHtmlCommentToken = (kind: number): boolean => kind === type.CDO || kind === type.CDC

export const isBlankToken = (kind: number | undefined): boolean => kind === type.WhiteSpace || kind === type.Comment

/** Closing bracket for each opening one. Others count as plain tokens (CSS Syntax 3, 5.4.8). */
export const CLOSING_BRACKETS: ReadonlyMap<number | undefined, number> = new Map([
  [type.Function, type.RightParenthesis],
  [type.LeftParenthesis, type.RightParenthesis],
  [type.LeftSquareBracket, type.RightSquareBracket],
  [type.LeftCurlyBracket, type.RightCurlyBracket],
])

/** @returns the index of the token closing the bracket at `from`, or of the last token */
export const findClosingBracket = ({ types }: CssTokens, from: number): number => {
  const awaited: number[] = []
  for (let index = from; index < types.length; index += 1) {
    const closing = CLOSING_BRACKETS.get(types[index])
    if (closing !== undefined) awaited.push(closing)
    else if (types[index] === awaited.at(-1)) awaited.pop()
    if (awaited.length === 0) return index
  }
  return types.length - 1
}

export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** @param edits sorted by position, without overlaps */
export const applyEdits = (source: string, edits: readonly TextEdit[]): string => {
  const parts: string[] = []
  let settled = 0
  for (const { from, to, text } of edits) {
    parts.push(source.slice(settled, from), text)
    settled = to
  }
  parts.push(source.slice(settled))
  return parts.join('')
}

export interface Declaration {
  readonly name: string
  /** Token indexes of the property, the first token of its value, and the token after its end. */
  readonly property: number
  readonly first: number
  readonly end: number
}

export const startOf = ({ css, starts }: CssTokens, index: number): number => starts[index] ?? css.length

export const sourceOf = (tokens: CssTokens, first: number, last = first): string =>
  tokens.css.slice(startOf(tokens, first), startOf(tokens, last + 1))

export const replaceTokens = (tokens: CssTokens, first: number, last: number, text: string): TextEdit => ({
  from: startOf(tokens, first),
  to: startOf(tokens, last + 1),
  text,
})

/** @returns the index of the next token that is neither white space nor a comment */
export const nextOf = ({ types }: CssTokens, from: number): number => {
  let next = from
  while (isBlankToken(types[next])) next += 1
  return next
}

const isSkippable = ({ types }: CssTokens, index: number): boolean =>
  isBlankToken(types[index]) || isHtmlCommentToken(types[index] ?? 0)

const declarationIn = (tokens: CssTokens, from: number, end: number): Declaration | null => {
  let property = from
  while (property < end && isSkippable(tokens, property)) property += 1
  if (tokens.types[property] !== type.Ident) return null
  const colon = nextOf(tokens, property + 1)
  if (colon >= end || tokens.types[colon] !== type.Colon) return null
  return { name: decodeCssName(sourceOf(tokens, property)), property, first: colon + 1, end }
}

/** The declarations between two braces, or of an element. */
export interface CssDeclarations {
  readonly declarations: readonly Declaration[]
  /** Token indexes of the part of a rule above its block, which follows. */
  readonly prelude: { readonly from: number; readonly end: number } | null
}

/** The declarations of a style sheet, or of an element, in order. */
export function* declarationsIn(tokens: CssTokens): Generator<CssDeclarations> {
  const { types } = tokens
  const awaited: number[] = []
  let declarations: Declaration[] = []
  let from = 0
  for (let index = 0; index <= types.length; index += 1) {
    const kind = types[index] ?? type.RightCurlyBracket
    if (index < types.length && !(isBraceOrSemicolon(kind) && awaited.length === 0)) {
      const closing = CLOSING_BRACKETS.get(kind)
      if (closing !== undefined) awaited.push(closing)
      else if (kind === awaited.at(-1)) awaited.pop()
      continue
    }
    const prelude = kind === type.LeftCurlyBracket ? { from, end: index } : null
    const declaration = prelude === null ? declarationIn(tokens, from, index) : null
    if (declaration !== null) declarations.push(declaration)
    from = index + 1
    if (kind === type.Semicolon) continue
    yield { declarations, prelude }
    declarations = []
  }
}

/** Decoded names, numbers and functions of a value, with their token indexes. */
export const wordsIn = (
  tokens: CssTokens,
  { first, end }: Declaration,
): readonly (readonly [index: number, text: string])[] =>
  Array.from({ length: end - first }, (_, place) => [first + place, decodeCssName(sourceOf(tokens, first + place))])
