import { tokenTypes as type } from 'css-tree/tokenizer'
import { string, url } from 'css-tree/utils'
import { decodeCssName } from '../../../shared/css/css-name.ts'
import { isImageDataUrl } from './block-images.ts'
import {
  applyEdits,
  CLOSING_BRACKETS,
  findClosingBracket,
  isBlankToken,
  isBraceOrSemicolon,
  isHtmlCommentToken,
  nextOf,
  replaceTokens,
  sourceOf,
  startOf,
  tokenizeCss,
  type CssTokens,
  type TextEdit,
} from './css-tokens.ts'

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

/** @param source `url(address)`, with or without quotes, closed or not */
const isEmbedded = (source: string): boolean => isImageDataUrl(source.replace(/^[^(]*\(\s*["']?/, ''))

/** First address in the function, or null if none is readable. */
const addressIn = (tokens: CssTokens, first: number, last: number): string | null => {
  for (let index = first; index <= last; index += 1) {
    const source = sourceOf(tokens, index)
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

/**
 * Removes everything from styles that would load something (`@import`, `url(…)` and similar, except embedded images) or
 * float above the text. Reads tokens once, as a browser does (CSS Syntax 3), so escapes and unclosed brackets can't
 * mislead it. The frame's policy stops whatever this misses.
 * @param place looks up replacements for pictures that a property draws; by default they are removed
 */
export const sanitizeCss = (css: string, place: PictureLookup = () => null): SafeCss => {
  const tokens = tokenizeCss(css)
  const { types } = tokens
  // The tokens start after a byte order mark.
  const edits: TextEdit[] = [{ from: 0, to: startOf(tokens, 0), text: '' }]
  let removed = 0
  /** Open brackets, and their number by type. A rule's block contains no further blocks. */
  const open: { readonly closing: number; readonly is: 'rule' | 'group' | 'selector' | 'other' }[] = []
  const count = { rule: 0, group: 0, selector: 0, other: 0 }
  /** Type of the current statement's first token. */
  let beginning = null as number | null
  /** Property of the current statement. */
  let property = ''
  /** The current declaration, and how much it paints and inserts. */
  let declared = null as { readonly index: number; readonly paints: boolean; readonly inserts: boolean } | null
  let [layers, words] = [1, 0]
  // Browsers ignore the unknown property.
  const off = (index: number): TextEdit => replaceTokens(tokens, index, index, '--off')
  const endStatement = (): void => {
    if (declared !== null && (layers > MAX.layers || words > MAX.words)) edits.push(off(declared.index))
    beginning = null
    declared = null
  }
  for (let index = 0; index < types.length; index += 1) {
    const kind = types[index] ?? 0
    const isName = kind === type.Ident || kind === type.Function || kind === type.AtKeyword
    const name = isName ? decodeCssName(sourceOf(tokens, index)) : ''
    const called = kind === type.Function ? name.slice(0, -1) : ''
    const isInValue = count.selector + count.other > 0
    const replace = (last: number, text: string): void => {
      edits.push(replaceTokens(tokens, index, last, text))
      index = last
    }
    if (name === '@import') {
      const end = types.indexOf(type.Semicolon, index)
      // A comment, because a word would join the following selector.
      replace(end === -1 ? types.length - 1 : end, '/**/')
      removed += 1
      continue
    }
    const isBlock = kind === type.LeftCurlyBracket && !isInValue
    // The braces show that this was a selector.
    if (isBlock) declared = null
    // Thirty nested rules hang a browser: each is matched for all ancestors. Ten thousand nested groups crash it.
    if (isBlock && (count.rule > 0 || count.group >= MAX.groups)) {
      replace(findClosingBracket(tokens, index), ';')
      property = ''
      endStatement()
      continue
    }
    const isPositioned = property === 'position'
    if ((count.selector > 0 && SELECTOR_FUNCTIONS.has(called)) || (isPositioned && called !== '')) {
      replace(findClosingBracket(tokens, index), isPositioned ? 'static' : 'none')
      continue
    }
    const isAddress = kind === type.Url || kind === type.BadUrl || ADDRESS_FUNCTIONS.has(called)
    const isCostly = COSTLY_FUNCTIONS.has(called)
    if (isAddress || IMAGE_FUNCTIONS.has(called) || isCostly) {
      const last = kind === type.Function ? findClosingBracket(tokens, index) : index
      if (isAddress && isOneString(tokens, index, last) && isEmbedded(sourceOf(tokens, index, last))) {
        index = last
        continue
      }
      const address = IMAGE_PROPERTY.test(property) && !isCostly ? addressIn(tokens, index, last) : null
      const instead = address === null ? null : place(address)
      if (instead === null && !isCostly) removed += 1
      replace(last, instead ?? 'none')
      continue
    }
    const isEnd = isBraceOrSemicolon(kind)
    const isProperty = kind === type.Ident && types[nextOf(tokens, index + 1)] === type.Colon
    if (isEnd) property = ''
    else if (isProperty && !isPositioned && (beginning === null || name === 'position')) property = name
    // `~` makes the browser check all preceding siblings. Breaking it voids the rule. `~=` is a different token.
    const isSibling =
      kind === type.Delim && sourceOf(tokens, index) === '~' && !sourceOf(tokens, index + 1).startsWith('=')
    if (isProperty && (name.startsWith('--linnet-') || COSTLY_PROPERTY.test(name))) edits.push(off(index))
    else if (isProperty && beginning === null) {
      const isCustom = name.startsWith('--')
      declared = { index, paints: isCustom || PAINTS_LAYERS.test(name), inserts: isCustom || INSERTS_TEXT.test(name) }
      layers = 1
      words = 0
    } else if (kind === type.AtKeyword && !AT_RULES.test(name)) replace(index, '@none')
    else if (isSibling) replace(index, 'none')
    else if (isPositioned && FLOATING.has(name)) replace(index, 'static')
    if (declared?.paints === true && kind === type.Comma && !isInValue) layers += 1
    if (declared?.inserts === true && kind === type.String) words += sourceOf(tokens, index).length
    // Nested `var()` values grow with each step, and `counters()` repeats its text for each ancestor.
    if (declared?.inserts === true && (called === 'var' || called === 'counters')) words += MAX.words + 1
    if (declared?.inserts === true && called === 'attr') words += MAX.words / 2
    const closing = CLOSING_BRACKETS.get(kind)
    if (closing !== undefined) {
      const block = beginning === type.AtKeyword ? 'group' : 'rule'
      const is = isBlock ? block : SELECTOR_FUNCTIONS.has(called) ? 'selector' : 'other'
      open.push({ closing, is })
      count[is] += 1
    } else if (open.at(-1)?.closing === kind) {
      const last = open.pop()
      if (last !== undefined) count[last.is] -= 1
    }
    if (count.selector + count.other > 0) continue
    if (isEnd) endStatement()
    // HTML comment marks mean nothing between rules.
    else if (!isBlankToken(kind) && !(isHtmlCommentToken(kind) && open.length === 0)) beginning ??= kind
  }
  endStatement()
  const tamed = applyEdits(
    css,
    edits.toSorted((a, b) => a.from - b.from),
  )
  // Removal can join adjacent text into an end tag, which must not close the element.
  return { css: /<\/style/i.test(tamed) ? '' : tamed, removed }
}
