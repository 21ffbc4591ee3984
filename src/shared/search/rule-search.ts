/**
 * Searches that rules allow. A rule must be decidable locally, from a message as it arrives, and always with the same
 * result. This excludes a thread's folder and read state, and relative dates.
 */
import type { TextTerm, ThreadFilter } from '../thread-query.ts'
import { resolveDateBound, type Clock } from './date-bounds.ts'
import { describeSearchFault } from './describe-search-fault.ts'
import {
  parseSearch,
  type ParsedSearch,
  type WithSpan,
  type SearchContext,
  type SearchFault,
  type SearchPart,
} from './parse-search.ts'
import { tokenizeWords } from './word-tokenizer.ts'

export type RuleSearchFault =
  | { readonly code: 'empty_rule' }
  /** The condition is unknown when a message arrives, or may change afterwards. */
  | { readonly code: 'not_in_rule'; readonly what: 'folder' | 'state'; readonly typed: string }
  | { readonly code: 'moving_date'; readonly typed: string }
  /** Another rule adds this label, but every rule sees the mail as it arrived. */
  | { readonly code: 'label_of_rule'; readonly label: string; readonly rule: string }

export type RuleFault = SearchFault | RuleSearchFault

export interface RuleSearch {
  readonly filter: ThreadFilter
  /** Faults in text order. A rule with a fault does not run. */
  readonly faults: readonly WithSpan<RuleFault>[]
}

export type FindRuleByLabel = (labelId: string) => string | undefined

const momentsOf = ({ parts }: ParsedSearch, clock: Clock): readonly (readonly (number | null)[])[] =>
  parts.map((part) =>
    part.kind === 'dates' ? [part.since, part.until].map((bound) => bound && resolveDateBound(bound, clock)) : [],
  )

const faultOf = (
  part: SearchPart,
  typed: string,
  isMoving: boolean,
  labels: SearchContext['labels'],
  setBy: FindRuleByLabel,
): RuleSearchFault | null => {
  switch (part.kind) {
    case 'text':
    case 'subject':
    case 'people':
    case 'attachment':
    case 'message type':
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

/** Regular expression syntax, which searches ignore: `(a+)+$` would match all mail that contains the word “a”. */
const PATTERN = /[)\]][*+?{]|\.[*+]|\\[a-z]/i

const hasWords = ({ text }: Pick<TextTerm, 'text'>): boolean => tokenizeWords(text).length > 0 && !PATTERN.test(text)

/** True if a search names a folder, or has a condition that some mail doesn't meet. */
export const isNarrowing = ({ parts }: Pick<ParsedSearch, 'parts'>): boolean =>
  parts.some((part) => {
    if (part.kind === 'text') return hasWords(part.term)
    if (part.kind === 'subject') return part.terms.some(hasWords)
    // A value without letters and digits may match everything: every address contains an “@”.
    return part.kind !== 'people' || part.values.some((value) => /[\p{L}\p{N}]/u.test(value))
  })

/** Parses the search of a rule. @param setBy returns the name of another enabled rule of the inbox that adds a label */
export const parseRuleSearch = (text: string, context: SearchContext, setBy: FindRuleByLabel): RuleSearch => {
  const parsed = parseSearch(text, context)
  const { parts, filter, faults } = parsed
  // A relative date resolves to another moment a year later.
  const later = { ...context, now: context.now + 400 * 24 * 60 * 60_000 }
  const [moments, momentsLater] = [momentsOf(parsed, context), momentsOf(parseSearch(text, later), later)]
  if (faults.length === 0 && !isNarrowing({ parts })) {
    return { filter, faults: [{ code: 'empty_rule', span: { start: 0, end: text.length } }] }
  }
  const own = parts.flatMap((part, place): readonly WithSpan<RuleFault>[] => {
    const isMoving = String(moments[place]) !== String(momentsLater[place])
    const fault = faultOf(part, text.slice(part.span.start, part.span.end), isMoving, context.labels, setBy)
    return fault === null ? [] : [{ ...fault, span: part.span }]
  })
  return { filter, faults: [...faults, ...own].toSorted((a, b) => a.span.start - b.span.start) }
}

export const describeRuleFault = (fault: RuleFault): string => {
  if (fault.code === 'empty_rule') {
    return 'Type a search that mail must match. Without one, the rule would match everything.'
  }
  if (fault.code === 'not_in_rule') {
    return fault.what === 'folder'
      ? `Rules run on incoming mail in any folder. Remove ${fault.typed}.`
      : `Rules can’t use ${fault.typed}: it changes after mail arrives. Remove it.`
  }
  if (fault.code === 'moving_date') {
    return `${fault.typed} is relative. Use a fixed date, such as after:2026-05-01.`
  }
  if (fault.code === 'label_of_rule') {
    return `The rule “${fault.rule}” adds the label “${fault.label}”. Rules see mail only as it arrived, so one rule can’t depend on another.`
  }
  return describeSearchFault(fault)
}
