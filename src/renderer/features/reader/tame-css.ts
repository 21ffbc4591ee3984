import { tokenize, tokenTypes as type } from 'css-tree/tokenizer'
import { isEmbeddedImage } from './embedded-image.ts'

/** Styles that refer to nothing outside of the e-mail and cover nothing but its own text. */
export interface TameCss {
  readonly css: string
  /** How many references to elsewhere were taken out. */
  readonly removed: number
}

interface Token {
  readonly type: number
  readonly source: string
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

/** A name with its escapes resolved: `\75 rl` is `url`. */
const nameOf = (source: string): string => {
  const decoded = source.includes('\\')
    ? source.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code?: string, letter?: string) => {
        const point = Number.parseInt(code ?? '', 16)
        return letter ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
      })
    : source
  return decoded.toLowerCase()
}

/** @returns the index of the token that closes the function which opens at `from`; where none does, the last one's */
const closingOf = (tokens: readonly Token[], from: number): number => {
  let depth = 0
  for (let index = from; index < tokens.length; index += 1) {
    const token = tokens[index]?.type
    if (token === type.Function || token === type.LeftParenthesis) depth += 1
    else if (token === type.RightParenthesis) depth -= 1
    if (depth === 0) return index
  }
  return tokens.length - 1
}

const isFollowedByColon = (tokens: readonly Token[], from: number): boolean => {
  let next = from + 1
  while (tokens[next]?.type === type.WhiteSpace || tokens[next]?.type === type.Comment) next += 1
  return tokens[next]?.type === type.Colon
}

/** @param source `url(address)`, with or without quotes, closed or not */
const isEmbedded = (source: string): boolean =>
  isEmbeddedImage(
    source
      .slice(source.indexOf('(') + 1)
      .trimStart()
      .replace(/^["']/, ''),
  )

const tokensOf = (css: string): readonly Token[] => {
  const tokens: Token[] = []
  tokenize(css, (kind, start, end) => tokens.push({ type: kind, source: css.slice(start, end) }))
  return tokens
}

/**
 * Takes out of styles what would be fetched (`@import`, `url(…)` and its relatives, unless it is an image of the
 * e-mail's own) and what would float above the text. It reads tokens as a browser does (CSS Syntax, level 3), each
 * once, so that neither escapes nor what is never closed lead it astray. The frame's policy stops what it misses.
 */
export const tameCss = (css: string): TameCss => {
  const tokens = tokensOf(css)
  const kept: string[] = []
  let removed = 0
  /** How far the declaration of a position has been read. */
  let position: 'none' | 'name' | 'value' = 'none'
  let after = 0
  for (const [index, { type: kind, source }] of tokens.entries()) {
    if (index < after) continue
    const isName = kind === type.Ident || kind === type.Function || kind === type.AtKeyword
    const name = isName ? nameOf(source) : ''
    if (name === '@import') {
      after = index + 1
      while (after < tokens.length && tokens[after - 1]?.type !== type.Semicolon) after += 1
      kept.push('none')
      removed += 1
      continue
    }
    const called = kind === type.Function ? name.slice(0, -1) : ''
    const isAddress = kind === type.Url || kind === type.BadUrl || ADDRESSES.has(called)
    if (isAddress || IMAGES.has(called) || COSTLY.has(called)) {
      const last = kind === type.Function ? closingOf(tokens, index) : index
      const whole = tokens
        .slice(index, last + 1)
        .map((token) => token.source)
        .join('')
      const isKept = isAddress && isEmbedded(whole)
      kept.push(isKept ? whole : 'none')
      if (!isKept && !COSTLY.has(called)) removed += 1
      after = last + 1
      continue
    }
    if (kind === type.Ident && position !== 'value') position = name === 'position' ? 'name' : 'none'
    else if (kind === type.Colon && position === 'name') position = 'value'
    else if (kind === type.Semicolon || kind === type.LeftCurlyBracket || kind === type.RightCurlyBracket) {
      position = 'none'
    }
    if (kind === type.Ident && COSTLY_PROPERTY.test(name) && isFollowedByColon(tokens, index)) {
      // A name that no browser knows, so that it passes over the declaration.
      kept.push('--off')
      continue
    }
    // A combinator that makes a browser look at all elements before; without it the rule is void. `~=` is another thing.
    const isSibling = source === '~' && tokens[index + 1]?.source !== '='
    kept.push(isSibling ? 'none' : position === 'value' && FLOATING.has(name) ? 'static' : source)
  }
  const tamed = kept.join('')
  // Where something was left out, its neighbours meet; they must not become the end of the element that holds them.
  return /<\/style/i.test(tamed) ? { css: '', removed } : { css: tamed, removed }
}
