import { declaredBy, rulesOf, type Declared, type HoldingRule } from '../../shared/css/style-rules.ts'
import type { StyledElement } from '../../shared/css/element-style.ts'
import { areWordsUnseen, PAGE, within } from '../../shared/css/unseen-style.ts'
import { isScreenQuery } from './media-query.ts'
import type { PageElement } from './page.ts'
import {
  matchesSelector,
  SelectorBudgetError,
  selectorsOf,
  UnknownSelectorError,
  type Budget,
  type Selector,
} from './selectors.ts'

/**
 * Bounds of the style sheets of one e-mail: characters, rules, and steps of comparing all elements with them. Beyond them
 * no rule of a sheet is looked at, and the text is unsure.
 */
const MOST = { characters: 200_000, rules: 5_000, steps: 20_000_000 } as const

/** Bounds of style attributes: characters of one, and how many may differ. Those beyond cannot be read. */
const MOST_OF_ATTRIBUTES = { characters: 10_000, different: 10_000 } as const

/** Properties that say whether something is seen. */
const TELLS =
  /^(?:--.*|display|visibility|opacity|content.*|line-clamp|color|background.*|font.*|text-(?:indent|fill-color|security)|letter-spacing|line-height|clip.*|mask.*|filter|mix-blend-mode|mso-hide|(?:min-|max-)?(?:width|height|block-size|inline-size)|overflow.*|contain|padding.*|margin.*|position|top|right|bottom|left|inset.*|transform.*|scale|translate|rotate|zoom|backface-visibility|white-space.*|unicode-bidi)$/

interface PlacedRule extends HoldingRule {
  readonly order: number
}

export interface PageStyles {
  /** @returns null where its style cannot be read */
  readonly of: (element: PageElement) => Declared | null
  /** Whether something may be hidden that is not known to be. */
  readonly isUnsure: boolean
}

/** Heads of rules that the window leaves in a mail, and that a browser looks at. */
const holds = (name: string, query: string): boolean =>
  name === 'media' ? isScreenQuery(query) : name === 'layer' || name === 'supports'

const ANY_ELEMENT: StyledElement = { localName: 'div', getAttribute: () => null }

/** Whether a rule alone hides what it holds for. */
const hides = (declarations: HoldingRule['declarations']): boolean => {
  const declared = declaredBy([{ declarations, specificity: 0, isLayered: false }], '')
  const style = declared === null ? null : within(PAGE, declared, ANY_ELEMENT)
  return style === null || areWordsUnseen(style)
}

/** Reads the styles of elements, those that have no rules by their attribute once for all. */
const reading = (rulesFor: (element: PageElement) => readonly HoldingRule[]): PageStyles['of'] => {
  const attributes = new Set<string>()
  const known = new Map<string, Declared | null>()
  return (element) => {
    const attribute = element.getAttribute('style') ?? ''
    if (attribute.length > MOST_OF_ATTRIBUTES.characters) return null
    if (attributes.size >= MOST_OF_ATTRIBUTES.different && !attributes.has(attribute)) return null
    attributes.add(attribute)
    const rules = rulesFor(element)
    if (rules.length > 0) return declaredBy(rules, attribute)
    const declared = known.get(attribute) ?? declaredBy(rules, attribute)
    known.set(attribute, declared)
    return declared
  }
}

const byAttributes = (isUnsure: boolean): PageStyles => ({ of: reading(() => []), isUnsure })

const keysOf = (element: PageElement): readonly string[] => {
  const id = element.getAttribute('id')
  return ['*', element.localName, ...[...element.classes].map((name) => `.${name}`), ...(id === null ? [] : [`#${id}`])]
}

export function* elementsOf(root: PageElement): Generator<PageElement> {
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
 * Reads what the sheets and the style attributes of a page say of each element: up to 200,000 characters and 5,000 rules of
 * sheets, and 20 million steps of comparing. Selectors know names, classes, ids, attributes, all combinators, `:not`,
 * `:is`, `:where` and the places among siblings; a rule that a browser may understand otherwise makes the page unsure.
 */
export const stylesOf = (root: PageElement): PageStyles => {
  const sheets = [...elementsOf(root)]
    .filter(isSheet)
    .map(({ children }) => children.filter((child) => typeof child === 'string').join(''))
  if (sheets.length === 0) return byAttributes(false)
  if (sheets.reduce((sum, { length }) => sum + length, 0) > MOST.characters) return byAttributes(true)
  const byKey = new Map<string, [Selector, PlacedRule][]>()
  let [order, isUnsure] = [0, false]
  for (const sheet of sheets) {
    const rules = rulesOf(sheet, holds)
    if (rules === null) return byAttributes(true)
    for (const { selector: written, declarations, isLayered, isConditional } of rules) {
      const telling = declarations.filter(({ property }) => TELLS.test(property))
      // What a browser knows is not known here: such a rule may hide, and shows nothing that is hidden.
      if (telling.length === 0 || (isConditional && !hides(telling))) continue
      order += 1
      if (order > MOST.rules) return byAttributes(true)
      try {
        for (const selector of selectorsOf(written) ?? []) {
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
  const budget: Budget = { left: MOST.steps }
  const holding = new Map<PageElement, readonly PlacedRule[]>()
  try {
    for (const element of elementsOf(root)) {
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
    if (error instanceof SelectorBudgetError) return byAttributes(true)
    throw error
  }
  return { of: reading((element) => holding.get(element) ?? []), isUnsure }
}
