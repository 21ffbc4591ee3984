import parse, { type CssNode } from 'css-tree/parser'
import { normalizePropertyName } from './css-values.ts'

export interface Declaration {
  readonly property: string
  /** The unparsed value. */
  readonly value: string
  readonly isImportant: boolean
}

/** Unparsed values of an element by property, in the order a browser tries them. */
export type DeclaredValues = ReadonlyMap<string, readonly string[]>

export interface StyleRule {
  readonly selector: string
  readonly declarations: readonly Declaration[]
  /** Unlayered rules take precedence over layered ones. */
  readonly isLayered: boolean
  /** True if the rule depends on browser features (`@supports`). */
  readonly isConditional: boolean
}

const childrenOf = (node: CssNode | null | undefined): readonly CssNode[] => node?.children?.toArray() ?? []

const rawTextOf = (node: CssNode | string | null | undefined): string =>
  typeof node === 'object' && typeof node?.value === 'string' ? node.value : ''

const declarationsOf = (nodes: readonly CssNode[]): readonly Declaration[] =>
  nodes.flatMap(({ type, property = '', value, important }) =>
    type === 'Declaration'
      ? [{ property: normalizePropertyName(property), value: rawTextOf(value), isImportant: important !== false }]
      : [],
  )

/** At-rules that don't style rendered elements, or style them only for a moment. */
const NO_STYLES = /^(?:keyframes|page|font-face|property|counter-style|font-feature-values)$/

/**
 * Returns true if the rules under this at-rule apply to the current screen, for example `media` with its query, or
 * `supports`.
 */
type AtRuleMatcher = (name: string, prelude: string) => boolean

const MAX_DEPTH = 20
/** Maximum characters of a selector. Nested rules repeat the outer selectors, so the length doubles with each `&&`. */
const LONGEST_SELECTOR = 20_000

interface RuleContext {
  readonly selector: string
  readonly isLayered: boolean
  readonly isConditional: boolean
  readonly depth: number
}

const TOP_LEVEL: RuleContext = { selector: '', isLayered: false, isConditional: false, depth: 0 }

const within = (around: string, written: string): string => {
  if (around === '') return written
  return written.includes('&') ? written.replaceAll('&', `:is(${around})`) : `:is(${around}) :is(${written})`
}

const rulesIn = (
  nodes: readonly CssNode[],
  holds: AtRuleMatcher,
  around: RuleContext = TOP_LEVEL,
): readonly StyleRule[] =>
  around.depth > MAX_DEPTH
    ? []
    : nodes.flatMap((node) => {
        const inner = childrenOf(node.block)
        const { isLayered, isConditional, depth } = around
        const ruleOf = (selector: string, now: RuleContext): StyleRule => ({
          selector,
          declarations: declarationsOf(inner),
          isLayered: now.isLayered,
          isConditional: now.isConditional,
        })
        if (node.type === 'Atrule') {
          const name = normalizePropertyName(typeof node.name === 'string' ? node.name : '')
          if (NO_STYLES.test(name) || !holds(name, rawTextOf(node.prelude))) return []
          const now = {
            ...around,
            isLayered: isLayered || name === 'layer',
            isConditional: isConditional || name === 'supports',
            depth: depth + 1,
          }
          return [...(around.selector === '' ? [] : [ruleOf(around.selector, now)]), ...rulesIn(inner, holds, now)]
        }
        if (node.type !== 'Rule') return []
        const selector = within(around.selector, rawTextOf(node.prelude))
        if (selector.length > LONGEST_SELECTOR) throw new RangeError('A nested selector is too long.')
        return [ruleOf(selector, around), ...rulesIn(inner, holds, { ...around, selector, depth: depth + 1 })]
      })

const SPECIFICITY: Readonly<Record<string, number>> = {
  IdSelector: 1_000_000,
  ClassSelector: 1_000,
  AttributeSelector: 1_000,
  TypeSelector: 1,
  PseudoElementSelector: 1,
}

/** Specificity of part of a selector (Selectors 4, 17) as one number. */
export const computeSpecificity = (node: CssNode): number => {
  const within = childrenOf(node).map(computeSpecificity)
  if (node.type === 'SelectorList') return Math.max(0, ...within)
  const sum = within.reduce((all, each) => all + each, 0)
  if (node.type !== 'PseudoClassSelector') return node.name === '*' ? 0 : sum + (SPECIFICITY[node.type] ?? 0)
  if (node.name === 'where') return 0
  return typeof node.name === 'string' && /^(?:is|not|has)$/.test(node.name) ? sum : sum + 1_000
}

export const computeListSpecificity = (selector: string): number => {
  try {
    return computeSpecificity(parse(selector, { context: 'selectorList' }))
  } catch {
    return 0
  }
}

const ignoreError = (): void => undefined

/** @returns null if the nesting is too deep to parse */
const parseNodes = (css: string, context: 'declarationList' | 'stylesheet'): readonly CssNode[] | null => {
  try {
    const asText = { parseRulePrelude: false, parseAtrulePrelude: false, parseValue: false }
    return childrenOf(parse(css, { context, ...asText, onParseError: ignoreError }))
  } catch {
    return null
  }
}

/**
 * The rules of a style sheet. Nested rules get complete selectors.
 * @param holds is called with the at-rule's name, without `@`, and its prelude
 * @returns null if the nesting is too deep to parse
 */
export const parseStyleRules = (css: string, holds: AtRuleMatcher): readonly StyleRule[] | null => {
  const nodes = parseNodes(css, 'stylesheet')
  try {
    return nodes === null ? null : rulesIn(nodes, holds)
  } catch {
    return null
  }
}

/** A rule that matches an element. In a selector list, the most specific selector counts for the whole list. */
export type MatchedRule = Pick<StyleRule, 'declarations' | 'isLayered'> & { readonly specificity: number }

const ATTRIBUTE_WEIGHT = Number.MAX_SAFE_INTEGER
/** Higher than the weight of any selector, lower than that of the style attribute. */
const LAYER_WEIGHT = 1e12

/**
 * Weight of a declaration. Layered rules come after all others, or before them if important (CSS Cascading 5, 6.4.4).
 */
const weightOf = (specificity: number, isLayered: boolean, isImportant: boolean): number =>
  isLayered ? specificity + (isImportant ? LAYER_WEIGHT : -LAYER_WEIGHT) : specificity

/**
 * Merges matching rules with an element's style attribute, in the order a browser tries them (CSS Cascading 4, 6).
 * @param rules rules that match the element, in the order of the style sheets
 * @returns null if the attribute can't be parsed
 */
export const mergeDeclarations = (rules: readonly MatchedRule[], attribute: string): DeclaredValues | null => {
  const own = attribute === '' ? [] : parseNodes(attribute, 'declarationList')
  if (own === null) return null
  // The sort is stable, and the list is reversed first, so the later of two equal declarations wins.
  const all = [...rules, { declarations: declarationsOf(own), specificity: ATTRIBUTE_WEIGHT, isLayered: false }]
    .flatMap(({ declarations, specificity, isLayered }) =>
      declarations.map((declaration) => ({
        ...declaration,
        weight: weightOf(specificity, isLayered, declaration.isImportant),
      })),
    )
    .toReversed()
    .toSorted((a, b) => Number(b.isImportant) - Number(a.isImportant) || b.weight - a.weight)
  const declared = new Map<string, string[]>()
  for (const { property, value } of all) {
    const values = declared.get(property)
    if (values === undefined) declared.set(property, [value])
    else values.push(value)
  }
  return declared
}
