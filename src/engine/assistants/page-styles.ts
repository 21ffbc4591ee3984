import {
  mergeDeclarations,
  parseStyleRules,
  type DeclaredValues,
  type MatchedRule,
} from '../../shared/css/style-rules.ts'
import type { StyledElement } from '../../shared/css/element-style.ts'
import { isTextHidden, DEFAULT_PAGE_STYLE, computeElementStyle } from '../../shared/css/hidden-style.ts'
import { isScreenQuery } from './media-query.ts'
import type { PageElement } from './html-page.ts'
import {
  matchesSelector,
  SelectorBudgetError,
  parseSelectors,
  UnknownSelectorError,
  type SelectorBudget,
  type Selector,
} from './selectors.ts'

/** Limits for style sheets. Beyond them, style sheets are ignored and the text counts as unsure. */
const MAX = { characters: 200_000, rules: 5_000, steps: 20_000_000 } as const

/** Limits for style attributes: characters of each, and distinct ones. Others count as unreadable. */
const ATTRIBUTE_LIMITS = { characters: 10_000, different: 10_000 } as const

/** CSS properties that can hide text, including by size, colour or position. */
const VISIBILITY_PROPERTIES =
  /^(?:--.*|display|visibility|opacity|content.*|line-clamp|color|background.*|font.*|text-(?:indent|fill-color|security)|letter-spacing|line-height|clip.*|mask.*|filter|mix-blend-mode|mso-hide|(?:min-|max-)?(?:width|height|block-size|inline-size)|overflow.*|contain|padding.*|margin.*|position|top|right|bottom|left|inset.*|transform.*|scale|translate|rotate|zoom|backface-visibility|white-space.*|unicode-bidi)$/

interface PlacedRule extends MatchedRule {
  readonly order: number
}

export interface PageStyles {
  /** @returns null for unreadable styles */
  readonly of: (element: PageElement) => DeclaredValues | null
  /** True if something may be hidden without being detected. */
  readonly isUnsure: boolean
}

/** True for at-rules that the window keeps in mail and that browsers apply. */
const appliesInMail = (name: string, query: string): boolean =>
  name === 'media' ? isScreenQuery(query) : name === 'layer' || name === 'supports'

const ANY_ELEMENT: StyledElement = { localName: 'div', getAttribute: () => null }

/** True if the declarations alone hide an element. */
const hides = (declarations: MatchedRule['declarations']): boolean => {
  const declared = mergeDeclarations([{ declarations, specificity: 0, isLayered: false }], '')
  const style = declared === null ? null : computeElementStyle(DEFAULT_PAGE_STYLE, declared, ANY_ELEMENT)
  return style === null || isTextHidden(style)
}

/** Reads element styles. Elements that no rule matches share a cache keyed by their style attribute. */
const createStyleReader = (rulesFor: (element: PageElement) => readonly MatchedRule[]): PageStyles['of'] => {
  const attributes = new Set<string>()
  const known = new Map<string, DeclaredValues | null>()
  return (element) => {
    const attribute = element.getAttribute('style') ?? ''
    if (attribute.length > ATTRIBUTE_LIMITS.characters) return null
    if (attributes.size >= ATTRIBUTE_LIMITS.different && !attributes.has(attribute)) return null
    attributes.add(attribute)
    const rules = rulesFor(element)
    if (rules.length > 0) return mergeDeclarations(rules, attribute)
    const declared = known.get(attribute) ?? mergeDeclarations(rules, attribute)
    known.set(attribute, declared)
    return declared
  }
}

const stylesFromAttributes = (isUnsure: boolean): PageStyles => ({ of: createStyleReader(() => []), isUnsure })

const keysOf = (element: PageElement): readonly string[] => {
  const id = element.getAttribute('id')
  return ['*', element.localName, ...[...element.classes].map((name) => `.${name}`), ...(id === null ? [] : [`#${id}`])]
}

export function* iterateElements(root: PageElement): Generator<PageElement> {
  const open = root.elements.toReversed()
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    yield element
    for (let index = element.elements.length - 1; index >= 0; index -= 1) {
      const child = element.elements[index]
      if (child !== undefined) open.push(child)
    }
  }
}

const isSheet = (element: PageElement): boolean =>
  element.localName === 'style' &&
  /^(?:text\/css)?$/i.test(element.getAttribute('type') ?? '') &&
  isScreenQuery(element.getAttribute('media') ?? '')

/**
 * Reads style sheets and attributes within `MAX`. Selectors support names, classes, IDs, attributes, all combinators,
 * `:not`, `:is`, `:where` and sibling positions. Rules that a browser may understand differently make the page unsure.
 */
export const collectPageStyles = (root: PageElement): PageStyles => {
  const sheets = [...iterateElements(root)]
    .filter(isSheet)
    .map(({ children }) => children.filter((child) => typeof child === 'string').join(''))
  if (sheets.length === 0) return stylesFromAttributes(false)
  if (sheets.reduce((sum, { length }) => sum + length, 0) > MAX.characters) return stylesFromAttributes(true)
  const byKey = new Map<string, [Selector, PlacedRule][]>()
  let [order, isUnsure] = [0, false]
  for (const sheet of sheets) {
    const rules = parseStyleRules(sheet, appliesInMail)
    if (rules === null) return stylesFromAttributes(true)
    for (const { selector: written, declarations, isLayered, isConditional } of rules) {
      const telling = declarations.filter(({ property }) => VISIBILITY_PROPERTIES.test(property))
      // It is unknown whether a conditional rule applies in a browser, so it may hide but never reveal.
      if (telling.length === 0 || (isConditional && !hides(telling))) continue
      order += 1
      if (order > MAX.rules) return stylesFromAttributes(true)
      try {
        for (const selector of parseSelectors(written) ?? []) {
          const placed = { declarations: telling, specificity: selector.specificity, isLayered, order }
          const known = byKey.get(selector.key)
          if (known === undefined) byKey.set(selector.key, [[selector, placed]])
          else known.push([selector, placed])
        }
      } catch (error) {
        if (!(error instanceof UnknownSelectorError || error instanceof RangeError)) throw error
        isUnsure = true
      }
    }
  }
  const budget: SelectorBudget = { left: MAX.steps }
  const holding = new Map<PageElement, readonly PlacedRule[]>()
  try {
    for (const element of iterateElements(root)) {
      const found = keysOf(element)
        .flatMap((key) => byKey.get(key) ?? [])
        .filter(([selector]) => matchesSelector(element, selector, budget))
        .map(([, rule]) => rule)
      if (found.length > 0)
        holding.set(
          element,
          found.toSorted((a, b) => a.order - b.order),
        )
      budget.left -= found.reduce((sum, { declarations }) => sum + declarations.length, 0)
    }
  } catch (error) {
    if (error instanceof SelectorBudgetError) return stylesFromAttributes(true)
    throw error
  }
  return { of: createStyleReader((element) => holding.get(element) ?? []), isUnsure }
}
