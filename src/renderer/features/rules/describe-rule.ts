import { listRuleActions, RULE_ACTION_ROWS, type RuleActions } from '../../../shared/rule-actions.ts'
import type { ListedRule, RuleLogEntry } from '../../../shared/rules.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'

const toSentence = (parts: readonly string[]): string => {
  const text = formatList(parts)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A rule's actions as a sentence. @param labelOf returns a label's name, or undefined if deleted */
export const describeRuleActions = (rule: RuleActions, labelOf: (id: string) => string | undefined): string =>
  toSentence(listRuleActions({ ...rule, addLabels: rule.addLabels.map((id) => labelOf(id) ?? 'deleted label') }))

export const describeRuleUsage = ({ threads }: Pick<ListedRule, 'threads'>): string =>
  threads === 0 ? 'Not used yet' : `Changed ${formatCount(threads, 'thread')}`

export const describeRuleEffect = ({ did, leftIn, threads }: RuleLogEntry): string => {
  if (leftIn !== null) return `Skipped because the thread was in ${leftIn}`
  const held = 'not moved because the thread may have unread mail from someone else'
  const done = RULE_ACTION_ROWS.flatMap(([, { logged, phrases }]) =>
    logged === null ? [] : phrases(did[logged]).map(([, phrase]) => phrase),
  )
  const parts = did.isHeld === true ? [...done, held] : done
  if (parts.length === 0) return 'Nothing to change'
  return `${toSentence(parts)}${threads > 1 ? `, and ${formatCount(threads - 1, 'other thread')}` : ''}`
}
