import { tokenTypes as type } from 'css-tree/tokenizer'
import { string, url } from 'css-tree/utils'
import { decodeCssName } from '../../../shared/css/css-name.ts'
import {
  CLOSING_BRACKETS,
  findClosingBracket,
  isBlankToken,
  isBraceOrSemicolon,
  isHtmlCommentToken,
  tokenizeCss,
  type CssTokens,
} from './css-tokens.ts'
import { isImageDataUrl } from './block-images.ts'

/** Styles that load nothing external and cover nothing but the mail's own text. */
export interface SafeCss {
  readonly css: string
  /** Number of external references removed, not counting those that got a placeholder. */
  readonly removed: number
}

/** Returns the CSS that replaces a remote picture, or null. */
export type PictureLookup = (address: string) => string | null

/** Functions with a single address as their argument. */
const ADDRESS_FUNCTIONS = new Set(['url', 'src'])
/** Functions that may take addresses as plain strings. */
const IMAGE_FUNCTIONS = new Set(['image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade'])
/** Functions too expensive for mail: they inspect or paint everything below an element. */
const COSTLY_FUNCTIONS = new Set([
  'has',
  'element',
  '-webkit-canvas',
  'paint',
  'blur',
  'drop-shadow',
  'anchor',
  'anchor-size',
])
/**
 * Properties that repeat layout or painting: twenty nested columns hang Chromium for good, as do a thousand anchored
 * boxes. The last few trap the mouse wheel, and `pointer-events` lets clicks reach hidden elements. Text remains
 * readable without them.
 */
const COSTLY_PROPERTY =
  /^(?:-(?:webkit|moz|epub)-)?(?:column(?:s|-count|-width|-span|-fill)|text-shadow|animation.*|transition.*|mask.*|shape-outside|backdrop-filter|filter|mix-blend-mode|anchor-.*|position-(?:anchor|area|try.*|visibility)|overscroll-behavior.*|scroll-snap-.*|touch-action|pointer-events)$/
/** At-rules that mail may use. Browsers skip names they don't know. */
const AT_RULES =
  /^@(?:charset|(?:-webkit-)?keyframes|layer|media|-moz-document|(?:-ms-)?viewport|namespace|page|supports)$/
/** Selector functions. Nested ones are retried for each ancestor: exponential time in their depth. */
const SELECTOR_FUNCTIONS = new Set([
  ...['is', 'where', 'not', 'matches', 'any', '-webkit-any', '-moz-any', 'nth-child', 'nth-last-child'],
  ...['host', 'host-context', 'slotted', 'cue'],
])
/** Properties whose text is inserted for each element: a 200 kB sheet can repeat it ten thousand times. */
const INSERTS_TEXT =
  /^(?:-webkit-)?(?:content|quotes|list-style(?:-type)?|hyphenate-character|text-emphasis(?:-style)?|text-overflow)$/
/** Properties that draw a picture or, like custom properties, may pass one on. */
const IMAGE_PROPERTY =
  /^(?:--.*|background(?:-image)?|list-style(?:-image)?|(?:-webkit-)?border-image(?:-source)?|content)$/
const PAINTS_LAYERS = /^(?:-webkit-)?(?:background.*|box-shadow)$/
/** Painted layers and inserted characters per declaration, and nesting depth of rule groups (`@media`). */
const MAX = { layers: 8, words: 200, groups: 8 } as const
/** In mail, floating elements only cover the rest of the text, so they become static. */
const FLOATING = new Set(['fixed', 'sticky', '-webkit-sticky'])

/** @returns the index of the token closing the function at `from`, or of the last token */
const closingOf = ({ types }: CssTokens, from: number): number => {
  let depth = 0
  for (let index = from; index < types.length; index += 1) {
    const kind = types[index]
    if (kind === type.Function || kind === type.LeftParenthesis) depth += 1
    else if (kind === type.RightParenthesis) depth -= 1
    if (depth === 0) return index
  }
  return types.length - 1
}

const isFollowedByColon = ({ types }: CssTokens, from: number): boolean => {
  let next = from + 1
  while (types[next] === type.WhiteSpace || types[next] === type.Comment) next += 1
  return types[next] === type.Colon
}

/** @param source `url(address)`, with or without quotes, closed or not */
const isEmbedded = (source: string): boolean =>
  isImageDataUrl(
    source
      .slice(source.indexOf('(') + 1)
      .trimStart()
      .replace(/^["']/, ''),
  )

/** First address in the function, or null if none is readable. */
const addressIn = (tokens: CssTokens, first: number, last: number): string | null => {
  for (let index = first; index <= last; index += 1) {
    const source = tokens.css.slice(tokens.starts[index], tokens.starts[index + 1])
    if (tokens.types[index] === type.Url) return url.decode(source)
    if (tokens.types[index] === type.String) return string.decode(source)
  }
  return null
}

/** True if the function's argument is a single string or empty. */
const isOneString = ({ types }: CssTokens, first: number, last: number): boolean => {
  const inner = types.slice(first + 1, types[last] === type.RightParenthesis ? last : last + 1)
  return inner.length < 8 && inner.filter((kind) => !isBlankToken(kind)).every((kind) => kind === type.String)
}

const exceedsLimits = (layers: number, words: number): boolean => layers > MAX.layers || words > MAX.words

/**
 * True if the declaration inserts more text or paints more layers than mail needs.
 * @param from index of the token with the property name
 */
const isExcessive = ({ css, types, starts }: CssTokens, name: string, from: number): boolean => {
  const awaited: number[] = []
  const isCustom = name.startsWith('--')
  const insertsText = isCustom || INSERTS_TEXT.test(name)
  const paints = isCustom || PAINTS_LAYERS.test(name)
  let [layers, words] = [1, 0]
  for (let index = from + 1; index < types.length; index += 1) {
    const kind = types[index] ?? 0
    // A brace means this was a selector.
    if (awaited.length === 0 && isBraceOrSemicolon(kind))
      return kind !== type.LeftCurlyBracket && exceedsLimits(layers, words)
    const closing = CLOSING_BRACKETS.get(kind)
    if (closing !== undefined) awaited.push(closing)
    else if (kind === awaited.at(-1)) awaited.pop()
    if (paints && kind === type.Comma && awaited.length === 0) layers += 1
    const [start, end] = [starts[index] ?? 0, starts[index + 1] ?? css.length]
    if (insertsText && kind === type.String) words += end - start
    if (insertsText && kind === type.Function) {
      const called = decodeCssName(css.slice(start, end)).slice(0, -1)
      // Nested `var()` values grow with each step, and `counters()` repeats its text for each ancestor.
      if (called === 'var' || called === 'counters') words += MAX.words + 1
      else if (called === 'attr') words += MAX.words / 2
    }
  }
  return exceedsLimits(layers, words)
}

/**
 * Removes everything from styles that would load something (`@import`, `url(…)` and similar, except embedded images) or
 * float above the text. Reads tokens once, as a browser does (CSS Syntax 3), so escapes and unclosed brackets can't
 * mislead it. The frame's policy stops whatever this misses.
 * @param place looks up replacements for pictures that a property draws; by default they are removed
 */
export const sanitizeCss = (css: string, place: PictureLookup = () => null): SafeCss => {
  const tokens = tokenizeCss(css)
  const { types, starts } = tokens
  const startOf = (index: number): number => starts[index] ?? css.length
  const sourceOf = (first: number, last = first): string => css.slice(startOf(first), startOf(last + 1))
  const kept: string[] = []
  /** End of the processed part. */
  let settled = startOf(0)
  let removed = 0
  /** Progress within a `position` declaration. */
  let position: 'none' | 'name' | 'value' = 'none'
  /** Open brackets, and their number by type. A rule's block contains no further blocks. */
  const open: { readonly closing: number; readonly is: 'rule' | 'group' | 'selector' | 'other' }[] = []
  const count = { rule: 0, group: 0, selector: 0, other: 0 }
  /** First token of the current statement. */
  let beginning = null as number | null
  let property = ''
  const isInValue = (): boolean => count.selector + count.other > 0
  const follow = (kind: number, called: string): void => {
    const closing = CLOSING_BRACKETS.get(kind)
    if (closing !== undefined) {
      const isBlock = kind === type.LeftCurlyBracket && !isInValue()
      const block = beginning === type.AtKeyword ? 'group' : 'rule'
      const is = isBlock ? block : SELECTOR_FUNCTIONS.has(called) ? 'selector' : 'other'
      open.push({ closing, is })
      count[is] += 1
    } else if (open.at(-1)?.closing === kind) {
      const last = open.pop()
      if (last !== undefined) count[last.is] -= 1
    }
    if (isInValue()) return
    if (isBraceOrSemicolon(kind)) beginning = null
    // HTML comment marks mean nothing between rules.
    else if (!isBlankToken(kind) && !(isHtmlCommentToken(kind) && open.length === 0)) beginning ??= kind
  }
  /** @returns the index after the replaced tokens */
  const replace = (first: number, last: number, words: string): number => {
    kept.push(css.slice(settled, startOf(first)), words)
    settled = startOf(last + 1)
    return last + 1
  }
  for (let index = 0; index < types.length;) {
    const kind = types[index] ?? 0
    const isName = kind === type.Ident || kind === type.Function || kind === type.AtKeyword
    const name = isName ? decodeCssName(sourceOf(index)) : ''
    if (name === '@import') {
      let last = index
      while (last < types.length - 1 && types[last] !== type.Semicolon) last += 1
      // A comment, because a word would join the following selector.
      index = replace(index, last, '/**/')
      removed += 1
      continue
    }
    const called = kind === type.Function ? name.slice(0, -1) : ''
    // Thirty nested rules hang a browser: each is matched for all ancestors. Ten thousand nested groups crash it.
    const isTooDeep = count.rule > 0 || count.group >= MAX.groups
    if (kind === type.LeftCurlyBracket && isTooDeep && !isInValue()) {
      index = replace(index, findClosingBracket(tokens, index), ';')
      beginning = null
      position = 'none'
      continue
    }
    if ((count.selector > 0 && SELECTOR_FUNCTIONS.has(called)) || (position === 'value' && called !== '')) {
      index = replace(index, closingOf(tokens, index), position === 'value' ? 'static' : 'none')
      continue
    }
    const isAddress = kind === type.Url || kind === type.BadUrl || ADDRESS_FUNCTIONS.has(called)
    if (isAddress || IMAGE_FUNCTIONS.has(called) || COSTLY_FUNCTIONS.has(called)) {
      const last = kind === type.Function ? closingOf(tokens, index) : index
      if (isAddress && isOneString(tokens, index, last) && isEmbedded(sourceOf(index, last))) {
        index = last + 1
        continue
      }
      const address =
        IMAGE_PROPERTY.test(property) && !COSTLY_FUNCTIONS.has(called) ? addressIn(tokens, index, last) : null
      const instead = address === null ? null : place(address)
      if (instead === null && !COSTLY_FUNCTIONS.has(called)) removed += 1
      index = replace(index, last, instead ?? 'none')
      continue
    }
    if (kind === type.Ident && position !== 'value') position = name === 'position' ? 'name' : 'none'
    else if (kind === type.Colon && position === 'name') position = 'value'
    else if (isBraceOrSemicolon(kind)) position = 'none'
    // `~` makes the browser check all preceding siblings. Breaking it voids the rule. `~=` is a different token.
    const isSibling = kind === type.Delim && sourceOf(index) === '~' && css[startOf(index + 1)] !== '='
    // Unwanted properties become `--off`, which browsers ignore.
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
  // Removal can join adjacent text into an end tag, which must not close the element.
  return /<\/style/i.test(tamed) ? { css: '', removed } : { css: tamed, removed }
}
