import type { ListedRule, RuleActions, RuleLogEntry, RuleMove } from '../../../shared/rules.ts'
import { formatList } from '../../ui/format-list.ts'
import { formatCount } from '../../ui/format-quantity.ts'

export const RULE_MOVE_LABELS: Readonly<Record<RuleMove | 'none', string>> = {
  none: 'Don’t move',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
}
export const RULE_NOTIFY_LABELS = { usual: 'As usual', always: 'Always', never: 'Never' } as const
export type RuleNotifyChoice = keyof typeof RULE_NOTIFY_LABELS

const MOVED: Readonly<Record<RuleMove, string>> = {
  archive: 'archived',
  spam: 'moved to spam',
  trash: 'moved to trash',
}
const MOVE: Readonly<Record<RuleMove, string>> = {
  archive: 'archive',
  spam: 'move to spam',
  trash: 'move to trash',
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A rule's actions as a sentence. @param labelOf returns a label's name, or undefined if deleted */
export const describeRuleActions = (
  { addLabels, move, markRead, star, notify }: RuleActions,
  labelOf: (id: string) => string | undefined,
): string => {
  const parts = [
    ...addLabels.map((id) => `label “${labelOf(id) ?? 'deleted label'}”`),
    ...(move === null ? [] : [MOVE[move]]),
    ...(markRead ? ['mark as read'] : []),
    ...(star ? ['star'] : []),
    ...(notify === null ? [] : [notify ? 'notify' : 'don’t notify']),
  ]
  return capitalize(formatList(parts))
}

export const describeRuleUsage = ({ threads }: Pick<ListedRule, 'threads'>): string =>
  threads === 0 ? 'Not used yet' : `Changed ${formatCount(threads, 'thread')}`

export const describeRuleEffect = ({ did, leftIn, threads }: RuleLogEntry): string => {
  if (leftIn !== null) return `Skipped because the thread was in ${leftIn}`
  const parts = [
    ...did.labels.map((name) => `labelled “${name}”`),
    ...(did.folder === null ? [] : [MOVED[did.folder]]),
    ...(did.read ? ['marked as read'] : []),
    ...(did.star ? ['starred'] : []),
  ]
  const held = 'not moved because the thread may have unread mail from someone else'
  if (did.isHeld === true) parts.push(held)
  if (parts.length === 0) return 'Nothing to change'
  return `${capitalize(formatList(parts))}${threads > 1 ? `, and ${formatCount(threads - 1, 'other thread')}` : ''}`
}
