/**
 * Searches that a rule can have: this computer alone decides them, from a message as it comes in, and always in the same
 * way. That leaves out the folder and the read state of a thread, and dates that move.
 */
import type { TextTerm, ThreadFilter } from '../thread-query.ts'
import { momentOf, type Clock } from './date-bounds.ts'
import { describeSearchFault } from './describe-search-fault.ts'
import {
  parseSearch,
  type ParsedSearch,
  type Placed,
  type SearchContext,
  type SearchFault,
  type SearchPart,
} from './parse-search.ts'
import { wordsOf } from './words.ts'

export type RuleSearchFault =
  | { readonly code: 'empty_rule' }
  /** What is not known of a message that comes in, or changes afterwards. */
  | { readonly code: 'not_in_rule'; readonly what: 'folder' | 'state'; readonly typed: string }
  | { readonly code: 'moving_date'; readonly typed: string }
  /** All rules see the mail as it came. */
  | { readonly code: 'label_of_rule'; readonly label: string; readonly rule: string }

export type RuleFault = SearchFault | RuleSearchFault

export interface RuleSearch {
  readonly filter: ThreadFilter
  /** In the order of the text. Where there is one, the rule does not run. */
  readonly faults: readonly Placed<RuleFault>[]
}

/** The name of another rule that sets a label; undefined where none does. */
export type SetBy = (labelId: string) => string | undefined

const momentsOf = ({ parts }: ParsedSearch, clock: Clock): readonly (readonly (number | null)[])[] =>
  parts.map((part) =>
    part.kind === 'dates' ? [part.since, part.until].map((bound) => bound && momentOf(bound, clock)) : [],
  )

const faultOf = (
  part: SearchPart,
  typed: string,
  isMoving: boolean,
  labels: SearchContext['labels'],
  setBy: SetBy,
): RuleSearchFault | null => {
  switch (part.kind) {
    case 'text':
    case 'subject':
    case 'people':
    case 'attachment':
    case 'mail kind':
      return null
    case 'dates':
      return isMoving ? { code: 'moving_date', typed } : null
    case 'labels':
    case 'assigned': {
      const id = part.ids.find((each) => setBy(each) !== undefined)
      if (id === undefined) return null
      const label = labels.find((each) => each.id === id)?.name ?? typed
      return { code: 'label_of_rule', label, rule: setBy(id) ?? '' }
    }
    case 'folders':
      return { code: 'not_in_rule', what: 'folder', typed }
    case 'read':
    case 'dropped':
    case 'mark':
      return { code: 'not_in_rule', what: 'state', typed }
  }
}

/** Signs of a regular expression, which a search reads past: `(a+)+$` finds all mail with the word “a”. */
const PATTERN = /[)\]][*+?{]|\.[*+]|\\[a-z]/i

const hasWords = ({ text }: Pick<TextTerm, 'text'>): boolean => wordsOf(text).length > 0 && !PATTERN.test(text)

/** True if a search says what it is about: it names a folder, or has a condition that some mail does not meet. */
export const isNarrowing = ({ parts }: Pick<ParsedSearch, 'parts'>): boolean =>
  parts.some((part) => {
    if (part.kind === 'text') return hasWords(part.term)
    if (part.kind === 'subject') return part.terms.some(hasWords)
    // Each address has an “@”.
    return part.kind !== 'people' || part.values.some((value) => /[\p{L}\p{N}]/u.test(value))
  })

/** Reads the search of a rule. @param setBy of the inbox's other rules that are on */
export const readRuleSearch = (text: string, context: SearchContext, setBy: SetBy): RuleSearch => {
  const parsed = parseSearch(text, context)
  const { parts, filter, faults } = parsed
  // A date that moves is another one over a year later.
  const later = { ...context, now: context.now + 400 * 24 * 60 * 60_000 }
  const [moments, momentsLater] = [momentsOf(parsed, context), momentsOf(parseSearch(text, later), later)]
  if (faults.length === 0 && !isNarrowing({ parts })) {
    return { filter, faults: [{ code: 'empty_rule', span: { start: 0, end: text.length } }] }
  }
  const own = parts.flatMap((part, place): readonly Placed<RuleFault>[] => {
    const isMoving = String(moments[place]) !== String(momentsLater[place])
    const fault = faultOf(part, text.slice(part.span.start, part.span.end), isMoving, context.labels, setBy)
    return fault === null ? [] : [{ ...fault, span: part.span }]
  })
  return { filter, faults: [...faults, ...own].toSorted((a, b) => a.span.start - b.span.start) }
}

/** What is wrong with the search of a rule, and what to do. */
export const describeRuleFault = (fault: RuleFault): string => {
  if (fault.code === 'empty_rule') {
    return 'Type what the mail has to match. Without a search, the rule would match everything.'
  }
  if (fault.code === 'not_in_rule') {
    return fault.what === 'folder'
      ? `Rules look at mail as it comes in, wherever it lies. Remove ${fault.typed}.`
      : `${fault.typed} changes after mail has come in, so a rule can’t go by it. Remove it.`
  }
  if (fault.code === 'moving_date') {
    return `${fault.typed} means another date each day. Use a fixed one, such as after:2026-05-01.`
  }
  if (fault.code === 'label_of_rule') {
    return `The rule “${fault.rule}” sets the label “${fault.label}”. All rules see mail as it came, so a rule can’t wait for another.`
  }
  return describeSearchFault(fault)
}
