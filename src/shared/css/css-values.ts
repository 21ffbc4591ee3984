import parse, { type CssNode } from 'css-tree/parser'
import { decodeCssName } from './css-name.ts'

/** A token of a property's value. Names are lower-case, without escapes or `-webkit-`. */
export type CssToken =
  | { readonly kind: 'word' | 'hash' | 'sign' | 'text'; readonly name: string }
  /** @param unit '' for a plain number, '%' for a percentage */
  | { readonly kind: 'number'; readonly value: number; readonly unit: string }
  | { readonly kind: 'function'; readonly name: string; readonly within: readonly CssToken[] }
  | { readonly kind: 'address' | 'unread' }

export type CssTokens = readonly CssToken[]

/** Normalises a property name: `-webkit-Mask` and `m\61sk` become `mask`. */
export const normalizePropertyName = (written: string): string => decodeCssName(written).replace(/^-webkit-/, '')

const pieceOf = (node: CssNode): CssToken => {
  const { type, name, value, unit } = node
  const words = typeof value === 'string' ? value : ''
  if (type === 'Number') return { kind: 'number', value: Number(words), unit: '' }
  if (type === 'Percentage') return { kind: 'number', value: Number(words), unit: '%' }
  if (type === 'Dimension') return { kind: 'number', value: Number(words), unit: decodeCssName(unit ?? '') }
  if (type === 'Identifier' && typeof name === 'string') return { kind: 'word', name: normalizePropertyName(name) }
  if (type === 'Hash') return { kind: 'hash', name: decodeCssName(words) }
  if (type === 'Operator') return { kind: 'sign', name: words.trim() }
  if (type === 'String') return { kind: 'text', name: words }
  if (type === 'Url') return { kind: 'address' }
  const within = piecesIn(node)
  if (type === 'Parentheses') return { kind: 'function', name: 'calc', within }
  if (type === 'Function' && typeof name === 'string')
    return { kind: 'function', name: normalizePropertyName(name), within }
  return { kind: 'unread' }
}

function piecesIn({ children }: CssNode): CssTokens {
  return (children?.toArray() ?? []).flatMap((node) =>
    node.type === 'WhiteSpace' || node.type === 'Comment'
      ? []
      : // The parser leaves the fallback of a variable as text.
        node.type === 'Raw'
        ? parseCssValue(typeof node.value === 'string' ? node.value : '')
        : [pieceOf(node)],
  )
}

/** Maximum characters of a value. Values that decide visibility are shorter. */
const MAX_LENGTH = 4_000

/** Cache of parsed values, because mail repeats the same few values. */
const parsedValues = new Map<string, CssTokens>()
const MAX_CACHED = 4_000
const MAX_CACHED_LENGTH = 200

const parseUncached = (written: string): CssTokens => {
  try {
    return piecesIn(parse(written, { context: 'value' }))
  } catch {
    return [{ kind: 'unread' }]
  }
}

/** @returns an empty list if the value is blank or too long, or one `unread` token if it can't be parsed */
export function parseCssValue(written: string): CssTokens {
  if (written.trim() === '' || written.length > MAX_LENGTH) return []
  const kept = parsedValues.get(written)
  if (kept !== undefined) return kept
  const pieces = parseUncached(written)
  if (written.length > MAX_CACHED_LENGTH) return pieces
  if (parsedValues.size >= MAX_CACHED) parsedValues.clear()
  parsedValues.set(written, pieces)
  return pieces
}

export const splitLayers = (pieces: CssTokens): readonly CssTokens[] => {
  const layers: CssToken[][] = [[]]
  for (const piece of pieces) {
    if (piece.kind === 'sign' && piece.name === ',') layers.push([])
    else layers.at(-1)?.push(piece)
  }
  return layers
}

/** Base for relative lengths, in pixels: the font size (`em`), and the length that 100% means (`whole`). */
export interface LengthBase {
  readonly em: number
  readonly whole: number
}

/** Size in pixels of each unit that does not depend on the font. Assumes a window 1,000 pixels wide and high. */
const PIXELS: Readonly<Record<string, number>> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6, rem: 16 },
  ...Object.fromEntries(
    ['', 's', 'l', 'd'].flatMap((kind) => ['vw', 'vh', 'vi', 'vb', 'vmin', 'vmax'].map((unit) => [kind + unit, 10])),
  ),
  ...{ cqw: 10, cqh: 10, cqi: 10, cqb: 10, cqmin: 10, cqmax: 10, rlh: 20, rex: 8, rch: 8, ric: 16 },
}
const FONT_UNITS: Readonly<Record<string, number>> = { em: 1, ex: 0.5, ch: 0.5, cap: 0.7, ic: 1, lh: 1.2 }
const DEGREES: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }
const CONSTANTS: Readonly<Record<string, number>> = {
  ...{ infinity: Infinity, '-infinity': -Infinity, pi: Math.PI, e: Math.E },
}

const FUNCTIONS: Readonly<Record<string, (...given: number[]) => number>> = {
  abs: Math.abs,
  clamp: (least = 0, wanted = 0, most = 0) => Math.max(least, Math.min(wanted, most)),
  cos: (angle = 0) => Math.cos((angle * Math.PI) / 180),
  exp: Math.exp,
  hypot: Math.hypot,
  max: Math.max,
  min: Math.min,
  mod: (value = 0, by = 1) => value - by * Math.floor(value / by),
  pow: Math.pow,
  rem: (value = 0, by = 1) => value % by,
  round: (value = 0, by = 1) => Math.round(value / by) * by,
  sign: Math.sign,
  sin: (angle = 0) => Math.sin((angle * Math.PI) / 180),
  sqrt: Math.sqrt,
}

/**
 * Value of a number, a length in pixels or an angle in degrees, or null. Evaluates math functions (CSS Values and Units
 * 4, 10).
 */
export const evaluateNumber = (piece: CssToken | undefined, measure: LengthBase): number | null => {
  if (piece === undefined) return null
  if (piece.kind === 'word') return CONSTANTS[piece.name] ?? null
  if (piece.kind === 'number') {
    const { value, unit } = piece
    if (unit === '') return value
    if (unit === '%') return (value * measure.whole) / 100
    const [pixels, letters, degrees] = [PIXELS[unit], FONT_UNITS[unit], DEGREES[unit]]
    if (letters !== undefined) return value * letters * measure.em
    const size = pixels ?? degrees
    return size === undefined ? null : value * size
  }
  if (piece.kind !== 'function') return null
  const given = splitLayers(piece.within)
    // `round` may start with a rounding strategy, which is a word.
    .filter(([first]) => !(piece.name === 'round' && first?.kind === 'word' && CONSTANTS[first.name] === undefined))
    .map((layer) => sumOf(layer, measure))
  if (given.includes(null)) return null
  const numbers = given.flatMap((number) => number ?? [])
  if (piece.name === 'calc') return numbers[0] ?? null
  return FUNCTIONS[piece.name]?.(...numbers) ?? null
}

function sumOf(pieces: CssTokens, measure: LengthBase): number | null {
  let [sum, product] = [0, evaluateNumber(pieces[0], measure)]
  for (let index = 1; index < pieces.length; index += 2) {
    const [sign, next] = [pieces[index], evaluateNumber(pieces[index + 1], measure)]
    if (product === null || next === null || sign?.kind !== 'sign') return null
    if (sign.name === '*') product *= next
    else if (sign.name === '/') product /= next
    else {
      sum += product
      product = sign.name === '-' ? -next : next
    }
  }
  return product === null ? null : sum + product
}

/** All numbers of a list, in order; skips everything else. */
export const evaluateNumbers = (pieces: CssTokens, measure: LengthBase): readonly number[] =>
  pieces.flatMap((piece) => evaluateNumber(piece, measure) ?? [])

/**
 * Limits for substituting variables: pieces visited, and nesting depth. Only malicious values exceed them, to hang a
 * window.
 */
const MAX_PIECES = 300
const MAX_DEPTH = 100

/**
 * Substitutes the variables in a value.
 * @param variables the element's custom properties @param attribute reads an attribute of the element
 * @returns null if a variable is missing or circular, in which case a browser skips the declaration
 */
export const substituteVariables = (
  pieces: CssTokens,
  variables: ReadonlyMap<string, CssTokens>,
  attribute: (name: string) => string | null,
  depth = 0,
  budget = { left: MAX_PIECES },
): CssTokens | null => {
  if (depth > MAX_DEPTH) return null
  const all: CssToken[] = []
  for (const piece of pieces) {
    budget.left -= 1
    if (budget.left < 0) return null
    if (piece.kind !== 'function') all.push(piece)
    else if (piece.name === 'var' || piece.name === 'env' || piece.name === 'attr') {
      const [name] = piece.within
      const word = name?.kind === 'word' ? name.name : ''
      const comma = piece.within.findIndex((each) => each.kind === 'sign' && each.name === ',')
      const otherwise = comma < 0 ? undefined : piece.within.slice(comma + 1)
      const said = piece.name === 'attr' ? attribute(word) : null
      const named = piece.name === 'var' ? variables.get(word) : said === null ? undefined : parseCssValue(said)
      const inner = substituteVariables(named ?? otherwise ?? [], variables, attribute, depth + 1, budget)
      if (inner === null || (named ?? otherwise) === undefined) return null
      all.push(...inner)
    } else {
      const within = substituteVariables(piece.within, variables, attribute, depth + 1, budget)
      if (within === null) return null
      all.push({ ...piece, within })
    }
  }
  return all
}
