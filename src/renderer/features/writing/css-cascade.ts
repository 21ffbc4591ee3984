import parse, { type CssNode } from 'css-tree/parser'
import { plainName, valueOf, type Pieces } from './css-values.ts'

/** A declaration, with what decides between it and others of its property. */
interface Declaration {
  readonly property: string
  readonly value: Pieces
  readonly isImportant: boolean
  /** Of the selector; a style attribute's is above all. */
  readonly specificity: number
}

/** What styles say of an element: the values of each property, the one that a browser tries first in front. */
export type Declared = ReadonlyMap<string, readonly Pieces[]>

interface StyleRule {
  readonly selector: string
  readonly declarations: readonly Omit<Declaration, 'specificity'>[]
}

const IN_ATTRIBUTE = Number.MAX_SAFE_INTEGER

const childrenOf = (node: CssNode | null | undefined): readonly CssNode[] => node?.children?.toArray() ?? []

const declarationsOf = (nodes: readonly CssNode[]): readonly Omit<Declaration, 'specificity'>[] =>
  nodes.flatMap(({ type, property = '', value, important }) =>
    type === 'Declaration'
      ? [{ property: plainName(property), value: valueOf(value), isImportant: important !== false }]
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

const writtenIn = (node: CssNode | null | undefined): string => (typeof node?.value === 'string' ? node.value : '')

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

/**
 * Reads what style sheets and style attributes say of each element, in the order in which a browser asks them (CSS
 * Cascading 4, 6). Of a selector list the most specific part counts for all of it.
 */
export const readStyles = (root: Element | DocumentFragment): ((element: Element) => Declared) => {
  const bySheets = new Map<Element, Declaration[]>()
  for (const sheet of root.querySelectorAll('style')) {
    const tree = parse(sheet.textContent, {
      ...{ context: 'stylesheet', parseRulePrelude: false, parseAtrulePrelude: false },
      onParseError: passOver,
    })
    for (const { selector, declarations } of rulesIn(childrenOf(tree), '')) {
      if (declarations.length === 0) continue
      const specificity = specificityOfList(selector)
      try {
        for (const element of root.querySelectorAll(selector)) {
          const said = bySheets.get(element) ?? []
          said.push(...declarations.map((declaration) => ({ ...declaration, specificity })))
          bySheets.set(element, said)
        }
      } catch {
        // A browser passes over a selector that it does not know, with its rule.
      }
    }
  }
  return (element) => {
    const written = element.getAttribute('style') ?? ''
    const tree = written === '' ? null : parse(written, { context: 'declarationList', onParseError: passOver })
    const own = declarationsOf(childrenOf(tree)).map((each) => ({ ...each, specificity: IN_ATTRIBUTE }))
    const declared = new Map<string, Pieces[]>()
    // The sort is stable: of two that are equal the later one is asked first.
    const all = [...(bySheets.get(element) ?? []), ...own].toReversed()
    all.sort((a, b) => Number(b.isImportant) - Number(a.isImportant) || b.specificity - a.specificity)
    for (const { property, value } of all) declared.set(property, [...(declared.get(property) ?? []), value])
    return declared
  }
}
