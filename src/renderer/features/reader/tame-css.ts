import { tokenize, tokenTypes as type } from 'css-tree/tokenizer'
import { isEmbeddedImage } from './embedded-image.ts'

/** Styles that refer to nothing outside of the e-mail and cover nothing but its own text. */
export interface TameCss {
  readonly css: string
  /** How many references to elsewhere were taken out. */
  readonly removed: number
}

/** The pieces of a style sheet in two flat lists, as an object for each would cost more than all that is done with it. */
interface Tokens {
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
const COSTLY = new Set(['has', 'element', '-webkit-canvas', 'paint', 'blur', 'drop-shadow'])
/**
 * Properties that lay out or paint the same text again and again: twenty columns in each other stop Chromium for good.
 * Without them the text stands as it is.
 */
const COSTLY_PROPERTY =
  /^(?:-(?:webkit|moz|epub)-)?(?:column(?:s|-count|-width|-span|-fill)|text-shadow|animation.*|transition.*|mask.*|shape-outside|backdrop-filter|filter|mix-blend-mode)$/
/** What floats above a page has no place in an e-mail but to cover the rest of it; there it is put into the text. */
const FLOATING = new Set(['fixed', 'sticky', '-webkit-sticky'])

/** Characters. No name that is looked for is longer, even with each of its letters escaped. */
const LONGEST_NAME = 500

/** A name with its escapes resolved: `\75 rl` is `url`. Nothing, where it is too long to be one that is looked for. */
const nameOf = (source: string): string => {
  if (source.length > LONGEST_NAME) return ''
  const decoded = source.includes('\\')
    ? source.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code?: string, letter?: string) => {
        const point = Number.parseInt(code ?? '', 16)
        return letter ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
      })
    : source
  return decoded.toLowerCase()
}

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

const tokensOf = (css: string): Tokens => {
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

/**
 * Takes out of styles what would be fetched (`@import`, `url(…)` and its relatives, unless it is an image of the
 * e-mail's own) and what would float above the text. It reads tokens as a browser does (CSS Syntax, level 3), each
 * once, so that neither escapes nor what is never closed lead it astray. The frame's policy stops what it misses.
 */
export const tameCss = (css: string): TameCss => {
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
      index = replace(index, last, 'none')
      removed += 1
      continue
    }
    const called = kind === type.Function ? name.slice(0, -1) : ''
    const isAddress = kind === type.Url || kind === type.BadUrl || ADDRESSES.has(called)
    if (isAddress || IMAGES.has(called) || COSTLY.has(called)) {
      const last = kind === type.Function ? closingOf(tokens, index) : index
      if (isAddress && isEmbedded(sourceOf(index, last))) {
        index = last + 1
        continue
      }
      if (!COSTLY.has(called)) removed += 1
      index = replace(index, last, 'none')
      continue
    }
    if (kind === type.Ident && position !== 'value') position = name === 'position' ? 'name' : 'none'
    else if (kind === type.Colon && position === 'name') position = 'value'
    else if (isBraceOrSemicolon(kind)) position = 'none'
    // A combinator that makes a browser look at all elements before; without it the rule is void. `~=` is another thing.
    const isSibling = kind === type.Delim && sourceOf(index) === '~' && css[startOf(index + 1)] !== '='
    // A name that no browser knows, so that it passes over the declaration.
    if (kind === type.Ident && COSTLY_PROPERTY.test(name) && isFollowedByColon(tokens, index)) {
      index = replace(index, index, '--off')
    } else if (isSibling) index = replace(index, index, 'none')
    else if (position === 'value' && FLOATING.has(name)) index = replace(index, index, 'static')
    else index += 1
  }
  const tamed = kept.join('') + css.slice(settled)
  // Where something was left out, its neighbours meet; they must not become the end of the element that holds them.
  return /<\/style/i.test(tamed) ? { css: '', removed } : { css: tamed, removed }
}
