import parse, { type CssNode } from 'css-tree/parser'
import { plainName } from './css-values.ts'

interface Declaration {
  readonly property: string
  /** As it is written. */
  readonly value: string
  readonly isImportant: boolean
}

/** What styles say of an element: the values of each property as they are written, the one that a browser tries first in front. */
export type Declared = ReadonlyMap<string, readonly string[]>

interface StyleRule {
  readonly selector: string
  readonly declarations: readonly Declaration[]
}

const IN_ATTRIBUTE = Number.MAX_SAFE_INTEGER

const childrenOf = (node: CssNode | null | undefined): readonly CssNode[] => node?.children?.toArray() ?? []

const writtenIn = (node: CssNode | string | null | undefined): string =>
  typeof node === 'object' && typeof node?.value === 'string' ? node.value : ''

const declarationsOf = (nodes: readonly CssNode[]): readonly Declaration[] =>
  nodes.flatMap(({ type, property = '', value, important }) =>
    type === 'Declaration'
      ? [{ property: plainName(property), value: writtenIn(value), isImportant: important !== false }]
      : [],
  )

/** Rules of style that hold for nothing that is drawn, or for a moment. */
const NO_STYLES = /^(?:keyframes|page|font-face|property|counter-style|font-feature-values)$/

/** Whether rules under such a head hold for what is on the screen now. */
const holds = (name: string, prelude: string): boolean => {
  if (NO_STYLES.test(name)) return false
  // Where that cannot be told, what would be hidden is: rather words too few than words that nobody saw.
  return name !== 'media' || typeof matchMedia === 'undefined' || matchMedia(prelude).matches
}

const DEEPEST = 20

const rulesIn = (nodes: readonly CssNode[], around: string, depth = 0): readonly StyleRule[] =>
  depth > DEEPEST
    ? []
    : nodes.flatMap((node) => {
        const inner = childrenOf(node.block)
        if (node.type === 'Atrule') {
          if (!holds(plainName(typeof node.name === 'string' ? node.name : ''), writtenIn(node.prelude))) return []
          const own = around === '' ? [] : [{ selector: around, declarations: declarationsOf(inner) }]
          return [...own, ...rulesIn(inner, around, depth + 1)]
        }
        if (node.type !== 'Rule') return []
        const written = writtenIn(node.prelude)
        const selector =
          around === ''
            ? written
            : written.includes('&')
              ? written.replaceAll('&', `:is(${around})`)
              : `:is(${around}) :is(${written})`
        return [{ selector, declarations: declarationsOf(inner) }, ...rulesIn(inner, selector, depth + 1)]
      })

const SPECIFIC: Readonly<Record<string, number>> = {
  IdSelector: 1_000_000,
  ClassSelector: 1_000,
  AttributeSelector: 1_000,
  TypeSelector: 1,
  PseudoElementSelector: 1,
}

/** How specific a part of a selector is (Selectors 4, 17), as one number. */
const specificityOf = (node: CssNode): number => {
  const within = childrenOf(node).map(specificityOf)
  if (node.type === 'SelectorList') return Math.max(0, ...within)
  const sum = within.reduce((all, each) => all + each, 0)
  if (node.type !== 'PseudoClassSelector') return node.name === '*' ? 0 : sum + (SPECIFIC[node.type] ?? 0)
  if (node.name === 'where') return 0
  return typeof node.name === 'string' && /^(?:is|not|has)$/.test(node.name) ? sum : sum + 1_000
}

const specificityOfList = (selector: string): number => {
  try {
    return specificityOf(parse(selector, { context: 'selectorList' }))
  } catch {
    return 0
  }
}

const passOver = (): void => undefined

/** @returns null for what lies so deep in each other that it cannot be read */
const parsed = (css: string, context: 'declarationList' | 'stylesheet'): readonly CssNode[] | null => {
  try {
    const asText = { parseRulePrelude: false, parseAtrulePrelude: false, parseValue: false }
    return childrenOf(parse(css, { context, ...asText, onParseError: passOver }))
  } catch {
    return null
  }
}

/** Declarations that style sheets may put on all elements together: many times those of any page, and few for a computer. */
const MOST = 2_000_000

/** A rule that holds for an element. Of a selector list the most specific part counts for all of it. */
type Holding = Pick<StyleRule, 'declarations'> & { readonly specificity: number }

/**
 * Reads what style sheets and style attributes say of each element, in the order in which a browser asks them (CSS
 * Cascading 4, 6).
 * @returns what reads an element, which says null where its style cannot be read; null where there is too much to read
 */
export const readStyles = (root: Element | DocumentFragment): ((element: Element) => Declared | null) | null => {
  const bySheets = new Map<Element, Holding[]>()
  let count = 0
  for (const sheet of root.querySelectorAll('style')) {
    const nodes = parsed(sheet.textContent, 'stylesheet')
    if (nodes === null) return null
    for (const { selector, declarations } of rulesIn(nodes, '')) {
      if (declarations.length === 0) continue
      const holding = { declarations, specificity: specificityOfList(selector) }
      try {
        for (const element of root.querySelectorAll(selector)) {
          const said = bySheets.get(element)
          if (said === undefined) bySheets.set(element, [holding])
          else said.push(holding)
          count += declarations.length
        }
      } catch {
        // A browser passes over a selector that it does not know, with its rule.
      }
      if (count > MOST) return null
    }
  }
  return (element) => {
    const own = parsed(element.getAttribute('style') ?? '', 'declarationList')
    if (own === null) return null
    const rules = [...(bySheets.get(element) ?? []), { declarations: declarationsOf(own), specificity: IN_ATTRIBUTE }]
    // The sort is stable: of two that are equal the later one is asked first.
    const all = rules
      .flatMap(({ declarations, specificity }) => declarations.map((declaration) => ({ ...declaration, specificity })))
      .toReversed()
      .toSorted((a, b) => Number(b.isImportant) - Number(a.isImportant) || b.specificity - a.specificity)
    const declared = new Map<string, string[]>()
    for (const { property, value } of all) {
      const values = declared.get(property)
      if (values === undefined) declared.set(property, [value])
      else values.push(value)
    }
    return declared
  }
}
