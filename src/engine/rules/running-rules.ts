import type { Label } from '../../shared/model.ts'
import type { Rule } from '../../shared/rules.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { describeRuleFault, readRuleSearch, type SetBy } from '../../shared/search/rule-search.ts'
import { withMoments, type ResolvedFilter } from '../search-index/search-query.ts'
import type { KeptRule } from './kept-rules.ts'

/** A rule that is on and can run, as the index is asked for it. */
export interface RunningRule extends KeptRule {
  readonly filter: ResolvedFilter
}

/** Which of the other rules of its inbox that are on set a label. */
const setByOthers =
  (rule: Rule, rules: readonly Rule[]): SetBy =>
  (labelId) =>
    rules.find(
      ({ id, inboxId, isOn, addLabels }) =>
        isOn && id !== rule.id && inboxId === rule.inboxId && addLabels.includes(labelId),
    )?.name

const NOBODY: SetBy = () => undefined

/** What a rule looks for, or the sentence that says why it cannot. */
export const readRule = (
  rule: Rule,
  rules: readonly Rule[],
  labels: readonly Label[],
  clock: Clock,
): ResolvedFilter | string => {
  const { filter, faults } = readRuleSearch(rule.text, { ...clock, labels }, setByOthers(rule, rules))
  const [fault] = faults
  return fault === undefined ? { ...withMoments(filter, clock), isWidened: true } : describeRuleFault(fault)
}

/** The rule that looks for a label which this one sets, where both are on. */
export const waitingFor = (
  rule: Rule,
  rules: readonly Rule[],
  labels: readonly Label[],
  clock: Clock,
): { readonly name: string; readonly label: string } | null => {
  if (!rule.isOn || rule.addLabels.length === 0) return null
  for (const other of rules) {
    if (!other.isOn || other.id === rule.id || other.inboxId !== rule.inboxId) continue
    const { filter } = readRuleSearch(other.text, { ...clock, labels }, NOBODY)
    const id = filter.labelIds.find((each) => rule.addLabels.includes(each))
    if (id !== undefined) return { name: other.name, label: labels.find((each) => each.id === id)?.name ?? id }
  }
  return null
}

/** The rules that run, by inbox, in their order. */
export const runningRules = (
  rules: readonly KeptRule[],
  labelsOf: (inboxId: string) => readonly Label[],
  clock: Clock,
): ReadonlyMap<string, readonly RunningRule[]> => {
  const running = new Map<string, RunningRule[]>()
  const on = rules.filter(({ isOn }) => isOn)
  for (const [inboxId, own] of Map.groupBy(on, (rule) => rule.inboxId)) {
    const labels = labelsOf(inboxId)
    const all = own.flatMap((rule): RunningRule[] => {
      const filter = readRule(rule, own, labels, clock)
      return typeof filter === 'string' ? [] : [{ ...rule, filter }]
    })
    if (all.length > 0) running.set(inboxId, all)
  }
  return running
}
