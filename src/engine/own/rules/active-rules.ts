import type { Label } from '../../../shared/model.ts'
import { findRuleByLabel, type Rule } from '../../../shared/rules.ts'
import type { Clock } from '../../../shared/search/date-bounds.ts'
import { describeRuleFault, parseRuleSearch, type FindRuleByLabel } from '../../../shared/search/rule-search.ts'
import { resolveDates, type ResolvedFilter } from '../../store/search-index/search-query.ts'
import type { StoredRule } from './rule-store.ts'

export interface ActiveRule extends StoredRule {
  readonly filter: ResolvedFilter
}

const NOBODY: FindRuleByLabel = () => undefined

/** A rule's resolved search, or the reason why the rule can't run. */
export const resolveRule = (
  rule: Pick<Rule, 'id' | 'inboxId' | 'text'>,
  rules: readonly Rule[],
  labels: readonly Label[],
  clock: Clock,
): ResolvedFilter | string => {
  const { filter, faults } = parseRuleSearch(rule.text, { ...clock, labels }, findRuleByLabel(rule, rules))
  const [fault] = faults
  return fault === undefined ? { ...resolveDates(filter, clock), isWidened: true } : describeRuleFault(fault)
}

/** An active rule whose search uses a label that this rule sets, if any. */
export const findDependentRule = (
  rule: Rule,
  rules: readonly Rule[],
  labels: readonly Label[],
  clock: Clock,
): { readonly name: string; readonly label: string } | null => {
  if (!rule.isOn || rule.addLabels.length === 0) return null
  for (const other of rules) {
    if (!other.isOn || other.id === rule.id || other.inboxId !== rule.inboxId) continue
    const { filter } = parseRuleSearch(other.text, { ...clock, labels }, NOBODY)
    const id = filter.labelIds.find((each) => rule.addLabels.includes(each))
    if (id !== undefined) return { name: other.name, label: labels.find((each) => each.id === id)?.name ?? id }
  }
  return null
}

/** Active rules by inbox, in order. */
export const listActiveRules = (
  rules: readonly StoredRule[],
  labelsOf: (inboxId: string) => readonly Label[],
  clock: Clock,
): ReadonlyMap<string, readonly ActiveRule[]> => {
  const running = new Map<string, ActiveRule[]>()
  const on = rules.filter(({ isOn }) => isOn)
  for (const [inboxId, own] of Map.groupBy(on, (rule) => rule.inboxId)) {
    const labels = labelsOf(inboxId)
    const all = own.flatMap((rule): ActiveRule[] => {
      const filter = resolveRule(rule, own, labels, clock)
      return typeof filter === 'string' ? [] : [{ ...rule, filter }]
    })
    if (all.length > 0) running.set(inboxId, all)
  }
  return running
}
