import parse, { type CssNode } from 'css-tree/parser'
import { computeSpecificity } from '../../shared/css/style-rules.ts'
import type { PageElement } from './html-page.ts'

/** Steps left for all selector matching. */
export interface SelectorBudget {
  left: number
}

type Test = (element: PageElement, budget: SelectorBudget) => boolean

interface Compound {
  readonly tests: readonly Test[]
  /** Combinator with the compound on its left; '' for the first. */
  readonly combinator: string
}

export interface Selector {
  /** Rightmost compound first. */
  readonly compounds: readonly Compound[]
  /** Index key that an element must have: `#id`, `.class`, a name, or `*`. */
  readonly key: string
  readonly specificity: number
}

export class UnknownSelectorError extends Error {}
export class SelectorBudgetError extends Error {}

const spend = (budget: SelectorBudget, steps = 1): void => {
  budget.left -= steps
  if (budget.left < 0) throw new SelectorBudgetError('The selector matching budget is used up.')
}

const childrenOf = (node: CssNode): readonly CssNode[] => node.children?.toArray() ?? []

const unescapeName = (text: string): string =>
  text.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, code?: string, letter?: string) => {
    const point = Number.parseInt(code ?? '', 16)
    return letter ?? (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd')
  })

const nameIn = (node: CssNode): string => (typeof node.name === 'string' ? unescapeName(node.name) : '')

interface SelectorNode extends CssNode {
  readonly matcher?: string | null
  readonly flags?: string | null
  readonly nth?: { readonly type: string; readonly a?: string; readonly b?: string; readonly name?: string }
  readonly selector?: CssNode | null
}

const attributeTest = (node: SelectorNode): Test => {
  const name = (typeof node.name === 'object' ? nameIn(node.name) : nameIn(node)).toLowerCase()
  const { matcher, value } = node
  if (matcher === null || matcher === undefined) return (element) => element.getAttribute(name) !== null
  const said = typeof value !== 'object' ? '' : typeof value.value === 'string' ? value.value : nameIn(value)
  // Legacy attributes compare case-insensitively (HTML Standard, 4.16.2). When in doubt, hide more.
  const fold = (text: string): string =>
    node.flags?.toLowerCase() === 'i' || /^(?:type|align|valign|dir|lang|color|bgcolor|face|rel)$/.test(name)
      ? text.toLowerCase()
      : text
  const wanted = fold(said)
  const tests: Readonly<Record<string, (own: string) => boolean>> = {
    '=': (own) => own === wanted,
    '~=': (own) => wanted !== '' && own.split(/\s+/).includes(wanted),
    '|=': (own) => own === wanted || own.startsWith(`${wanted}-`),
    '^=': (own) => wanted !== '' && own.startsWith(wanted),
    '$=': (own) => wanted !== '' && own.endsWith(wanted),
    '*=': (own) => wanted !== '' && own.includes(wanted),
  }
  const test = tests[matcher]
  if (test === undefined) throw new UnknownSelectorError(matcher)
  return (element, budget) => {
    const own = element.getAttribute(name)
    if (own === null) return false
    spend(budget, 1 + own.length / 64)
    return test(fold(own))
  }
}

/** 1-based position among the siblings, optionally from the end or of the same name. */
const positionOf = (element: PageElement, fromEnd: boolean, ofType: boolean, budget: SelectorBudget): number => {
  const all = element.parent?.elements ?? [element]
  if (!ofType) return fromEnd ? all.length - element.place : element.place + 1
  const others = fromEnd ? all.slice(element.place) : all.slice(0, element.place + 1)
  spend(budget, others.length)
  return others.filter(({ localName }) => localName === element.localName).length
}

const nthTest = (node: CssNode, fromEnd: boolean, ofType: boolean): Test => {
  const [given] = childrenOf(node) as readonly SelectorNode[]
  const { nth, selector } = given ?? {}
  if (nth === undefined || (selector !== null && selector !== undefined)) throw new UnknownSelectorError('nth')
  const [a, b] =
    nth.type === 'AnPlusB' ? [Number(nth.a ?? 0), Number(nth.b ?? 0)] : nth.name === 'odd' ? [2, 1] : [2, 0]
  return (element, budget) => {
    const distance = positionOf(element, fromEnd, ofType, budget) - b
    return a === 0 ? distance === 0 : distance % a === 0 && distance / a >= 0
  }
}

/** Pseudo-classes that never match in mail that is only read, such as `:hover`. */
const NEVER =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|target|target-within|autofill|fullscreen|modal|checked|invalid|user-invalid|has|-moz-.*|-ms-.*|-webkit-(?!any$).*)$/

const isFirst = (element: PageElement): boolean => element.place === 0
const isLast = (element: PageElement): boolean => element.place + 1 === (element.parent?.elements.length ?? 1)

const PSEUDO: Readonly<Record<string, Test>> = {
  'first-child': isFirst,
  'last-child': isLast,
  'only-child': (element) => isFirst(element) && isLast(element),
  'first-of-type': (element, budget) => positionOf(element, false, true, budget) === 1,
  'last-of-type': (element, budget) => positionOf(element, true, true, budget) === 1,
  'only-of-type': (element, budget) =>
    positionOf(element, false, true, budget) === 1 && positionOf(element, true, true, budget) === 1,
  empty: ({ children }) => children.every((child) => child === ''),
  root: ({ parent }) => parent?.parent === null,
  scope: ({ parent }) => parent?.parent === null,
  link: (element) => element.getAttribute('href') !== null,
  'any-link': (element) => element.getAttribute('href') !== null,
  defined: () => true,
  enabled: () => true,
}

const NTH: Readonly<Record<string, readonly [fromEnd: boolean, ofType: boolean]>> = {
  'nth-child': [false, false],
  'nth-last-child': [true, false],
  'nth-of-type': [false, true],
  'nth-last-of-type': [true, true],
}

const pseudoTest = (node: CssNode): Test => {
  const name = nameIn(node).toLowerCase()
  const own = PSEUDO[name]
  if (own !== undefined) return own
  if (NEVER.test(name)) return () => false
  const nth = NTH[name]
  if (nth !== undefined) return nthTest(node, ...nth)
  if (/^(?:is|where|not|matches|any|-webkit-any)$/.test(name)) {
    const within = childrenOf(node).flatMap((list) => childrenOf(list).map(compileSelector))
    const isOne: Test = (element, budget) => within.some((selector) => matchesSelector(element, selector, budget))
    return name === 'not' ? (element, budget) => !isOne(element, budget) : isOne
  }
  throw new UnknownSelectorError(name)
}

const testOf = (node: CssNode): Test => {
  const name = nameIn(node)
  switch (node.type) {
    case 'TypeSelector': {
      const local = (name.split('|').at(-1) ?? '').toLowerCase()
      return local === '*' ? () => true : (element) => element.localName === local
    }
    case 'ClassSelector':
      return (element) => element.classes.has(name)
    case 'IdSelector':
      return (element) => element.getAttribute('id') === name
    case 'AttributeSelector':
      return attributeTest(node)
    case 'PseudoClassSelector':
      return pseudoTest(node)
    // Generated content is not part of the text.
    case 'PseudoElementSelector':
      return () => false
    default:
      throw new UnknownSelectorError(node.type)
  }
}

const MAX_COMPOUNDS = 40

const KEYS: Readonly<Record<string, (name: string) => string>> = {
  IdSelector: (name) => `#${name}`,
  ClassSelector: (name) => `.${name}`,
  TypeSelector: (name) => (name.split('|').at(-1) ?? '*').toLowerCase(),
}

function compileSelector(node: CssNode): Selector {
  const compounds: { tests: Test[]; combinator: string }[] = [{ tests: [], combinator: '' }]
  let last: CssNode[] = []
  for (const part of childrenOf(node)) {
    if (part.type === 'Combinator') {
      compounds.push({ tests: [], combinator: nameIn(part) || ' ' })
      last = []
      continue
    }
    compounds.at(-1)?.tests.push(testOf(part))
    last.push(part)
  }
  if (compounds.length > MAX_COMPOUNDS) throw new UnknownSelectorError('The selector has too many parts.')
  const keyed = ['IdSelector', 'ClassSelector', 'TypeSelector'].flatMap((kind) =>
    last.filter(({ type }) => type === kind),
  )[0]
  const key = keyed === undefined ? '*' : (KEYS[keyed.type]?.(nameIn(keyed)) ?? '*')
  return { compounds: compounds.toReversed(), key, specificity: computeSpecificity(node) }
}

/** @throws SelectorBudgetError */
export function matchesSelector(
  element: PageElement,
  { compounds }: Selector,
  budget: SelectorBudget,
  at = 0,
): boolean {
  const compound = compounds[at]
  if (compound === undefined) return true
  spend(budget, 1 + compound.tests.length)
  if (!compound.tests.every((test) => test(element, budget))) return false
  const { combinator } = compound
  const rest = (other: PageElement): boolean =>
    matchesSelector(other, { compounds, key: '', specificity: 0 }, budget, at + 1)
  const { parent, place } = element
  const isElement = parent !== null && parent.parent !== null
  if (at + 1 >= compounds.length) return true
  if (combinator === '>') return isElement && rest(parent)
  if (combinator === '+') {
    const before = parent?.elements[place - 1]
    return before !== undefined && rest(before)
  }
  if (combinator === '~') {
    for (let index = place - 1; index >= 0; index -= 1) {
      const before = parent?.elements[index]
      if (before !== undefined && rest(before)) return true
    }
    return false
  }
  if (combinator !== ' ') return false
  for (let around = parent; around !== null && around.parent !== null; around = around.parent) {
    if (rest(around)) return true
  }
  return false
}

/** @returns null for a rule that browsers ignore @throws UnknownSelectorError for selectors only a browser may know */
export const parseSelectors = (written: string): readonly Selector[] | null => {
  let list: CssNode
  try {
    list = parse(written, { context: 'selectorList' })
  } catch {
    return null
  }
  return childrenOf(list).map(compileSelector)
}
