import { compile } from 'css-select'
import { parse as parseSelector, SelectorType, type Selector } from 'css-what'
import parse, { type CssNode } from 'css-tree/parser'
import { Element } from 'domhandler'
import type { HtmlPage } from './html-page.ts'
import { effectsOf, type Effect } from './sure-style.ts'

/** Limits of style sheets. Beyond them, nothing on the page is sure. */
const MAX = {
  characters: 200_000,
  rules: 1_500,
  comparisons: 150_000,
  compounds: 8,
  nested: 8,
  attributes: 2_000,
} as const

export interface ElementEffects {
  /** Effects of the style attribute, and of the rules that may apply, in order. */
  readonly own: readonly Effect[]
  readonly ofRules: readonly Effect[]
  /** Effects of rules with `!important`, which may override the attribute's. */
  readonly important: readonly Effect[]
  /** True if a rule without conditions hides the element, and nothing shows it. */
  readonly isHidden: boolean
}

interface Rule {
  /** Without comments, and as written. */
  readonly selector: string
  readonly written: string
  readonly effects: readonly Effect[]
  readonly important: readonly Effect[]
  readonly isConditional: boolean
}

/** A rule's selector with only names, classes, IDs, attributes and parents, which matches at least the same elements. */
interface Match extends Rule {
  readonly matches: (element: Element) => boolean
  readonly isExact: boolean
  /** True for boxes before or after the content. */
  readonly isGenerated: boolean
}

class UnreadableError extends Error {}

const childrenOf = (node: CssNode | null | undefined): readonly CssNode[] => node?.children?.toArray() ?? []

const rawTextOf = (node: CssNode | string | null | undefined): string =>
  typeof node === 'object' && typeof node?.value === 'string' ? node.value : ''

/** @param comments replaces comments, which separate words of a value, but not parts of a selector */
const textOf = (node: CssNode | string | null | undefined, comments = ' '): string =>
  rawTextOf(node).replace(/\/\*[^]*?\*\//g, comments)

/** The first letter may hang out to the left only if the same declarations make room for it. */
const withHang = (effects: readonly Effect[]): readonly Effect[] => {
  const left = effects.reduce((sum, effect) => sum + (effect.kind === 'left' ? effect.pixels : 0), 0)
  return effects.map((effect) => (effect.kind === 'hang' && effect.pixels > left ? { kind: 'page' } : effect))
}

const readDeclarations = (nodes: readonly CssNode[]): Pick<Rule, 'effects' | 'important'> => {
  const effects: Effect[] = []
  const important: Effect[] = []
  for (const node of nodes) {
    // Text that isn't a declaration is skipped, unless a browser may read a nested rule in it.
    if (node.type === 'Raw' && /[{}:]/.test(textOf(node))) throw new UnreadableError('nested rule')
    if (node.type === 'Atrule' || node.type === 'Rule') throw new UnreadableError('nested rule')
    if (node.type !== 'Declaration') continue
    if (typeof node.important === 'string') throw new UnreadableError('!ie')
    const found = effectsOf(node.property ?? '', textOf(node.value)).filter(({ kind }) => kind !== 'none')
    for (const effect of found) (node.important === false ? effects : important).push(effect)
  }
  return { effects: withHang(effects), important: withHang(important) }
}

const parseCss = (css: string, context: 'declarationList' | 'stylesheet'): readonly CssNode[] =>
  childrenOf(
    parse(css, {
      ...{ context, parseRulePrelude: false, parseAtrulePrelude: false, parseValue: false },
      onParseError: () => undefined,
    }),
  )

/** At-rules without styles for what is on the screen, and those that the reader removes. */
const WITHOUT_STYLES =
  /^(?:-\w+-)?(?:charset|import|page|font-face|keyframes|counter-style|property|viewport|font-feature-values|font-palette-values)$/i

const readRules = (nodes: readonly CssNode[], isConditional: boolean, depth = 0): readonly Rule[] =>
  nodes.flatMap((node): readonly Rule[] => {
    if (node.type === 'Rule')
      return [
        {
          selector: textOf(node.prelude, ''),
          written: rawTextOf(node.prelude),
          ...readDeclarations(childrenOf(node.block)),
          isConditional,
        },
      ]
    if (node.type !== 'Atrule') return []
    const name = typeof node.name === 'string' ? node.name : ''
    const isPrint = /^media$/i.test(name) && /^\s*print\s*$/i.test(textOf(node.prelude))
    // The reader may end such a rule elsewhere.
    if (
      /^import$/i.test(name) &&
      ((node.block ?? null) !== null || /[{[(;]/.test(textOf(node.prelude).replace(/url\([^()]*\)/i, '')))
    )
      throw new UnreadableError('import')
    if (WITHOUT_STYLES.test(name) || isPrint) return []
    if (name.includes('\\') || /^namespace$/i.test(name) || depth > MAX.nested) throw new UnreadableError(name)
    return readRules(childrenOf(node.block), true, depth + 1)
  })

/** States that mail is not in while it is read. */
const NEVER = /^(?:hover|active|focus|focus-within|focus-visible)$/
/** Boxes that aren't part of a text. */
const UNSEEN_PARTS =
  /^(?:selection|placeholder|marker|backdrop|target-text|-webkit-(?:scrollbar.*|input-.*|search-.*))$/
const TEXT_PARTS = /^(?:first-line|first-letter)$/

/** Combinators that are looked at; what comes before others doesn't matter. */
const isStep = ({ type }: Selector): boolean => type === SelectorType.Child || type === SelectorType.Descendant
const isOtherStep = ({ type }: Selector): boolean =>
  type === SelectorType.Adjacent ||
  type === SelectorType.Sibling ||
  type === SelectorType.Parent ||
  type === SelectorType.ColumnCombinator

/** Elements that the reader adds: in place of pictures, around quotes and signatures, and in formulas. */
const ADDED = ['span', 'details', 'summary', 'sup', 'sub'].map((name) => new Element(name, {}))
/** Effects of boxes that may cover or move other text. */
const MOVES = /^(?:page|line|nowrap|rise|hang|height)$/

/** Attributes that the reader adds or changes. */
const CHANGED =
  /^(?:style|dir|rel|target|role|lang|href|src|srcset|background|bgcolor|color|hidden|tabindex|open|aria-.*|data-.*)$/

const widenSelector = (
  tokens: readonly Selector[],
): (Omit<Match, keyof Rule | 'matches'> & { readonly kept: Selector[] }) | null => {
  let isGenerated = false
  let isExact = true
  let kept: Selector[] = []
  for (const token of tokens.slice(tokens.findLastIndex(isOtherStep) + 1)) {
    if (token.type === SelectorType.Pseudo && NEVER.test(token.name)) return null
    if (
      token.type === SelectorType.PseudoElement ||
      (token.type === SelectorType.Pseudo && TEXT_PARTS.test(token.name))
    ) {
      if (/^(?:before|after)$/.test(token.name)) isGenerated = true
      else if (UNSEEN_PARTS.test(token.name)) return null
    }
    if (token.type === SelectorType.Attribute) {
      const name = token.name.toLowerCase()
      if (name !== 'class') isExact = false
      if (!CHANGED.test(name)) kept.push({ ...token, name, namespace: null, ignoreCase: true })
    } else if (token.type === SelectorType.Tag) kept.push({ ...token, name: token.name.toLowerCase(), namespace: null })
    else if (token.type === SelectorType.Universal) kept.push({ ...token, namespace: null })
    // The reader drops elements around others.
    else if (isStep(token)) kept.push({ type: SelectorType.Descendant })
    else isExact = false
  }
  if (tokens.some(isOtherStep)) isExact = false
  if (kept.filter(isStep).length >= MAX.compounds) throw new UnreadableError('long selector')
  // A compound of states alone matches any element.
  kept = kept.flatMap((token, place) => {
    const before = kept[place - 1]
    const isBare = isStep(token) && (before === undefined || isStep(before))
    return isBare ? [{ type: SelectorType.Universal, namespace: null }, token] : [token]
  })
  const last = kept.at(-1)
  if (last === undefined || isStep(last)) kept.push({ type: SelectorType.Universal, namespace: null })
  return { kept, isExact, isGenerated }
}

const compileRule = (rule: Rule): readonly Match[] => {
  const { selector } = rule
  if (/[^ -~\s]|\\[\da-f]|linnet-/i.test(selector) || (selector !== rule.written && /["']/.test(rule.written)))
    throw new UnreadableError(selector)
  let selectors: Selector[][]
  try {
    selectors = parseSelector(rule.selector)
  } catch {
    throw new UnreadableError(rule.selector)
  }
  return selectors.flatMap((tokens) => {
    const widened = widenSelector(tokens)
    if (widened === null) return []
    const { kept, ...flags } = widened
    const matches = compile<Element, Element>([kept])
    const last = compile<Element, Element>([kept.slice(kept.findLastIndex(isStep) + 1)])
    const isMoving =
      rule.effects.some(({ kind }) => kind === 'page') || rule.important.some(({ kind }) => MOVES.test(kind))
    if (isMoving && ADDED.some((one) => last(one))) throw new UnreadableError(selector)
    return [{ ...rule, ...flags, matches: (element: Element) => matches(element) }]
  })
}

const isDisplay = ({ kind }: Effect): boolean => kind === 'block' || kind === 'inline' || kind === 'box'

/**
 * Effects of the styles on each element. Takes all rules that may apply, whatever their weight and condition, so it
 * needs no cascade: text is sure only if none of them can hide it.
 */
export class PageStyles {
  /** True if the styles can't be read, or exceed the limits. */
  readonly isUnreadable: boolean = false
  readonly #rules: readonly Match[] = []
  readonly #attributes = new Map<string, Pick<Rule, 'effects' | 'important'> | null>()

  constructor({ sheets }: HtmlPage, elements: number) {
    try {
      const length = sheets.reduce((sum, { css }) => sum + css.length, 0)
      if (length > MAX.characters) throw new UnreadableError('long style sheets')
      const rules = sheets
        .flatMap(({ css, isConditional }) => readRules(parseCss(css, 'stylesheet'), isConditional))
        .filter(({ effects, important }) => effects.length + important.length > 0)
      if (rules.length > MAX.rules) throw new UnreadableError('many rules')
      this.#rules = rules.flatMap(compileRule)
      if (this.#rules.length * elements > MAX.comparisons) throw new UnreadableError('many comparisons')
    } catch (error) {
      if (!(error instanceof UnreadableError || error instanceof RangeError)) throw error
      this.#rules = []
      this.isUnreadable = true
    }
  }

  of(element: Element): ElementEffects | null {
    const attribute = this.#readAttribute(element.attribs.style ?? '')
    if (attribute === null) return null
    const matched = this.#rules.filter(({ matches }) => matches(element))
    const drawn = matched.filter(({ isGenerated }) => !isGenerated)
    // Boxes before and after the content can't hide it, unless they cover it.
    const generated = matched
      .filter(({ isGenerated }) => isGenerated)
      .flatMap(({ effects, important }) => [...effects, ...important])
      .filter(({ kind }) => kind === 'size' || MOVES.test(kind))
      .map((): Effect => ({ kind: 'page' }))
    const ofRules = [...drawn.flatMap(({ effects }) => effects), ...generated]
    const important = drawn.flatMap((rule) => rule.important)
    const own = [...attribute.effects, ...attribute.important]
    const hiding = drawn.filter(({ effects, important: strong }) =>
      [...effects, ...strong].some(({ kind }) => kind === 'hidden'),
    )
    const isHiddenByRule = hiding.some(({ isExact, isConditional }) => isExact && !isConditional)
    const isShown = [...own, ...ofRules, ...important].some(isDisplay)
    const isHiddenByAttribute = own.some(({ kind }) => kind === 'hidden')
    return {
      ...{ own, ofRules, important },
      isHidden: (isHiddenByAttribute || isHiddenByRule) && !isShown,
    }
  }

  #readAttribute(written: string): Pick<Rule, 'effects' | 'important'> | null {
    if (written === '') return { effects: [], important: [] }
    // The reader removes such attributes.
    if (/[-\]!]>|<\//.test(written)) return null
    const known = this.#attributes.get(written)
    if (known !== undefined) return known
    if (this.#attributes.size >= MAX.attributes) return null
    let read: Pick<Rule, 'effects' | 'important'> | null
    try {
      read = readDeclarations(parseCss(written, 'declarationList'))
    } catch (error) {
      if (!(error instanceof UnreadableError || error instanceof RangeError)) throw error
      read = null
    }
    this.#attributes.set(written, read)
    return read
  }
}
