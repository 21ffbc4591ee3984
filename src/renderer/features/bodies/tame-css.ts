import { tokenize, tokenTypes as type } from 'css-tree/tokenizer'
import { string, url } from 'css-tree/utils'
import { nameOf } from '../../../shared/css/css-name.ts'
import { isEmbeddedImage } from './embedded-image.ts'

/** Styles that refer to nothing outside of the e-mail and cover nothing but its own text. */
export interface TameCss {
  readonly css: string
  /** How many references to elsewhere were taken out, without those that were given a place. */
  readonly removed: number
}

/** Gives a picture that is elsewhere a place in the styles: what stands there instead. Null where it has none. */
export type PlaceOfPicture = (address: string) => string | null

/** The pieces of a style sheet in two flat lists, as an object for each would cost more than all that is done with it. */
export interface Tokens {
  readonly css: string
  readonly types: readonly number[]
  /** Where each begins; the next one begins where it ends. */
  readonly starts: readonly number[]
}

/** Functions whose one argument is an address. */
const ADDRESSES = new Set(['url', 'src'])
/** Functions whose arguments may be addresses without saying so. */
const IMAGES = new Set(['image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade'])
/** Functions that cost more than a letter can be worth: they look at, or paint, all that lies below an element. */
const COSTLY = new Set(['has', 'element', '-webkit-canvas', 'paint', 'blur', 'drop-shadow', 'anchor', 'anchor-size'])
/**
 * Properties that lay out or paint the same text again and again: twenty columns in each other stop Chromium for good,
 * and so do a thousand boxes that are placed by each other. Some of the last ones hold the wheel of the mouse in the
 * e-mail, and `pointer-events` has a click reach what lies below what is seen. Without them the text stands as it is.
 */
const COSTLY_PROPERTY =
  /^(?:-(?:webkit|moz|epub)-)?(?:column(?:s|-count|-width|-span|-fill)|text-shadow|animation.*|transition.*|mask.*|shape-outside|backdrop-filter|filter|mix-blend-mode|anchor-.*|position-(?:anchor|area|try.*|visibility)|overscroll-behavior.*|scroll-snap-.*|touch-action|pointer-events)$/
/** Rules with an `@` that mail has a use for. A browser passes over a name that it does not know. */
const AT_RULES =
  /^@(?:charset|(?:-webkit-)?keyframes|layer|media|-moz-document|(?:-ms-)?viewport|namespace|page|supports)$/
/** Functions that take selectors. In each other they are tried again for each element around: time with a power of the depth. */
const SELECTORS = new Set([
  ...['is', 'where', 'not', 'matches', 'any', '-webkit-any', '-moz-any', 'nth-child', 'nth-last-child'],
  ...['host', 'host-context', 'slotted', 'cue'],
])
/** Properties whose words are put in for each element anew: a sheet of 200 kB can say them ten thousand times. */
const SAYS_WORDS =
  /^(?:-webkit-)?(?:content|quotes|list-style(?:-type)?|hyphenate-character|text-emphasis(?:-style)?|text-overflow)$/
/** Properties that draw a picture, and those that may hand one on to them. */
const DRAWS = /^(?:--.*|background(?:-image)?|list-style(?:-image)?|(?:-webkit-)?border-image(?:-source)?|content)$/
const PAINTS_LAYERS = /^(?:-webkit-)?(?:background.*|box-shadow)$/
/**
 * What one declaration may hold, layers that are painted on each other and characters that are put into the text, and
 * how many groups of rules (`@media`) may lie in each other.
 */
const MOST = { layers: 8, words: 200, groups: 8 } as const
/** What floats above a page has no place in an e-mail but to cover the rest of it; there it is put into the text. */
const FLOATING = new Set(['fixed', 'sticky', '-webkit-sticky'])

/** @returns the index of the token that closes the function which opens at `from`; where none does, the last one's */
const closingOf = ({ types }: Tokens, from: number): number => {
  let depth = 0
  for (let index = from; index < types.length; index += 1) {
    const kind = types[index]
    if (kind === type.Function || kind === type.LeftParenthesis) depth += 1
    else if (kind === type.RightParenthesis) depth -= 1
    if (depth === 0) return index
  }
  return types.length - 1
}

const isFollowedByColon = ({ types }: Tokens, from: number): boolean => {
  let next = from + 1
  while (types[next] === type.WhiteSpace || types[next] === type.Comment) next += 1
  return types[next] === type.Colon
}

/** @param source `url(address)`, with or without quotes, closed or not */
const isEmbedded = (source: string): boolean =>
  isEmbeddedImage(
    source
      .slice(source.indexOf('(') + 1)
      .trimStart()
      .replace(/^["']/, ''),
  )

/** The first address in a function that takes one or several; null where there is none that can be read. */
const addressIn = (tokens: Tokens, first: number, last: number): string | null => {
  for (let index = first; index <= last; index += 1) {
    const source = tokens.css.slice(tokens.starts[index], tokens.starts[index + 1])
    if (tokens.types[index] === type.Url) return url.decode(source)
    if (tokens.types[index] === type.String) return string.decode(source)
  }
  return null
}

export const tokensOf = (css: string): Tokens => {
  const types: number[] = []
  const starts: number[] = []
  tokenize(css, (kind, start) => {
    types.push(kind)
    starts.push(start)
  })
  return { css, types, starts }
}

const isBraceOrSemicolon = (kind: number): boolean =>
  kind === type.Semicolon || kind === type.LeftCurlyBracket || kind === type.RightCurlyBracket

export const isHtmlComment = (kind: number): boolean => kind === type.CDO || kind === type.CDC

export const isBlank = (kind: number | undefined): boolean => kind === type.WhiteSpace || kind === type.Comment

/** What closes each bracket; any other that closes is a sign like others until then (CSS Syntax, level 3, 5.4.8). */
export const CLOSES: ReadonlyMap<number | undefined, number> = new Map([
  [type.Function, type.RightParenthesis],
  [type.LeftParenthesis, type.RightParenthesis],
  [type.LeftSquareBracket, type.RightSquareBracket],
  [type.LeftCurlyBracket, type.RightCurlyBracket],
])

/** @returns the index of the bracket that closes the one at `from`; where none does, the last token's */
export const bracketOf = ({ types }: Tokens, from: number): number => {
  const awaited: number[] = []
  for (let index = from; index < types.length; index += 1) {
    const closing = CLOSES.get(types[index])
    if (closing !== undefined) awaited.push(closing)
    else if (types[index] === awaited.at(-1)) awaited.pop()
    if (awaited.length === 0) return index
  }
  return types.length - 1
}

/** Whether what stands between a function and its end is one string, or nothing. */
const isOneString = ({ types }: Tokens, first: number, last: number): boolean => {
  const inner = types.slice(first + 1, types[last] === type.RightParenthesis ? last : last + 1)
  return inner.length < 8 && inner.filter((kind) => !isBlank(kind)).every((kind) => kind === type.String)
}

const isOver = (layers: number, words: number): boolean => layers > MOST.layers || words > MOST.words

/** Whether a declaration says more, or paints more often, than any letter has a use for. @param from its name's token */
const isExcessive = ({ css, types, starts }: Tokens, name: string, from: number): boolean => {
  const awaited: number[] = []
  const isCustom = name.startsWith('--')
  const saysWords = isCustom || SAYS_WORDS.test(name)
  const paints = isCustom || PAINTS_LAYERS.test(name)
  let [layers, words] = [1, 0]
  for (let index = from + 1; index < types.length; index += 1) {
    const kind = types[index] ?? 0
    // What ends in a brace that opens was the selector of a rule.
    if (awaited.length === 0 && isBraceOrSemicolon(kind)) return kind !== type.LeftCurlyBracket && isOver(layers, words)
    const closing = CLOSES.get(kind)
    if (closing !== undefined) awaited.push(closing)
    else if (kind === awaited.at(-1)) awaited.pop()
    if (paints && kind === type.Comma && awaited.length === 0) layers += 1
    const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? css.length]
    if (saysWords && kind === type.String) words += end - start
    if (saysWords && kind === type.Function) {
      const called = nameOf(css.slice(start, end)).slice(0, -1)
      // Values that are made of values grow with each step; a counter's words stand once for each element around.
      if (called === 'var' || called === 'counters') words += MOST.words + 1
      else if (called === 'attr') words += MOST.words / 2
    }
  }
  return isOver(layers, words)
}

/**
 * Takes out of styles what would be fetched (`@import`, `url(…)` and its relatives, unless it is an image of the
 * e-mail's own) and what would float above the text. It reads tokens as a browser does (CSS Syntax, level 3), each
 * once, so that neither escapes nor what is never closed lead it astray. The frame's policy stops what it misses.
 * @param place pictures that a property draws go through it; without it they are taken out like all else
 */
export const tameCss = (css: string, place: PlaceOfPicture = () => null): TameCss => {
  const tokens = tokensOf(css)
  const { types, starts } = tokens
  const startOf = (index: number): number => starts[index] ?? css.length
  const sourceOf = (first: number, last = first): string => css.slice(startOf(first), startOf(last + 1))
  const kept: string[] = []
  /** Up to where the styles have been kept or left out. */
  let settled = startOf(0)
  let removed = 0
  /** How far the declaration of a position has been read. */
  let position: 'none' | 'name' | 'value' = 'none'
  /** The brackets that are open, and how many of them are what. The block of a rule has no blocks in it. */
  const open: { readonly closing: number; readonly is: 'rule' | 'group' | 'selector' | 'other' }[] = []
  const count = { rule: 0, group: 0, selector: 0, other: 0 }
  /** What the statement that is being read begins with. */
  let beginning = null as number | null
  /** The property whose value is being read. */
  let property = ''
  const isInValue = (): boolean => count.selector + count.other > 0
  const follow = (kind: number, called: string): void => {
    const closing = CLOSES.get(kind)
    if (closing !== undefined) {
      const isBlock = kind === type.LeftCurlyBracket && !isInValue()
      const block = beginning === type.AtKeyword ? 'group' : 'rule'
      const is = isBlock ? block : SELECTORS.has(called) ? 'selector' : 'other'
      open.push({ closing, is })
      count[is] += 1
    } else if (open.at(-1)?.closing === kind) {
      const last = open.pop()
      if (last !== undefined) count[last.is] -= 1
    }
    if (isInValue()) return
    if (isBraceOrSemicolon(kind)) beginning = null
    // The signs of a comment in HTML stand for nothing around whole rules.
    else if (!isBlank(kind) && !(isHtmlComment(kind) && open.length === 0)) beginning ??= kind
  }
  /** @returns the index behind what was replaced */
  const replace = (first: number, last: number, words: string): number => {
    kept.push(css.slice(settled, startOf(first)), words)
    settled = startOf(last + 1)
    return last + 1
  }
  for (let index = 0; index < types.length;) {
    const kind = types[index] ?? 0
    const isName = kind === type.Ident || kind === type.Function || kind === type.AtKeyword
    const name = isName ? nameOf(sourceOf(index)) : ''
    if (name === '@import') {
      let last = index
      while (last < types.length - 1 && types[last] !== type.Semicolon) last += 1
      // Not a word, which would become a part of the selector that follows.
      index = replace(index, last, '/**/')
      removed += 1
      continue
    }
    const called = kind === type.Function ? name.slice(0, -1) : ''
    // Rules in rules are tried for each element around each element around: thirty of them stop a browser for good.
    // Ten thousand groups in groups end it.
    const isTooDeep = count.rule > 0 || count.group >= MOST.groups
    if (kind === type.LeftCurlyBracket && isTooDeep && !isInValue()) {
      index = replace(index, bracketOf(tokens, index), ';')
      beginning = null
      position = 'none'
      continue
    }
    if ((count.selector > 0 && SELECTORS.has(called)) || (position === 'value' && called !== '')) {
      index = replace(index, closingOf(tokens, index), position === 'value' ? 'static' : 'none')
      continue
    }
    const isAddress = kind === type.Url || kind === type.BadUrl || ADDRESSES.has(called)
    if (isAddress || IMAGES.has(called) || COSTLY.has(called)) {
      const last = kind === type.Function ? closingOf(tokens, index) : index
      if (isAddress && isOneString(tokens, index, last) && isEmbedded(sourceOf(index, last))) {
        index = last + 1
        continue
      }
      const address = DRAWS.test(property) && !COSTLY.has(called) ? addressIn(tokens, index, last) : null
      const instead = address === null ? null : place(address)
      if (instead === null && !COSTLY.has(called)) removed += 1
      index = replace(index, last, instead ?? 'none')
      continue
    }
    if (kind === type.Ident && position !== 'value') position = name === 'position' ? 'name' : 'none'
    else if (kind === type.Colon && position === 'name') position = 'value'
    else if (isBraceOrSemicolon(kind)) position = 'none'
    // A combinator that makes a browser look at all elements before; without it the rule is void. `~=` is another thing.
    const isSibling = kind === type.Delim && sourceOf(index) === '~' && css[startOf(index + 1)] !== '='
    // A name that no browser knows, so that it passes over the declaration.
    const isProperty = kind === type.Ident && isFollowedByColon(tokens, index)
    const isFirst = beginning === null
    if (isProperty && isFirst) property = name
    else if (isBraceOrSemicolon(kind)) property = ''
    follow(kind, called)
    const isTaken = name.startsWith('--linnet-')
    if (isProperty && (isTaken || COSTLY_PROPERTY.test(name) || (isFirst && isExcessive(tokens, name, index)))) {
      index = replace(index, index, '--off')
    } else if (kind === type.AtKeyword && !AT_RULES.test(name)) index = replace(index, index, '@none')
    else if (isSibling) index = replace(index, index, 'none')
    else if (position === 'value' && FLOATING.has(name)) index = replace(index, index, 'static')
    else index += 1
  }
  const tamed = kept.join('') + css.slice(settled)
  // Where something was left out, its neighbours meet; they must not become the end of the element that holds them.
  return /<\/style/i.test(tamed) ? { css: '', removed } : { css: tamed, removed }
}
